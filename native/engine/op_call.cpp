// Runs an operation by name: finds it, checks its images and parameters, and hands back its outputs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "op_entry.hpp"

namespace morpho::engine {

namespace {

const std::vector<OpEntry>& entries() {
  static const std::vector<OpEntry> all = [] {
    std::vector<OpEntry> list;
    for (auto group : {geodesic_ops, object_ops, local_ops, color_ops}) {
      for (OpEntry& e : group()) list.push_back(std::move(e));
    }
    std::sort(list.begin(), list.end(), [](const OpEntry& a, const OpEntry& b) { return a.info.name < b.info.name; });
    return list;
  }();
  return all;
}

std::string quoted(const std::string& s) { return "\"" + s + "\""; }

template <class List, class Name>
std::string joined(const List& list, Name&& name) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) out += (i == 0 ? "" : i + 1 == list.size() ? " or " : ", ") + name(list[i]);
  return out;
}

std::string text_of(double v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", v);
  if (std::strtod(buffer, nullptr) == v) std::snprintf(buffer, sizeof buffer, "%.12g", v);
  return buffer;
}
std::string text_of(const ParamValue& v) {
  if (const double* d = std::get_if<double>(&v)) return text_of(*d);
  if (const bool* b = std::get_if<bool>(&v)) return *b ? "true" : "false";
  return quoted(std::get<std::string>(v));
}
std::string text_of(Extent e) { return std::to_string(e.width) + "x" + std::to_string(e.height); }

std::string expected_of(const OpParam& p) {
  switch (p.kind) {
    case OpParam::Kind::number: return "a number from " + text_of(p.low) + " to " + text_of(p.high);
    case OpParam::Kind::integer: return "an integer from " + text_of(p.low) + " to " + text_of(p.high);
    case OpParam::Kind::choice: return joined(p.choices, [](const std::string& c) { return c; });
    case OpParam::Kind::toggle: return "true or false";
  }
  return {};
}

/// A choice may be given as a number (connectivity = 8): its text is what counts.
std::string choice_text(const ParamValue& v) {
  if (const double* d = std::get_if<double>(&v)) return text_of(*d);
  if (const std::string* s = std::get_if<std::string>(&v)) return *s;
  return {};
}

bool valid(const OpParam& p, const ParamValue& v) {
  if (p.kind == OpParam::Kind::toggle) return std::holds_alternative<bool>(v);
  if (p.kind == OpParam::Kind::choice) return std::find(p.choices.begin(), p.choices.end(), choice_text(v)) != p.choices.end();
  const double* d = std::get_if<double>(&v);
  return d && *d >= p.low && *d <= p.high && (p.kind == OpParam::Kind::number || *d == std::floor(*d));
}

}  // namespace

OpRun::OpRun(const OpTable& ops_, Context& ctx_, const OpInfo& info, const std::vector<OwnedImage>& inputs, const Params& params)
    : ops(ops_), ctx(ctx_), info_(info), inputs_(inputs), params_(params) {
  check_inputs();
  check_params();
}

void OpRun::check_inputs() const {
  const auto name_of = [](const OpSlot& s) { return s.name; };
  for (const OwnedImage& image : inputs_) {
    const auto slot = std::find_if(info_.inputs.begin(), info_.inputs.end(), [&](const OpSlot& s) { return s.name == image.name; });
    if (slot == info_.inputs.end()) reject("input of " + info_.name, joined(info_.inputs, name_of), quoted(image.name));
    if (find(image.name) != &image) reject(image.name, "one image", "two");
    if (image.channels != slot->channels) {
      reject(image.name, slot->channels == 4 ? "a colour image (4 channels)" : "1 channel", std::to_string(image.channels) + " channels");
    }
    if (std::find(slot->types.begin(), slot->types.end(), image.type) == slot->types.end()) {
      reject(image.name, "pixels of type " + joined(slot->types, [](PixelType t) { return std::string(pixel_type_name(t)); }), pixel_type_name(image.type));
    }
    if (image.extent.width < 0 || image.extent.height < 0 || image.extent.area() > 2147483647) {
      reject(image.name, "an extent of fewer than 2147483648 pixels", text_of(image.extent));
    }
    const std::size_t bytes = static_cast<std::size_t>(image.extent.area()) * pixel_bytes(image.type) * static_cast<std::size_t>(image.channels);
    if (image.bytes.size() != bytes) reject(image.name, std::to_string(bytes) + " bytes", std::to_string(image.bytes.size()));
    if (!(image.extent == inputs_.front().extent)) {
      reject(image.name, "the extent " + text_of(inputs_.front().extent) + " of " + inputs_.front().name, text_of(image.extent));
    }
  }
  for (const OpSlot& s : info_.inputs) {
    if (!s.optional && !find(s.name)) reject(s.name, "an image", "nothing");
  }
}

