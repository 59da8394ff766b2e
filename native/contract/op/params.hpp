// What follows from visiting an operation's parameters: their exact values, equality, text and checks.
#pragma once
#include <bit>
#include <charconv>
#include <type_traits>

#include "spec.hpp"

namespace morpho::op {

struct Ignore {
  template <class T>
  constexpr void operator()(const Spec&, const T&) const {}
};
/// Parameters state themselves by a static `visit(p, v)`, which calls v(Spec, value) for each value, always in one order. A
/// value may be such parameters itself.
template <class P>
concept Visited = requires(const P& p) { P::visit(p, Ignore{}); };  // no lambda: nvcc 12 takes none here

/// All values bit by bit: what two calls must share to be the same call. A NaN is itself, and 0 is not -0.
struct Exact {
  static constexpr int most = 48;
  u64 values[most] = {};
  int count = 0;

  template <class T>
  void operator()(const Spec&, const T& value) {
    if constexpr (Visited<T>) T::visit(value, *this);
    else if constexpr (std::is_same_v<T, double>) add(std::bit_cast<u64>(value));
    else add(static_cast<u64>(static_cast<i64>(value)));
  }
  bool operator==(const Exact&) const = default;

 private:
  void add(u64 bits) {
    if (count == most) throw Error(ErrorCode::internal, "an operation has more parameters than their identity has room for");
    values[count++] = bits;
  }
};
template <Visited P>
Exact exact_of(const P& p) {
  Exact exact;
  P::visit(p, exact);
  return exact;
}
/// What operator== of parameters is.
template <Visited P>
bool same(const P& a, const P& b) {
  return exact_of(a) == exact_of(b);
}

inline std::string text_of_value(double v) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, v).ptr};
}
/// "end_area" as users have it.
inline std::string shown_name(const char* name) {
  std::string shown = name;
  for (char& c : shown) {
    if (c == '_') c = '-';
  }
  return shown;
}

/// Those values that differ from what they are where nobody says anything: "min-area 11, end-area 1000". Doubles with all their
/// digits.
template <Visited P>
std::string text_of_params(const P& p) {
  const Exact fallback = exact_of(P{});
  std::string text;
  int at = 0;
  P::visit(p, [&]<class T>(const Spec& spec, const T& value) {
    Exact own;
    own(spec, value);
    bool differs = false;
    for (int k = 0; k < own.count; ++k) differs = differs || own.values[k] != fallback.values[at + k];
    at += own.count;
    if (!differs) return;
    if (!text.empty()) text += ", ";
    text += shown_name(spec.name);
    if constexpr (Visited<T>) text += " (" + text_of_params(value) + ")";
    else if constexpr (std::is_same_v<T, bool>) text += value ? "" : " off";
    else if constexpr (std::is_enum_v<T>) text += " " + std::string(name_of(value));
    else if constexpr (std::is_same_v<T, double>) text += " " + text_of_value(value);
    else text += " " + std::to_string(value);
  });
  return text;
}

inline std::string range_text(const Spec& s, bool is_real) {
  if (is_real) return text_of_value(s.low) + " to " + text_of_value(s.high);
  if (s.most >= kMostInt) return "at least " + std::to_string(s.least);
  return std::to_string(s.least) + " to " + std::to_string(s.most);
}
template <class E>
std::string names_text() {
  std::string text;
  std::size_t at = 0;
  for (const Named<E>& each : Names<E>::all) {
    text += (at == 0 ? "" : at + 1 == std::size(Names<E>::all) ? " or " : ", ") + std::string(each.name);
    ++at;
  }
  return text;
}
/// Throws INVALID_PARAMETER for a value outside its range, or none of its enum's. `narrow(Spec)`: where the operation allows
/// less than others that share the parameters.
template <Visited P, class Narrow>
void check_params(const P& p, Narrow&& narrow) {
  P::visit(p, [&]<class T>(const Spec& stated, const T& value) {
    const Spec spec = narrow(stated);
    if constexpr (Visited<T>) {
      check_params(value, narrow);
    } else if constexpr (std::is_same_v<T, bool>) {
      return;
    } else if constexpr (std::is_enum_v<T>) {
      if (name_of(value).empty()) reject(spec.name, names_text<T>(), std::to_string(static_cast<int>(value)));
    } else if constexpr (std::is_same_v<T, double>) {
      // Written so that NaN fails.
      if (!(value >= spec.low && value <= spec.high)) reject(spec.name, range_text(spec, true), text_of_value(value));
    } else {
      if (value < spec.least || value > spec.most) reject(spec.name, range_text(spec, false), std::to_string(value));
    }
  });
}

}  // namespace morpho::op
