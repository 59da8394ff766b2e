// The nearest nucleus of each pixel: down and up each column first, then along each row, by distance and then by rank.
#include "cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace morpho::engine {
namespace {

constexpr std::uint64_t kNobodyNear = std::numeric_limits<std::uint64_t>::max();

void stop_if_cancelled(const CancelFlag* cancel) {
  if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled{};
}

/// Calls fn(y, x0, x1) for what of an object's runs lies in the field.
template <class Fn>
void for_runs_in_field(const ObjectSet& set, std::size_t object, const Rect& field, Fn&& fn) {
  for (i64 r = set.run_offsets[object]; r < set.run_offsets[object + 1]; ++r) {
    const Run& run = set.runs[static_cast<std::size_t>(r)];
    const i64 x0 = std::max<i64>(run.x0, field.x), x1 = std::min<i64>(run.x1, field.x + field.width);
    if (run.y >= field.y && run.y < field.y + field.height && x0 < x1) fn(i64{run.y}, x0, x1);
  }
}

/// Objects by their first pixels.
std::vector<i32> in_raster_order(const ObjectSet& set) {
  std::vector<i32> order(set.objects.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](i32 a, i32 b) {
    const ObjectMeasurement &m = set.objects[static_cast<std::size_t>(a)], &n = set.objects[static_cast<std::size_t>(b)];
    return m.first_y != n.first_y ? m.first_y < n.first_y : m.first_x < n.first_x;
  });
  return order;
}

/// Of each pixel the nearest one of its column that is of a nucleus: how far, and the nucleus's rank from 1; 0: none within
/// `most`.
struct NearestInColumns {
  std::vector<i32> rank;
  std::vector<u16> away;
};

NearestInColumns nearest_in_columns(std::vector<i32> rank, const Rect& field, i32 most) {
  const auto width = static_cast<std::size_t>(field.width);
  NearestInColumns found{std::move(rank), {}};
  found.away.assign(found.rank.size(), 0);
  std::vector<i32> from_above(found.rank.size()), last(width, 0), since(width, 0);
  std::vector<u16> above(found.rank.size());
  for (i64 y = 0; y < field.height; ++y) {
    const std::size_t row = static_cast<std::size_t>(y) * width;
    for (std::size_t x = 0; x < width; ++x) {
      if (found.rank[row + x] > 0) last[x] = found.rank[row + x], since[x] = 0;
      else if (last[x] > 0 && ++since[x] > most) last[x] = 0;
      from_above[row + x] = last[x], above[row + x] = static_cast<u16>(since[x]);
    }
  }
  std::fill(last.begin(), last.end(), 0);
  for (i64 y = field.height; y-- > 0;) {
    const std::size_t row = static_cast<std::size_t>(y) * width;
    for (std::size_t x = 0; x < width; ++x) {
      i32& own = found.rank[row + x];
      if (own > 0) {
        last[x] = own, since[x] = 0;
        continue;
      }
      if (last[x] > 0 && ++since[x] > most) last[x] = 0;
      own = last[x], found.away[row + x] = static_cast<u16>(since[x]);
      const i32 other = from_above[row + x];
      const u16 away = above[row + x];
      const bool is_nearer = own == 0 || away < found.away[row + x] || (away == found.away[row + x] && other < own);
      if (other > 0 && is_nearer) own = other, found.away[row + x] = away;
    }
  }
  return found;
}

}  // namespace

i64 CellParams::needs() const { return on() ? static_cast<i64>(std::ceil(2 * reach + ring)) + 1 : 0; }

