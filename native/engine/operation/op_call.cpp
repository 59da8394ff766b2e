// Runs an operation by name: finds it, checks its images and parameters, and hands back its outputs.
#include <algorithm>
#include <cmath>

#include "../../contract/require.hpp"
#include "op_entry.hpp"

namespace morpho::engine {

namespace {

const std::vector<OpEntry>& entries() {
  static const std::vector<OpEntry> all = [] {
    std::vector<OpEntry> list;
    for (auto group : {image_ops, compound_ops}) {
      for (OpEntry& e : group()) list.push_back(std::move(e));
    }
    std::sort(list.begin(), list.end(), [](const OpEntry& a, const OpEntry& b) { return a.info.name < b.info.name; });
    return list;
  }();
  return all;
}

}  // namespace

OpInvocation::OpInvocation(Backend& backend, const OpInfo& info, const std::vector<OwnedImage>& inputs, const Params& params)
    : backend_(backend),
      scope_(backend.context().workspace),
      ops(backend.ops()),
      ctx(backend.context()),
      info_(info),
      inputs_(inputs),
      params_(info, params) {
  check_inputs();
  params_.check(backend.on_host(), backend.name());
  if (!backend_.on_host()) upload_inputs();
}

void OpInvocation::upload_inputs() {
  for (const OwnedImage& image : inputs_) {
    u8* to = take(image.bytes.size());
    if (!image.bytes.empty()) backend_.upload(to, image.bytes.data(), image.bytes.size());  // sync: once an input
    placed_inputs_.push_back(to);
  }
}

void OpInvocation::finish() {
  for (const auto& [index, from] : placed_outputs_) {
    std::vector<u8>& bytes = result.outputs[index].bytes;
    if (!bytes.empty()) backend_.download(bytes.data(), from, bytes.size());  // sync: once an output
  }
  result.device = backend_.name();
  result.variant = "auto";
  for (const OpParam& p : info_.params) {
    if (p.name == "variant") result.variant = params_.choice(p.name);
  }
  if (!backend_.on_host()) result.steps.emplace_back("upload", backend_.upload_ms());
  result.steps.emplace_back("compute", result.ms);
  if (!backend_.on_host()) result.steps.emplace_back("download", backend_.download_ms());
}

void OpInvocation::check_inputs() const {
  const auto name_of = [](const OpSlot& s) { return s.name; };
  for (const OwnedImage& image : inputs_) {
    const auto slot = std::find_if(info_.inputs.begin(), info_.inputs.end(),
                                   [&](const OpSlot& s) { return s.name == image.name; });
    if (slot == info_.inputs.end()) reject("input of " + info_.name, joined(info_.inputs, name_of), quoted(image.name));
    if (find(image.name) != &image) reject(image.name, "one image", "two");
    if (image.channels != slot->channels) {
      reject(image.name, slot->channels == 4 ? "a colour image (4 channels)" : "1 channel",
             std::to_string(image.channels) + " channels");
    }
    if (std::find(slot->types.begin(), slot->types.end(), image.type) == slot->types.end()) {
      reject(image.name, "pixels of type " + joined(slot->types, [](PixelType t) { return std::string(pixel_type_name(t)); }),
             pixel_type_name(image.type));
    }
    if (image.extent.width < 0 || image.extent.height < 0 || image.extent.area() > 2147483647) {
      reject(image.name, "an extent of fewer than 2147483648 pixels", extent_text(image.extent));
    }
    const std::size_t bytes = static_cast<std::size_t>(image.extent.area()) * pixel_bytes(image.type) *
                              static_cast<std::size_t>(image.channels);
    if (image.bytes.size() != bytes) reject(image.name, std::to_string(bytes) + " bytes", std::to_string(image.bytes.size()));
    if (!(image.extent == inputs_.front().extent)) {
      reject(image.name, "the extent " + extent_text(inputs_.front().extent) + " of " + inputs_.front().name,
             extent_text(image.extent));
    }
  }
  for (const OpSlot& s : info_.inputs) {
    if (!s.optional && !find(s.name)) reject(s.name, "an image", "nothing");
  }
}

const OwnedImage* OpInvocation::find(const std::string& slot) const {
  for (const OwnedImage& image : inputs_) {
    if (image.name == slot) return &image;
  }
  return nullptr;
}
ConstPlane OpInvocation::host_in(const std::string& slot) const {
  const OwnedImage* image = find(slot);
  return image ? ConstPlane(image->bytes.data(), image->type, image->extent) : ConstPlane();
}
ConstPlane OpInvocation::in(const std::string& slot) const {
  ConstPlane plane = host_in(slot);
  if (const OwnedImage* image = find(slot); image && !backend_.on_host())
    plane.data = placed_inputs_[static_cast<std::size_t>(image - inputs_.data())];
  return plane;
}
ConstPlane OpInvocation::in_i32(const std::string& slot) {
  const ConstPlane given = in(slot);
  if (!find(slot) || given.type == PixelType::i32) return given;
  const Plane wide = scratch(PixelType::i32, given.extent);
  ops.scale(ctx, given, wide, ScaleParams{});
  return wide;
}
View<const Rgba> OpInvocation::rgba(const std::string& slot) const {
  return View<const Rgba>(static_cast<const Rgba*>(in(slot).data), find(slot)->extent);
}

OwnedImage& OpInvocation::new_output(const std::string& slot, PixelType type, Extent extent, i32 channels) {
  OwnedImage& image = result.outputs.emplace_back();
  image.name = slot;
  image.type = type;
  image.channels = channels;
  image.extent = extent;
  image.bytes.resize(static_cast<std::size_t>(extent.area()) * pixel_bytes(type) * static_cast<std::size_t>(channels));
  return image;
}
void* OpInvocation::placed_output(OwnedImage& image) {
  if (backend_.on_host()) return image.bytes.data();
  void* data = take(image.bytes.size());
  placed_outputs_.emplace_back(result.outputs.size() - 1, data);
  return data;
}
Plane OpInvocation::out(const std::string& slot, PixelType type, Extent extent) {
  return Plane(placed_output(new_output(slot, type, extent)), type, extent);
}
View<Rgba> OpInvocation::out_rgba(const std::string& slot, Extent extent) {
  return View<Rgba>(static_cast<Rgba*>(placed_output(new_output(slot, PixelType::u8, extent, 4))), extent);
}

const std::vector<OpInfo>& op_list() {
  static const std::vector<OpInfo> infos = [] {
    std::vector<OpInfo> list;
    for (const OpEntry& e : entries()) list.push_back(e.info);
    return list;
  }();
  return infos;
}

OpResult op_call(Backend& backend, const std::string& name, const std::vector<OwnedImage>& inputs, const Params& params) {
  const auto& all = entries();
  const auto entry = std::find_if(all.begin(), all.end(), [&](const OpEntry& e) { return e.info.name == name; });
  if (entry == all.end()) reject("operation", joined(all, [](const OpEntry& e) { return e.info.name; }), quoted(name));
  OpInvocation run(backend, entry->info, inputs, params);
  entry->run(run);
  run.finish();
  return std::move(run.result);
}

OpResult op_call(const OpTable& ops, Context& ctx, const std::string& name, const std::vector<OwnedImage>& inputs,
                 const Params& params) {
  CpuBackend backend(ops, ctx);
  return op_call(backend, name, inputs, params);
}

}  // namespace morpho::engine
