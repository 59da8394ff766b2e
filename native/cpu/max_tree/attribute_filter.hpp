// The area opening on a table of nodes, for area_open as well.
#pragma once
#include "contract/ops.hpp"

namespace morpho::cpu {

/// Writes f without the nodes of fewer than `area` pixels, which take the altitude of the nearest ancestor that stays; the root
/// stays. T is u8 or u16. Cost and memory: those of attribute_filter by area.
template <class T>
void open_nodes(Context& ctx, View<const i32> node, const NodeTable& nodes, View<T> out, i64 area);

}  // namespace morpho::cpu
