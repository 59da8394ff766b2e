// What one entry of the operation registry is made of: its description, and the code that runs it on checked arguments.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "op_call.hpp"

namespace morpho::engine {

/// One call of an operation: inputs and parameters as checked against its OpInfo, outputs as they are made.
class OpRun {
 public:
  OpRun(const OpTable& ops_, Context& ctx_, const OpInfo& info, const std::vector<OwnedImage>& inputs, const Params& params);

  const OpTable& ops;
  Context& ctx;

  /// The input of a slot; absent (default-constructed) where an optional one was not given.
  ConstPlane in(const std::string& slot) const;
  /// The same as int32, converted where it is narrower: labels may come from files of any integer type.
  ConstPlane in_i32(const std::string& slot);
  View<const Rgba> rgba(const std::string& slot) const;
  Extent extent() const { return inputs_.front().extent; }  ///< of the first input: every operation has one

  double number(const std::string& name) const;
  i32 integer(const std::string& name) const { return static_cast<i32>(number(name)); }
  i64 integer64(const std::string& name) const { return static_cast<i64>(number(name)); }
  bool toggle(const std::string& name) const;
  std::string choice(const std::string& name) const;
  /// The position of the chosen value in the parameter's list: its enum value, where the list is in the enum's order.
  template <class E>
  E choice_as(const std::string& name) const {
    return static_cast<E>(choice_index(name));
  }
  Connectivity connectivity() const { return choice("connectivity") == "4" ? Connectivity::four : Connectivity::eight; }

  /// A new output image.
  Plane out(const std::string& slot, PixelType type, Extent extent);
  View<Rgba> out_rgba(const std::string& slot, Extent extent);
  /// An image that lives as long as the call and is no output.
  Plane scratch(PixelType type, Extent extent);
  void scalar(const std::string& name, double value) { result.scalars.emplace_back(name, value); }
  /// Runs fn and adds its time to the result: what is not the operation itself stays outside.
  template <class Fn>
  void timed(Fn&& fn) {
    const double begin = now_ms();
    fn();
    result.ms += now_ms() - begin;
  }

  OpResult result;

 private:
  static double now_ms();
  void check_inputs() const;
  void check_params() const;
  const OpParam& param(const std::string& name) const;
  const OwnedImage* find(const std::string& slot) const;
  std::size_t choice_index(const std::string& name) const;

  const OpInfo& info_;
  const std::vector<OwnedImage>& inputs_;
  const Params& params_;
  std::vector<std::vector<u8>> scratch_;
};

struct OpEntry {
  OpInfo info;
  void (*run)(OpRun&);
};

/// The entries of each group; op_call.cpp joins them.
std::vector<OpEntry> geodesic_ops();
std::vector<OpEntry> object_ops();
std::vector<OpEntry> local_ops();
std::vector<OpEntry> color_ops();

// What the groups share to describe slots and parameters.
inline const std::vector<PixelType> kU8 = {PixelType::u8}, kU8U16 = {PixelType::u8, PixelType::u16}, kI32 = {PixelType::i32},
                                    kAnyType = {PixelType::u8, PixelType::u16, PixelType::i32};
inline OpSlot slot(std::string name, std::vector<PixelType> types, std::string help, bool optional = false) {
  return {std::move(name), std::move(help), std::move(types), 1, optional};
}
inline OpSlot rgba_slot(std::string name, std::string help) { return {std::move(name), std::move(help), kU8, 4, false}; }
inline OpParam integer_param(std::string name, std::string help, double low, double high, double fallback) {
  return {std::move(name), std::move(help), OpParam::Kind::integer, {}, low, high, fallback, false};
}
inline OpParam number_param(std::string name, std::string help, double low, double high, double fallback) {
  return {std::move(name), std::move(help), OpParam::Kind::number, {}, low, high, fallback, false};
}
inline OpParam required(OpParam p) {
  p.required = true;
  return p;
}
inline OpParam choice_param(std::string name, std::string help, std::vector<std::string> choices, std::string fallback) {
  return {std::move(name), std::move(help), OpParam::Kind::choice, std::move(choices), 0, 0, std::move(fallback), false};
}
inline OpParam toggle_param(std::string name, std::string help) {
  return {std::move(name), std::move(help), OpParam::Kind::toggle, {}, 0, 0, false, false};
}
inline OpParam connectivity_param() { return choice_param("connectivity", "neighbours of a pixel: 4 (edges) or 8 (edges and corners)", {"4", "8"}, "8"); }

}  // namespace morpho::engine
