// Painting object ids in JavaScript: runs, or objects of a table, in; a window of ids out.
#include <algorithm>
#include <cstring>
#include <variant>

#include "engine/query/paint_runs.hpp"
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

namespace morpho::addon {
namespace {

using Window = std::variant<engine::CoveredWindow, engine::SampledWindow>;

struct Job {
  std::vector<Run> runs;
  std::vector<i32> offsets, ids;
  Window window;
  i64 width = 0, height = 0;
  CancelPtr cancel;
};

/// Everything that painting relies on, checked here once.
void check_offsets(const Job& job) {
  if (job.offsets.size() != job.ids.size() + 1 || job.offsets.front() != 0 ||
      job.offsets.back() != static_cast<i32>(job.runs.size()))
    reject("runOffsets", "one offset more than ids, from 0 to the number of runs",
           std::to_string(job.offsets.size()) + " offsets");
  for (std::size_t k = 0; k + 1 < job.offsets.size(); ++k)
    if (job.offsets[k] > job.offsets[k + 1])
      reject("runOffsets", "ascending offsets", "a descent at entry " + std::to_string(k + 1));
}

std::vector<i32> ascending(Napi::Value value, const std::string& name) {
  const Napi::Int32Array given = get_i32_array(value, name);
  std::vector<i32> result(given.Data(), given.Data() + given.ElementLength());
  for (std::size_t i = 1; i < result.size(); ++i)
    if (result[i - 1] > result[i]) reject(name, "ascending numbers", "a descent at entry " + std::to_string(i));
  if (result.empty() || result.size() > 16384) reject(name, "1 to 16384 numbers", std::to_string(result.size()));
  return result;
}

Window get_window(Napi::Value value, Job& job) {
  if (!value.IsObject()) reject("window", "an object", describe(value));
  const auto o = value.As<Napi::Object>();
  if (o.Has("xs")) {
    engine::SampledWindow window{ascending(o.Get("xs"), "xs"), ascending(o.Get("ys"), "ys")};
    job.width = static_cast<i64>(window.xs.size());
    job.height = static_cast<i64>(window.ys.size());
    return window;
  }
  constexpr double far = 1LL << 40;
  engine::CoveredWindow window;
  window.left = get_integer(o.Get("left"), "left", -far, far);
  window.top = get_integer(o.Get("top"), "top", -far, far);
  window.level = static_cast<int>(get_integer(o.Get("level"), "level", 0, 40));
  window.width = static_cast<i32>(job.width = get_integer(o.Get("width"), "width", 1, 16384));
  window.height = static_cast<i32>(job.height = get_integer(o.Get("height"), "height", 1, 16384));
  return window;
}

std::vector<u8> paint(const Job& job) {
  check_offsets(job);
  std::vector<u8> bytes(static_cast<std::size_t>(job.width * job.height) * sizeof(i32));
  auto* out = reinterpret_cast<i32*>(bytes.data());
  for (std::size_t k = 0; k < job.ids.size(); ++k) {
    if ((k & 255) == 0 && job.cancel->load(std::memory_order_relaxed)) throw Cancelled{};
    const auto first = static_cast<std::size_t>(job.offsets[k]), count = static_cast<std::size_t>(job.offsets[k + 1]) - first;
    std::visit([&](const auto& window) { engine::paint_runs(job.runs.data() + first, count, job.ids[k], window, out); },
               job.window);
  }
  return bytes;
}

Napi::Value paint_ids_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Int32Array runs = get_i32_array(info[0], "runs"), offsets = get_i32_array(info[1], "runOffsets"),
                           ids = get_i32_array(info[2], "ids");
    if (runs.ElementLength() % 3 != 0) reject("runs", "triples (y, x0, x1)", std::to_string(runs.ElementLength()) + " numbers");
    auto job = std::make_shared<Job>();
    job->runs.resize(runs.ElementLength() / 3);
    if (!job->runs.empty()) std::memcpy(job->runs.data(), runs.Data(), job->runs.size() * sizeof(Run));
    job->offsets.assign(offsets.Data(), offsets.Data() + offsets.ElementLength());
    job->ids.assign(ids.Data(), ids.Data() + ids.ElementLength());
    job->window = get_window(info[3], *job);
    job->cancel = get_cancel(info.Env(), info[4]);
    return Work<std::vector<u8>>::start(
        info.Env(), job->cancel, [job] { return paint(*job); },
        [](Napi::Env env, std::vector<u8>& bytes, Napi::Value) -> Napi::Value {
          return pixels_to_js(env, PixelType::i32, bytes);
        });
  });
}

/// What a table calls its objects are their ids. Written where they are wanted, rows as far apart as those of a tile: what lies
/// beyond the window stays.
Napi::Value paint_tile_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const exports::ObjectTable& table = get_table(info[0]);
    auto job = std::make_shared<Job>();
    job->window = get_window(info[1], *job);
    Napi::Int32Array tile = get_i32_array(info[2], "tile");
    const i64 stride = get_integer(info[3], "stride", static_cast<double>(job->width), 16384);
    if (static_cast<i64>(tile.ElementLength()) < stride * job->height)
      reject("tile", std::to_string(stride * job->height) + " numbers or more", std::to_string(tile.ElementLength()));
    const bool of_cells = get_bool(info[4], "ofCells");
    job->cancel = get_cancel(info.Env(), info[5]);
    Napi::Array kept = Napi::Array::New(info.Env());
    kept.Set(0u, info[0]);
    kept.Set(1u, tile);
    i32* const out = tile.Data();
    return Work<bool>::start(
        info.Env(), job->cancel,
        [job, &table, out, stride, of_cells] {
          std::vector<i32> own(stride == job->width ? 0 : static_cast<std::size_t>(job->width * job->height));
          i32* const to = own.empty() ? out : own.data();
          for (i64 k = 0; k < table.size(); ++k) {
            if ((k & 255) == 0 && job->cancel->load(std::memory_order_relaxed)) throw Cancelled{};
            const exports::ObjectTable::Object object = table.at(k);
            of_cells ? object.cell_runs(job->runs) : object.runs(job->runs);
            std::visit(
                [&](const auto& w) {
                  engine::paint_runs(job->runs.data(), job->runs.size(), static_cast<i32>(table.number(k)), w, to);
                },
                job->window);
          }
          bool any = false;
          for (i64 y = 0; y < job->height; ++y) {
            const i32* row = to + y * job->width;
            any = any || std::any_of(row, row + job->width, [](i32 id) { return id != 0; });
            if (to == out) continue;
            for (i64 x = 0; x < job->width; ++x)
              if (row[x] != 0) out[y * stride + x] = row[x];
          }
          return any;
        },
        [](Napi::Env env, bool& any, Napi::Value) -> Napi::Value { return Napi::Boolean::New(env, any); }, kept);
  });
}

}  // namespace

void define_paint(Napi::Env env, Napi::Object exports) {
  exports.Set("paintIds", Napi::Function::New(env, paint_ids_call));
  exports.Set("paintTile", Napi::Function::New(env, paint_tile_call));
}

}  // namespace morpho::addon
