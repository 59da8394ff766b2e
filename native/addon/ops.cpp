// Single operations in JavaScript: the list with its slots and parameters, and calling one with images.
#include "engine/operation/op_call.hpp"

#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

namespace morpho::addon {
namespace {

const char* kind_name(engine::OpParam::Kind kind) {
  switch (kind) {
    case engine::OpParam::Kind::number: return "number";
    case engine::OpParam::Kind::integer: return "integer";
    case engine::OpParam::Kind::choice: return "choice";
    case engine::OpParam::Kind::toggle: return "toggle";
  }
  return "number";
}

Napi::Array slots_to_js(Napi::Env env, const std::vector<engine::OpSlot>& slots) {
  Napi::Array list = Napi::Array::New(env);
  for (const engine::OpSlot& s : slots) {
    Napi::Object o = Napi::Object::New(env);
    o.Set("name", s.name);
    o.Set("help", s.help);
    std::vector<std::string> types;
    for (PixelType t : s.types) types.emplace_back(pixel_type_name(t));
    o.Set("types", strings_to_js(env, types));
    o.Set("channels", s.channels);
    o.Set("optional", Napi::Boolean::New(env, s.optional));
    list.Set(list.Length(), o);
  }
  return list;
}

Napi::Value ops_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Env env = info.Env();
    Napi::Array list = Napi::Array::New(env);
    for (const engine::OpInfo& op : engine::op_list()) {
      Napi::Object o = Napi::Object::New(env);
      o.Set("name", op.name);
      o.Set("help", op.help);
      o.Set("inputs", slots_to_js(env, op.inputs));
      o.Set("outputs", slots_to_js(env, op.outputs));
      Napi::Array params = Napi::Array::New(env);
      for (const engine::OpParam& p : op.params) {
        Napi::Object param = Napi::Object::New(env);
        param.Set("name", p.name);
        param.Set("help", p.help);
        param.Set("kind", kind_name(p.kind));
        param.Set("choices", strings_to_js(env, p.choices));
        param.Set("notOnCpu", strings_to_js(env, p.not_on_cpu));
        param.Set("notOnGpu", strings_to_js(env, p.not_on_gpu));
        param.Set("low", p.low);
        param.Set("high", p.high);
        param.Set("fallback", param_value_to_js(env, p.fallback));
        param.Set("required", Napi::Boolean::New(env, p.required));
        params.Set(params.Length(), param);
      }
      o.Set("params", params);
      list.Set(list.Length(), o);
    }
    return list;
  });
}

/// Copies an image of JavaScript; the class of its typed array is its pixel type.
engine::OwnedImage get_image(Napi::Value value, const std::string& name) {
  const Napi::Object o = get_object(value, name);
  engine::OwnedImage image;
  image.name = get_string(o.Get("name"), name + ".name");
  image.channels = static_cast<i32>(get_integer(o.Get("channels"), name + ".channels", 1, 4));
  if (image.channels != 1 && image.channels != 4) reject(name + ".channels", "1 or 4", std::to_string(image.channels));
  image.extent = get_extent(o.Get("width"), o.Get("height"), name + ".", true);
  const Napi::Value data = o.Get("data");
  const char* const expected = "a Uint8Array, Uint16Array or Int32Array";
  if (!data.IsTypedArray()) reject(name + ".data", expected, describe(data));
  const Napi::TypedArray array = data.As<Napi::TypedArray>();
  switch (array.TypedArrayType()) {
    case napi_uint8_array: image.type = PixelType::u8; break;
    case napi_uint16_array: image.type = PixelType::u16; break;
    case napi_int32_array: image.type = PixelType::i32; break;
    default: reject(name + ".data", expected, "another typed array");
  }
  if (image.channels == 4 && image.type != PixelType::u8)
    reject(name + ".data", "a Uint8Array for an image of 4 channels", pixel_type_name(image.type));
  const std::size_t needed = static_cast<std::size_t>(image.extent.area()) * static_cast<std::size_t>(image.channels);
  if (array.ElementLength() != needed)
    reject(name + ".data", std::to_string(needed) + " elements (width × height × channels)",
           std::to_string(array.ElementLength()));
  const auto* bytes = static_cast<const u8*>(array.ArrayBuffer().Data()) + array.ByteOffset();
  if (needed > 0) image.bytes.assign(bytes, bytes + array.ByteLength());
  return image;
}

Napi::Value call_op_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string name = get_string(info[0], "name");
    const Napi::Array inputs_js = get_array(info[1], "inputs");
    if (inputs_js.Length() > 16) reject("inputs", "at most 16 images", std::to_string(inputs_js.Length()));
    auto inputs = std::make_shared<std::vector<engine::OwnedImage>>();
    for (std::uint32_t i = 0; i < inputs_js.Length(); ++i)
      inputs->push_back(get_image(inputs_js.Get(i), "inputs[" + std::to_string(i) + "]"));
    const engine::Params params = get_params(info[2], "params");
    const int threads = get_threads(info[3]);
    const CancelPtr cancel = get_cancel(info.Env(), info[4]);
    const engine::DeviceName device = get_device(info[5]);
    auto resources = Instance::of(info.Env()).resources;
    return Work<engine::OpResult>::start(
        info.Env(), cancel,
        [=] {
          WorkspacePool::Lease workspace(resources->workspaces);
          Context host{*workspace, threads, cancel.get()};
          const engine::BackendLease backend(resources->gpus, device, host);
          engine::OpResult result = engine::op_call(*backend, name, *inputs, params);
          if (device.gpu) result.steps.insert(result.steps.begin(), {"open", backend.opening_ms()});
          return result;
        },
        [](Napi::Env env, engine::OpResult& result, Napi::Value) -> Napi::Value {
          Napi::Array outputs = Napi::Array::New(env);
          for (const engine::OwnedImage& image : result.outputs) {
            Napi::Object o = Napi::Object::New(env);
            o.Set("name", image.name);
            o.Set("channels", image.channels);
            o.Set("width", image.extent.width);
            o.Set("height", image.extent.height);
            o.Set("data", pixels_to_js(env, image.type, image.bytes));
            outputs.Set(outputs.Length(), o);
          }
          Napi::Object scalars = Napi::Object::New(env);
          for (const auto& [key, value] : result.scalars) scalars.Set(key, value);
          Napi::Object o = Napi::Object::New(env);
          o.Set("outputs", outputs);
          o.Set("scalars", scalars);
          o.Set("ms", result.ms);
          o.Set("device", result.device);
          o.Set("variant", result.variant);
          Napi::Array steps = Napi::Array::New(env);
          for (const auto& [step, ms] : result.steps) {
            Napi::Object s = Napi::Object::New(env);
            s.Set("name", step);
            s.Set("ms", ms);
            steps.Set(steps.Length(), s);
          }
          o.Set("steps", steps);
          return o;
        });
  });
}

}  // namespace

void define_ops(Napi::Env env, Napi::Object exports) {
  exports.Set("ops", Napi::Function::New(env, ops_call));
  exports.Set("callOp", Napi::Function::New(env, call_op_call));
}

}  // namespace morpho::addon
