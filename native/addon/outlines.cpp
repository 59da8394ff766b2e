// Outlines of objects in JavaScript: runs in, flat rings out.
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

namespace morpho::addon {
namespace {

struct Outlines {
  std::vector<i32> xy, ring_offsets{0}, object_offsets{0};
  std::vector<u8> holes;
};

Outlines trace(const std::vector<Run>& runs, const std::vector<i32>& offsets, double simplify_px, const CancelFlag& cancel) {
  check_runs(runs, offsets);
  Outlines out;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    if ((k & 255) == 0 && cancel.load(std::memory_order_relaxed)) throw Cancelled{};
    const auto first = static_cast<std::size_t>(offsets[k]), last = static_cast<std::size_t>(offsets[k + 1]);
    if (first < last) {
      for (const Ring& ring : cpu::trace_outline(runs.data() + first, last - first, simplify_px)) {
        out.xy.insert(out.xy.end(), ring.xy.begin(), ring.xy.end());
        if (out.xy.size() > 0x7fffffff)
          throw Error(ErrorCode::out_of_memory,
                      "the outlines of these objects are too long for one call; ask for fewer objects at a time");
        out.ring_offsets.push_back(static_cast<i32>(out.xy.size() / 2));
        out.holes.push_back(ring.hole ? 1 : 0);
      }
    }
    out.object_offsets.push_back(static_cast<i32>(out.holes.size()));
  }
  return out;
}

Napi::Value ints_to_js(Napi::Env env, const std::vector<i32>& ints) {
  const auto* bytes = reinterpret_cast<const u8*>(ints.data());
  return pixels_to_js(env, PixelType::i32, std::vector<u8>(bytes, bytes + ints.size() * sizeof(i32)));
}

Napi::Value trace_outlines_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto given = std::make_shared<const GivenRuns>(get_runs(info[0], info[1]));
    const double simplify_px = get_number(info[2], "simplifyPx", 0, 1000);
    const CancelPtr cancel = get_cancel(info.Env(), info.Env().Undefined());
    return Work<Outlines>::start(
        info.Env(), cancel, [=] { return trace(given->runs, given->offsets, simplify_px, *cancel); },
        [](Napi::Env env, Outlines& out, Napi::Value) -> Napi::Value {
          Napi::Object o = Napi::Object::New(env);
          o.Set("xy", ints_to_js(env, out.xy));
          o.Set("ringOffsets", ints_to_js(env, out.ring_offsets));
          o.Set("holes", pixels_to_js(env, PixelType::u8, out.holes));
          o.Set("objectOffsets", ints_to_js(env, out.object_offsets));
          return o;
        });
  });
}

}  // namespace

void define_outlines(Napi::Env env, Napi::Object exports) {
  exports.Set("traceOutlines", Napi::Function::New(env, trace_outlines_call));
}

}  // namespace morpho::addon
