// The max-tree wand: builds and asks the trees of fields (see wand.hpp).
#include "wand.hpp"

#include <algorithm>

#include "engine/program/step_witness.hpp"
#include "engine/window/window.hpp"

namespace morpho::engine {
namespace {

/// So much of altitude above and below a node is looked at for how its area changes: 0.06 OD of a stain.
constexpr i32 kStableOver = 6;

bool is_grey(const Step& s, const Program& program) {
  if (s.op != Op::keep || std::get<KeepParams>(s.params).binary) return false;
  const PixelType t = program.planes[static_cast<std::size_t>(s.in[0].number)];
  return t == PixelType::u8 || t == PixelType::u16;
}

class Taker final : public StepWitness {
 public:
  Taker(const std::string& plane, const Rect& core, Context& ctx) : plane_(plane), core_(core), ctx_(ctx) {}
  void before(const Step& step, const PlaneOf& plane) override {
    if (step.op != Op::keep || plane_ != step.name) return;
    found_ = true;
    const ConstPlane whole = plane(step.in[0]);
    const Extent e{static_cast<i32>(core_.width), static_cast<i32>(core_.height)};
    visit_pixel_type(whole.type, [&](auto t) {
      using T = decltype(t);
      std::vector<T> field(static_cast<std::size_t>(e.area()));
      const T* from = static_cast<const T*>(whole.data);
      for (i64 y = 0; y < core_.height; ++y)
        std::copy_n(from + (core_.y + y) * whole.extent.width + core_.x, core_.width,
                    field.begin() + static_cast<std::ptrdiff_t>(y * core_.width));
      if constexpr (std::is_same_v<T, u8> || std::is_same_v<T, u16>)
        tree = wand_tree(ConstPlane(field.data(), whole.type, e), ctx_);
    });
    const i32 dx = static_cast<i32>(core_.x), dy = static_cast<i32>(core_.y);
    for (const Run& r : plane.unread(step.in[0])) tree.unread.push_back({r.y - dy, r.x0 - dx, r.x1 - dx});
  }
  void after(const Step&, const PlaneOf&) override {}
  /// Nothing after the plane is asked for.
  bool has_enough() const override { return found_; }
  WandTree tree;

 private:
  bool found_ = false;
  const std::string& plane_;
  const Rect core_;
  Context& ctx_;
};

WandTree build(const WindowJob& job, const std::string& plane, Resources& resources, const CancelFlag* cancel) {
  WorkspacePool::Lease workspace(resources.workspaces);
  Context ctx{*workspace, job.threads, cancel};
  Taker taker(plane, job.core, ctx);
  WindowJob watched = job;
  watched.witness = &taker;
  watched.image = {};
  watched.want_planes = true;
  watched.keep_stages = false;
  watched.devices = {DeviceName{}};
  run_window_once(watched, resources, cancel);
  return std::move(taker.tree);
}

/// The nodes that hold a pixel, from its own to the root.
std::vector<i32> chain(const WandTree& t, i64 pixel) {
  std::vector<i32> nodes{t.node[static_cast<std::size_t>(pixel)]};
  while (nodes.back() != 0) nodes.push_back(t.nodes[static_cast<std::size_t>(nodes.back())].parent);
  return nodes;
}

struct OpenSides {
  bool left = false, top = false, right = false, bottom = false;  ///< where the image goes on
};
bool meets(const WandTree& t, const WandTree::Node& n, const OpenSides& r) {
  return (r.left && n.min_x == 0) || (r.top && n.min_y == 0) || (r.right && n.max_x == t.extent.width - 1) ||
         (r.bottom && n.max_y == t.extent.height - 1);
}

/// The place in the chain that is offered first.
std::size_t most_stable(const WandTree& t, const std::vector<i32>& nodes, const OpenSides& rims, i64 min_area, i64 end_area) {
  const auto at = [&](std::size_t k) -> const WandTree::Node& { return t.nodes[static_cast<std::size_t>(nodes[k])]; };
  const std::size_t n = nodes.size();
  std::size_t best = n, large = n - 1, down = 0, up = 0;
  i64 best_growth = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const WandTree::Node& node = at(k);
    if (node.area >= min_area) large = std::min(large, k);
    while (up + 1 < n && at(up).value > node.value - kStableOver) ++up;
    while (down < k && at(down + 1).value >= node.value + kStableOver) ++down;
    if (node.area < min_area || node.area >= end_area || meets(t, node, rims)) continue;
    const i64 inner = at(down).value >= node.value + kStableOver ? at(down).area : 0;
    const i64 growth = at(up).area - inner;
    if (best == n || growth * at(best).area < best_growth * node.area) best = k, best_growth = growth;
  }
  return best == n ? large : best;
}

std::vector<Run> runs_of(const WandTree& t, i32 place, i64 x0, i64 y0) {
  const WandTree::Node& n = t.nodes[static_cast<std::size_t>(place)];
  std::vector<Run> runs;
  for (i32 y = n.min_y; y <= n.max_y; ++y) {
    const i32* row = t.node.data() + static_cast<i64>(y) * t.extent.width;
    i32 start = -1;
    for (i32 x = n.min_x; x <= n.max_x + 1; ++x) {
      const bool in = x <= n.max_x && row[x] >= place && row[x] < n.end;
      if (in && start < 0) start = x;
      if (in || start < 0) continue;
      runs.push_back({static_cast<i32>(y + y0), static_cast<i32>(start + x0), static_cast<i32>(x + x0)});
      start = -1;
    }
  }
  return runs;
}

/// Also beside it: what could not be read may be of the node.
bool meets_unread(const WandTree& t, const std::vector<Run>& shape, const Rect& field) {
  if (t.unread.empty()) return false;
  std::vector<Run> wide;
  for (const Run& r : shape) {
    const i32 y = static_cast<i32>(r.y - field.y), x0 = static_cast<i32>(r.x0 - field.x), x1 = static_cast<i32>(r.x1 - field.x);
    for (i32 dy = -1; dy <= 1; ++dy) wide.push_back({y + dy, x0 - 1, x1 + 1});
  }
  return !within(t.unread, wide).empty();
}

}  // namespace