void OpRun::check_params() const {
  for (const auto& [name, value] : params_.all()) {
    const auto p = std::find_if(info_.params.begin(), info_.params.end(), [&, n = name](const OpParam& q) { return q.name == n; });
    if (p == info_.params.end()) {
      reject("parameter of " + info_.name, info_.params.empty() ? "none" : joined(info_.params, [](const OpParam& q) { return q.name; }), quoted(name));
    }
    if (!valid(*p, value)) reject(name, expected_of(*p), text_of(value));
  }
  for (const OpParam& p : info_.params) {
    if (p.required && !params_.has(p.name)) reject(p.name, expected_of(p), "nothing");
  }
}

const OwnedImage* OpRun::find(const std::string& slot) const {
  for (const OwnedImage& image : inputs_) {
    if (image.name == slot) return &image;
  }
  return nullptr;
}
ConstPlane OpRun::in(const std::string& slot) const {
  const OwnedImage* image = find(slot);
  return image ? ConstPlane(image->bytes.data(), image->type, image->extent) : ConstPlane();
}
ConstPlane OpRun::in_i32(const std::string& slot) {
  const ConstPlane given = in(slot);
  if (!find(slot) || given.type == PixelType::i32) return given;
  const Plane wide = scratch(PixelType::i32, given.extent);
  ops.scale(ctx, given, wide, ScaleParams{});
  return wide;
}
View<const Rgba> OpRun::rgba(const std::string& slot) const {
  const OwnedImage* image = find(slot);
  return View<const Rgba>(reinterpret_cast<const Rgba*>(image->bytes.data()), image->extent);
}

const OpParam& OpRun::param(const std::string& name) const {
  for (const OpParam& p : info_.params) {
    if (p.name == name) return p;
  }
  throw Error(ErrorCode::internal, info_.name + " reads a parameter that it does not list: " + name);
}
double OpRun::number(const std::string& name) const {
  const OpParam& p = param(name);
  return std::get<double>(params_.has(name) ? params_.all().at(name) : p.fallback);
}
bool OpRun::toggle(const std::string& name) const {
  const OpParam& p = param(name);
  return std::get<bool>(params_.has(name) ? params_.all().at(name) : p.fallback);
}
std::string OpRun::choice(const std::string& name) const {
  const OpParam& p = param(name);
  return choice_text(params_.has(name) ? params_.all().at(name) : p.fallback);
}
std::size_t OpRun::choice_index(const std::string& name) const {
  const auto& choices = param(name).choices;
  return static_cast<std::size_t>(std::find(choices.begin(), choices.end(), choice(name)) - choices.begin());
}

Plane OpRun::out(const std::string& slot, PixelType type, Extent extent) {
  OwnedImage& image = result.outputs.emplace_back();
  image.name = slot;
  image.type = type;
  image.extent = extent;
  image.bytes.resize(static_cast<std::size_t>(extent.area()) * pixel_bytes(type));
  return Plane(image.bytes.data(), type, extent);
}
View<Rgba> OpRun::out_rgba(const std::string& slot, Extent extent) {
  const Plane p = out(slot, PixelType::i32, extent);  // as wide as a colour
  result.outputs.back().type = PixelType::u8;
  result.outputs.back().channels = 4;
  return View<Rgba>(static_cast<Rgba*>(p.data), extent);
}
Plane OpRun::scratch(PixelType type, Extent extent) {
  scratch_.emplace_back(static_cast<std::size_t>(extent.area()) * pixel_bytes(type));
  return Plane(scratch_.back().data(), type, extent);
}
double OpRun::now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const std::vector<OpInfo>& op_list() {
  static const std::vector<OpInfo> infos = [] {
    std::vector<OpInfo> list;
    for (const OpEntry& e : entries()) list.push_back(e.info);
    return list;
  }();
  return infos;
}

// `ops` takes host memory here, as the CPU's table does. Memory: the outputs, and what the operation takes of the workspace.
OpResult op_call(const OpTable& ops, Context& ctx, const std::string& name, const std::vector<OwnedImage>& inputs, const Params& params) {
  const auto& all = entries();
  const auto entry = std::find_if(all.begin(), all.end(), [&](const OpEntry& e) { return e.info.name == name; });
  if (entry == all.end()) reject("operation", joined(all, [](const OpEntry& e) { return e.info.name; }), quoted(name));
  OpRun run(ops, ctx, entry->info, inputs, params);
  entry->run(run);
  return std::move(run.result);
}

}  // namespace morpho::engine
