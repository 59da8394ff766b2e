// Calls an operation's entry with arguments from wherever they are, in the order of its signature.
#pragma once
#include <tuple>

#include "../ops.hpp"

namespace morpho::op {

/// `source` gives the next input plane, output plane and colours, and the parameters: in(), out(), rgba(), params<P>().
template <class Argument, class Source>
Argument argument_of(Source& source) {
  using T = std::remove_cvref_t<Argument>;
  if constexpr (std::is_same_v<T, ConstPlane>) return source.in();
  else if constexpr (std::is_same_v<T, Plane>) return source.out();
  else if constexpr (std::is_same_v<T, View<const Rgba>>) return source.rgba();
  else return source.template params<T>();
}
template <class Source, class R, class... A>
R call(R (*entry)(Context&, A...), Context& ctx, Source&& source) {
  const std::tuple<A...> arguments{argument_of<A>(source)...};  // braces: from the first to the last
  return std::apply([&](const A&... a) { return entry(ctx, a...); }, arguments);
}

}  // namespace morpho::op