WandTree wand_tree(ConstPlane plane, Context& ctx) {
  const Extent e = plane.extent;
  const auto area = static_cast<std::size_t>(e.area());
  const OpTable& ops = cpu::table();
  const Workspace::Scope temporary(ctx.workspace);
  const auto take = [&] { return Plane(ctx.workspace.take<i32>(area), PixelType::i32, e); };
  const Plane parent = take(), order = take(), at = take();
  ops.max_tree(ctx, plane, parent, order, MaxTreeParams{});
  NodeTable table = take_node_table(ctx.workspace, e);
  ops.max_tree_nodes(ctx, plane, parent, order, at, table);
  const auto n = static_cast<std::size_t>(table.count);
  NodeSums* sums = ctx.workspace.take<NodeSums>(n);
  ops.max_tree_sums(ctx, at, table, sums, false);

  // Children stand before their parents.
  std::vector<i32> size(n, 1), place(n, 0), next(n, 1);
  for (std::size_t k = 0; k + 1 < n; ++k) size[static_cast<std::size_t>(table.parent[k])] += size[k];
  WandTree tree;
  tree.extent = e;
  tree.nodes.resize(n);
  for (std::size_t k = n; k-- > 0;) {
    const auto p = static_cast<std::size_t>(table.parent[k]);
    if (p != k) {
      place[k] = next[p];
      next[p] += size[k];
      next[k] = place[k] + 1;
    }
    const NodeSums& s = sums[k];
    tree.nodes[static_cast<std::size_t>(place[k])] = {
        place[p], place[k] + size[k], static_cast<i32>(s.area), s.value, s.min_x, s.min_y, s.max_x, s.max_y};
  }
  tree.node.resize(area);
  const i32* of = at.view<i32>().data;
  for (std::size_t p = 0; p < area; ++p) tree.node[p] = place[static_cast<std::size_t>(of[p])];
  return tree;
}

WandResult wand(const WindowJob& job, const WandAsk& ask, Resources& resources, const CancelFlag* cancel) {
  const Rect field{job.x + job.core.x, job.y + job.core.y, job.core.width, job.core.height};
  const auto outside = [&](const std::pair<i64, i64>& p) {
    return p.first < field.x || p.second < field.y || p.first >= field.x + field.width || p.second >= field.y + field.height;
  };
  if (ask.points.empty() || std::any_of(ask.points.begin(), ask.points.end(), outside))
    reject("the points", "at least one, all of them in the field",
           std::to_string(ask.points.size()) + " of which some are not");

  WandResult found;
  TreeMemo::Key key;
  key.plan = job.plan;
  found.plane = ask.plane;
  const auto& steps = key.plan->program.steps;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (!is_grey(steps[k], key.plan->program)) continue;
    found.planes.emplace_back(steps[k].name);
    if (found.plane.empty()) found.plane = steps[k].name;
    if (found.plane == steps[k].name) key.step = k;
  }
  if (std::find(found.planes.begin(), found.planes.end(), found.plane) == found.planes.end())
    reject("plane", "a grey plane of the recipe", found.plane);

  key.window = key_of(job);
  std::shared_ptr<const WandTree> tree = resources.trees.find(key);
  if (!tree) {
    const auto building = resources.trees.building.enter(key, cancel);
    tree = resources.trees.find(key);
    if (!tree) {
      tree = std::make_shared<const WandTree>(build(job, found.plane, resources, cancel));
      // What could not be read may be readable the next time.
      if (tree->unread.empty()) resources.trees.keep(key, tree);
      found.built = true;
    }
  }

  const auto pixel = [&](const std::pair<i64, i64>& p) { return (p.second - field.y) * field.width + p.first - field.x; };
  const OpenSides rims{field.x > 0, field.y > 0, field.x + field.width < job.image.width,
                       field.y + field.height < job.image.height};
  const std::vector<i32> nodes = chain(*tree, pixel(ask.points[0]));
  std::size_t k = 0;
  if (ask.points.size() == 1) {
    k = most_stable(*tree, nodes, rims, ask.min_area, ask.end_area);
  } else {
    for (const auto& p : ask.points) {
      const i32 other = tree->node[static_cast<std::size_t>(pixel(p))];
      while (other < nodes[k] || other >= tree->nodes[static_cast<std::size_t>(nodes[k])].end) ++k;  // the root holds all
    }
  }
  const i64 last = static_cast<i64>(nodes.size()) - 1, first = static_cast<i64>(k);
  const i64 wanted = std::clamp<i64>(first + ask.walk, 0, last);
  const i32 place = nodes[static_cast<std::size_t>(wanted)];
  const WandTree::Node& node = tree->nodes[static_cast<std::size_t>(place)];
  found.walked = static_cast<i32>(wanted - first);
  found.below = static_cast<i32>(wanted), found.above = static_cast<i32>(last - wanted);
  found.value = node.value, found.parent_value = tree->nodes[static_cast<std::size_t>(node.parent)].value;
  found.area = node.area;
  found.cut = meets(*tree, node, rims);
  found.shape = runs_of(*tree, place, field.x, field.y);
  found.unread = meets_unread(*tree, found.shape, field);
  return found;
}

}  // namespace morpho::engine
