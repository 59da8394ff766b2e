// What a descriptor is made of: an operation's images and parameters, how far it looks, and the checks that follow.
#pragma once
#include <tuple>

#include "../context.hpp"
#include "../require.hpp"
#include "need.hpp"
#include "params.hpp"

namespace morpho {

/// How far from a pixel the values lie that decide its value.
struct Reach {
  enum class Kind : u8 {
    pointwise,
    halo,       ///< `px` on every side
    component,  ///< all of the connected component, hole or basin that the pixel is in, and what touches it
    global,     ///< anything in the image
  };
  Kind kind = Kind::pointwise;
  i32 px = 0;  ///< of a halo
};
inline constexpr Reach kComponent{Reach::Kind::component, 0}, kGlobal{Reach::Kind::global, 0};
constexpr Reach halo_reach(i32 px) { return {px > 0 ? Reach::Kind::halo : Reach::Kind::pointwise, px}; }

namespace op {

/// Pixel types of an image, as bits.
enum Types : u8 { u8_only = 1, u16_only = 2, i32_only = 4, grey = 3, any_type = 7, rgba = 8 };
constexpr Types type_bit(PixelType t) { return t == PixelType::u8 ? u8_only : t == PixelType::u16 ? u16_only : i32_only; }

/// One image of an operation. All of an operation's images have one extent, and none shares memory with another unless said.
struct Slot {
  const char* name;   ///< as messages of the operation call it
  const char* shown;  ///< as who calls by name has it
  const char* help;
  Types types;
  int like = -1;              ///< the input whose type it has
  bool optional = false;      ///< may be absent
  u8 in_place = 0;            ///< of an output: bit k: it may be input k itself
  Types converted = Types{};  ///< of a call by name: types that are made the slot's own
};

inline std::string types_text(u8 types) {
  std::string text;
  for (const PixelType t : {PixelType::u8, PixelType::u16, PixelType::i32}) {
    if (types & type_bit(t)) text += (text.empty() ? "" : " or ") + std::string(pixel_type_name(t));
  }
  return text;
}
inline void check_type(const Slot& slot, const ConstPlane& p, const ConstPlane* in) {
  if (slot.types == rgba) return;
  if (slot.like >= 0) require_same_type(slot.name, in[slot.like], p);
  if (!(slot.types & type_bit(p.type))) reject(slot.name, "pixels of type " + types_text(slot.types), pixel_type_name(p.type));
}
/// Every image legal, of its type and of the first one's extent; outputs apart from all others but for their in-place rules.
inline void check_images(const Slot* in_slots, const ConstPlane* in, int inputs, const Slot* out_slots, const Plane* out,
                         int outputs) {
  const auto left_out = [](const Slot& slot, const auto& p) { return slot.optional && !p.present(); };
  for (int k = 0; k < inputs; ++k)
    if (!left_out(in_slots[k], in[k])) require_plane(in_slots[k].name, in[k]);
  for (int k = 0; k < outputs; ++k)
    if (!left_out(out_slots[k], out[k])) require_plane(out_slots[k].name, out[k]);
  for (int k = 0; k < inputs; ++k) {
    if (left_out(in_slots[k], in[k])) continue;
    check_type(in_slots[k], in[k], in);
    if (k > 0) require_same_extent(in_slots[k].name, in[0], in[k]);
  }
  for (int k = 0; k < outputs; ++k) {
    const Slot& slot = out_slots[k];
    if (left_out(slot, out[k])) continue;
    check_type(slot, out[k], in);
    require_same_extent(slot.name, in[0], out[k]);
    for (int i = 0; i < inputs; ++i) {
      if (left_out(in_slots[i], in[i])) continue;
      const bool itself = in[i].data == out[k].data && in[i].type == out[k].type && in[i].stride == out[k].stride;
      if (!(itself && (slot.in_place >> i & 1))) require_apart(slot.name, in[i], out[k]);
    }
    for (int i = 0; i < k; ++i)
      if (!left_out(out_slots[i], out[i])) require_apart(slot.name, out[k], out[i]);
  }
}

/// A call's images, in the order of the operation's signature.
struct Images {
  static constexpr int most = 4;
  ConstPlane in[most];
  Plane out[most];
  int inputs = 0, outputs = 0;
  void add(const ConstPlane& p) { in[inputs++] = p; }
  void add(const Plane& p) { out[outputs++] = p; }
  void add(const View<const Rgba>& v) { in[inputs++] = as_plane(v); }
  template <Visited P>
  void add(const P&) {}
};

/// What a descriptor of an operation on images derives from: `struct erode : Operation<erode, void(Context&, ConstPlane f,
/// Plane out, const ErodeParams&)>`. It states: `in` and `out` (Slots), `help`, `reach(params)`, `cpu_need(image, params)`;
/// where there are such, `narrow(Spec)`, `check_more(arguments)`, `out_type(type, params)`, `by_name` (Call); and `Certainty`,
/// its rule of certainty (certainty.hpp), without which nothing that it gives in a cut window is called certain.
/// Operations on single pixels derive from PixelWise (pixel_wise.hpp), which states most of that.
template <class Self, class Signature>
struct Operation;
template <class Self, class R, class... A>
struct Operation<Self, R(Context&, A...)> {
  using Call = R(Context&, A...);
  using Result = R;
  using Arguments = std::tuple<std::remove_cvref_t<A>...>;
  using Params = std::tuple_element_t<sizeof...(A) - 1, Arguments>;
  static constexpr Spec narrow(const Spec& s) { return s; }

  /// What every device checks before it touches a pixel. Throws INVALID_PARAMETER, which names the argument.
  static void check(A... arguments) {
    Images images;
    (images.add(arguments), ...);
    check_images(Self::in, images.in, images.inputs, Self::out, images.out, images.outputs);
    (check_if_params(arguments), ...);
    if constexpr (requires { Self::check_more(arguments...); }) Self::check_more(arguments...);
  }

 private:
  template <class T>
  static void check_if_params(const T& argument) {
    if constexpr (Visited<T>) check_params(argument, [](const Spec& s) { return Self::narrow(s); });
  }
};
/// The same for operations whose arguments are not images alone: they check by themselves.
template <class Signature>
struct ArrayOperation;
template <class R, class... A>
struct ArrayOperation<R(Context&, A...)> {
  using Call = R(Context&, A...);
  using Params = std::remove_cvref_t<std::tuple_element_t<sizeof...(A) - 1, std::tuple<A...>>>;  ///< where it has any
  static constexpr Spec narrow(const Spec& s) { return s; }
};
template <Visited P>
void check_params(const P& p) {
  check_params(p, [](const Spec& s) { return s; });
}

/// One way in which users call an operation by name.
template <class Params>
struct ByName {
  const char* name;
  const char* help;
  const char* out_help;
  Params fixed;          ///< values that the name stands for,
  const char* hides[2];  ///< by their parameters' names
};

}  // namespace op
}  // namespace morpho
