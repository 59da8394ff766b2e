// How a descriptor states a parameter: its name, what it means and which values it may have.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "../view.hpp"

namespace morpho {

template <class E>
struct Named {
  E value;
  std::string_view name;
};

/// Names<E>::all: every value of E once, beside its name, in the order in which users see them. A test holds every name against
/// the enumerator's own spelling.
template <class E>
struct Names;

template <>
struct Names<Connectivity> {
  using enum Connectivity;
  static constexpr Named<Connectivity> all[] = {{four, "4"}, {eight, "8"}};
};

/// The name of a value; empty for what is none of E's.
template <class E>
constexpr std::string_view name_of(E value) {
  for (const Named<E>& each : Names<E>::all) {
    if (each.value == value) return each.name;
  }
  return {};
}
/// The value of a name; throws INTERNAL for another text, as callers check what users say.
template <class E>
E value_named(std::string_view name) {
  for (const Named<E>& each : Names<E>::all) {
    if (each.name == name) return each.value;
  }
  throw Error(ErrorCode::internal, "a choice without a value: " + std::string(name));
}

/// Values of a variant that one kind of device does not have; a descriptor specialises it.
template <class E>
struct Absent {
  static constexpr const E* cpu = nullptr;
  static constexpr const E* gpu = nullptr;
  static constexpr int on_cpu = 0, on_gpu = 0;
};

namespace op {

/// One parameter. Integers have the first range, doubles the second, both with their ends.
struct Spec {
  const char* name;  ///< in code, "end_area"; users see "end-area"
  const char* help = "";
  i64 least = std::numeric_limits<i64>::min(), most = std::numeric_limits<i64>::max();
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool required = false;  ///< a call by name must give it
};
constexpr Spec whole(const char* name, const char* help, i64 least, i64 most) { return {name, help, least, most}; }
constexpr Spec real(const char* name, const char* help, double low, double high) {
  Spec s{name, help};
  s.low = low, s.high = high;
  return s;
}
constexpr Spec required(Spec s) {
  s.required = true;
  return s;
}

inline constexpr i64 kMostInt = 2147483647, kLeastInt = -2147483648;
inline constexpr Spec kConnectivity{"connectivity", "neighbours of a pixel: 4 (edges) or 8 (edges and corners)"};

}  // namespace op
}  // namespace morpho