CellMap cells_around(const ObjectSet& nuclei, const Rect& field, double reach, const CancelFlag* cancel) {
  const auto width = static_cast<std::size_t>(field.width), area = width * static_cast<std::size_t>(field.height);
  const std::vector<i32> order = in_raster_order(nuclei);
  std::vector<i32> rank(area, 0);
  for (std::size_t k = 0; k < order.size(); ++k)
    for_runs_in_field(nuclei, static_cast<std::size_t>(order[k]), field, [&](i64 y, i64 x0, i64 x1) {
      const auto row = rank.begin() + (y - field.y) * field.width - field.x;
      std::fill(row + x0, row + x1, static_cast<i32>(k) + 1);
    });
  const auto most = static_cast<i64>(std::floor(reach)), square = static_cast<i64>(std::floor(reach * reach));
  const NearestInColumns columns = nearest_in_columns(std::move(rank), field, static_cast<i32>(most));
  CellMap map{field, std::vector<i32>(area, 0)};
  // The square of the distance above, the rank below: the least is the nearest, and of those the first.
  std::vector<std::uint64_t> best(width);
  for (i64 y = 0; y < field.height; ++y) {
    stop_if_cancelled(cancel);
    std::fill(best.begin(), best.end(), kNobodyNear);
    const std::size_t row = static_cast<std::size_t>(y) * width;
    for (i64 x = 0; x < field.width; ++x) {
      const i32 owner = columns.rank[row + static_cast<std::size_t>(x)];
      if (owner == 0) continue;
      const i64 away = columns.away[row + static_cast<std::size_t>(x)];
      // A pixel between others of its nucleus is never the nearest of it but to itself.
      const bool inside = away == 0 && x > 0 && x + 1 < field.width &&
                          columns.rank[row + static_cast<std::size_t>(x - 1)] == owner &&
                          columns.rank[row + static_cast<std::size_t>(x + 1)] == owner &&
                          columns.away[row + static_cast<std::size_t>(x - 1)] == 0 &&
                          columns.away[row + static_cast<std::size_t>(x + 1)] == 0;
      i64 span = 0;
      if (!inside)
        while ((span + 1) * (span + 1) + away * away <= square) ++span;
      if (away * away > square) continue;
      for (i64 to = std::max<i64>(0, x - span), end = std::min(field.width - 1, x + span); to <= end; ++to) {
        const auto far = static_cast<std::uint64_t>((to - x) * (to - x) + away * away);
        std::uint64_t& at = best[static_cast<std::size_t>(to)];
        at = std::min(at, far << 32 | static_cast<std::uint32_t>(owner));
      }
    }
    for (std::size_t x = 0; x < width; ++x)
      if (best[x] != kNobodyNear) map.owner[row + x] = order[static_cast<std::size_t>((best[x] & 0xffffffffu) - 1)] + 1;
  }
  return map;
}

std::vector<Part> parts_of_cells(const CellMap& map, const ObjectSet& nuclei, double ring, const CancelFlag* cancel) {
  const Rect& field = map.field;
  std::vector<Part> parts(map.owner.size(), Part::none);
  for (std::size_t k = 0; k < nuclei.objects.size(); ++k)
    for_runs_in_field(nuclei, k, field, [&](i64 y, i64 x0, i64 x1) {
      const auto row = parts.begin() + (y - field.y) * field.width - field.x;
      std::fill(row + x0, row + x1, Part::nucleus);
    });
  // Nearest first, as most pixels of a membrane lie beside its border.
  struct Step {
    i64 x, y, far;
  };
  std::vector<Step> disk;
  const auto most = static_cast<i64>(std::floor(ring)), square = static_cast<i64>(std::floor(ring * ring));
  for (i64 y = -most; y <= most; ++y)
    for (i64 x = -most; x <= most; ++x)
      if (const i64 far = x * x + y * y; far > 0 && far <= square) disk.push_back({x, y, far});
  std::stable_sort(disk.begin(), disk.end(), [](const Step& a, const Step& b) { return a.far < b.far; });
  for (i64 y = field.y; y < field.y + field.height; ++y) {
    stop_if_cancelled(cancel);
    for (i64 x = field.x; x < field.x + field.width; ++x) {
      Part& part = parts[static_cast<std::size_t>((y - field.y) * field.width + x - field.x)];
      const i32 owner = map.at(x, y);
      if (owner == 0 || part == Part::nucleus) continue;
      const bool is_near = std::any_of(disk.begin(), disk.end(), [&](const Step& s) {
        const i64 u = x + s.x, v = y + s.y;
        const bool is_in = u >= field.x && v >= field.y && u < field.x + field.width && v < field.y + field.height;
        return is_in && map.at(u, v) != owner;
      });
      part = is_near ? Part::membrane : Part::cytoplasm;
    }
  }
  return parts;
}

CellRuns runs_of_cells(const CellMap& map, const std::vector<Part>& parts, std::span<const u8> wanted,
                       std::initializer_list<Part> which) {
  const Rect& field = map.field;
  bool is_one[4] = {};
  for (const Part part : which) is_one[static_cast<int>(part)] = true;
  std::vector<std::vector<Run>> of(wanted.size());
  for (i64 y = 0; y < field.height; ++y) {
    const auto row = static_cast<std::size_t>(y * field.width);
    const auto owner_at = [&](i64 x) {
      const std::size_t at = row + static_cast<std::size_t>(x);
      const i32 owner = map.owner[at];
      return owner > 0 && wanted[static_cast<std::size_t>(owner - 1)] && is_one[static_cast<int>(parts[at])] ? owner : 0;
    };
    for (i64 x = 0; x < field.width;) {
      const i32 owner = owner_at(x);
      i64 end = x + 1;
      while (end < field.width && owner_at(end) == owner) ++end;
      if (owner > 0)
        of[static_cast<std::size_t>(owner - 1)].push_back(
            {static_cast<i32>(y + field.y), static_cast<i32>(x + field.x), static_cast<i32>(end + field.x)});
      x = end;
    }
  }
  CellRuns all;
  all.offsets.push_back(0);
  for (const std::vector<Run>& own : of) {
    all.runs.insert(all.runs.end(), own.begin(), own.end());
    all.offsets.push_back(static_cast<i64>(all.runs.size()));
  }
  return all;
}

}  // namespace morpho::engine
