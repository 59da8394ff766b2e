// What is asked of a point or a field of a recipe, apart from its objects: why, cuts, the wand, the figures of given pixels;
// for JavaScript.
#include "engine/query/cell_measures.hpp"
#include "engine/query/channel_measures.hpp"
#include "engine/query/cuts.hpp"
#include "engine/query/explain.hpp"
#include "engine/query/measure_runs.hpp"
#include "engine/query/kept_plane.hpp"
#include "engine/query/wand.hpp"

#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"
#include "pack_measured.hpp"

namespace morpho::addon {
namespace {

struct Asked {
  engine::WindowJob job;
  i64 x = 0, y = 0;
};

Asked get_asked(Napi::Value value) {
  const Napi::Object o = get_object(value, "request");
  constexpr double most = 1 << 30;
  Asked asked;
  asked.job.slide = get_slide(o.Get("slide"), "slide");
  asked.job.scale = get_number(o.Get("scale"), "scale", engine::kFinestScale, engine::kCoarsestScale);
  asked.job.image = {static_cast<i32>(get_integer(o.Get("widthPx"), "widthPx", 1, most)),
                     static_cast<i32>(get_integer(o.Get("heightPx"), "heightPx", 1, most))};
  asked.x = get_integer(o.Get("x"), "x", 0, asked.job.image.width - 1);
  asked.y = get_integer(o.Get("y"), "y", 0, asked.job.image.height - 1);
  asked.job.plan = get_plan(o.Get("plan"));
  asked.job.ground = get_ground(o.Get("ground"));
  asked.job.threads = get_threads(o.Get("threads"));
  return asked;
}

Napi::Int32Array runs_to_js(Napi::Env env, const std::vector<Run>& runs) {
  Napi::Int32Array out = Napi::Int32Array::New(env, runs.size() * 3);
  std::size_t at = 0;
  for (const Run& r : runs)
    for (const i32 v : {r.y, r.x0, r.x1}) out[at++] = v;
  return out;
}

Napi::Value explanation_to_js(Napi::Env env, const engine::Explanation& e) {
  Napi::Object o = Napi::Object::New(env);
  o.Set("inside", Napi::Boolean::New(env, e.inside));
  o.Set("certain", Napi::Boolean::New(env, e.certain));
  o.Set("read", Napi::Boolean::New(env, e.read));
  Napi::Array values = Napi::Array::New(env);
  for (const engine::PixelValue& v : e.values) {
    Napi::Object each = Napi::Object::New(env);
    each.Set("plane", v.plane);
    each.Set("value", Napi::Number::New(env, v.value));
    each.Set("binary", Napi::Boolean::New(env, v.binary));
    values.Set(values.Length(), each);
  }
  o.Set("values", values);
  Napi::Array judgements = Napi::Array::New(env);
  for (const engine::Judgement& j : e.judgements) {
    Napi::Object each = Napi::Object::New(env);
    each.Set("what", engine::name_of(j.what));
    each.Set("param", j.param);
    each.Set("measured", j.measured ? Napi::Value(Napi::Number::New(env, *j.measured)) : env.Null());
    each.Set("kept", Napi::Boolean::New(env, j.kept));
    judgements.Set(judgements.Length(), each);
  }
  o.Set("judgements", judgements);
  o.Set("shape", runs_to_js(env, e.shape));
  o.Set("pixels", Napi::Number::New(env, static_cast<double>(e.pixels)));
  return o;
}

Napi::Value explain_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto asked = std::make_shared<const Asked>(get_asked(info[0]));
    const CancelPtr cancel = get_cancel(info.Env(), info[1]);
    auto resources = Instance::of(info.Env()).resources;
    return Work<engine::Explanation>::start(
        info.Env(), cancel, [=] { return engine::explain(asked->job, asked->x, asked->y, *resources, cancel.get()); },
        [](Napi::Env env, engine::Explanation& e, Napi::Value) { return explanation_to_js(env, e); });
  });
}

Napi::Value is_inside_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto asked = std::make_shared<const Asked>(get_asked(info[0]));
    const CancelPtr cancel = get_cancel(info.Env(), info[1]);
    auto resources = Instance::of(info.Env()).resources;
    return Work<engine::Inside>::start(
        info.Env(), cancel, [=] { return engine::is_inside(asked->job, asked->x, asked->y, *resources, cancel.get()); },
        [](Napi::Env env, engine::Inside& found, Napi::Value) -> Napi::Value {
          Napi::Object o = Napi::Object::New(env);
          o.Set("inside", Napi::Boolean::New(env, found.inside));
          o.Set("read", Napi::Boolean::New(env, found.read));
          return o;
        });
  });
}

/// A job for a field of the analysed image, whose halo is laid around it here, within the image.
std::shared_ptr<engine::WindowJob> get_field(const Napi::Object& o) {
  auto job = std::make_shared<engine::WindowJob>(get_asked(o).job);
  const Extent image = job->image;
  const double w = image.width, h = image.height;
  const Rect field{get_integer(o.Get("x"), "x", 0, w - 1), get_integer(o.Get("y"), "y", 0, h - 1),
                   get_integer(o.Get("fieldWidth"), "fieldWidth", 1, w),
                   get_integer(o.Get("fieldHeight"), "fieldHeight", 1, h)};
  if (field.x + field.width > image.width || field.y + field.height > image.height || field.width * field.height > (1 << 24))
    reject("the field", "one within the image, of at most 2^24 px",
           std::to_string(field.width) + "x" + std::to_string(field.height));
  const i64 halo = job->plan->halo;
  const i64 x0 = std::max<i64>(0, field.x - halo), y0 = std::max<i64>(0, field.y - halo);
  job->x = x0, job->y = y0;
  job->extent = {static_cast<i32>(std::min<i64>(image.width, field.x + field.width + halo) - x0),
                 static_cast<i32>(std::min<i64>(image.height, field.y + field.height + halo) - y0)};
  job->core = {field.x - x0, field.y - y0, field.width, field.height};
  return job;
}

Napi::Value cuts_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Object o = get_object(info[0], "request");
    const auto job = get_field(o);
    engine::CutSteps steps{get_string(o.Get("param"), "param"), get_number(o.Get("low"), "low", -1e9, 1e9),
                           get_number(o.Get("step"), "step", 1e-9, 1e9)};
    const CancelPtr cancel = get_cancel(info.Env(), info[1]);
    auto resources = Instance::of(info.Env()).resources;
    return Work<engine::Cuts>::start(
        info.Env(), cancel, [=] { return engine::cuts(*job, steps, *resources, cancel.get()); },
        [](Napi::Env env, engine::Cuts& found, Napi::Value) -> Napi::Value {
          if (found.steps.empty()) return env.Null();
          i64 unread = 0;
          for (const Run& r : found.unread) unread += r.x1 - r.x0;
          Napi::Object o = Napi::Object::New(env);
          o.Set("steps", pixels_to_js(env, PixelType::u8, found.steps));
          o.Set("unreadPx", Napi::Number::New(env, static_cast<double>(unread)));
          return o;
        });
  });
}

Napi::Value kept_plane_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Object o = get_object(info[0], "request");
    const auto job = get_field(o);
    const std::string name = get_string(o.Get("plane"), "plane");
    const CancelPtr cancel = get_cancel(info.Env(), info[1]);
    auto resources = Instance::of(info.Env()).resources;
    return Work<std::vector<engine::NamedPlane>>::start(
        info.Env(), cancel,
        [=] {
          auto plane = engine::kept_plane(*job, name, *resources, cancel.get());
          std::vector<engine::NamedPlane> planes;
          if (plane) planes.push_back(std::move(*plane));
          return planes;
        },
        [](Napi::Env env, std::vector<engine::NamedPlane>& planes, Napi::Value) -> Napi::Value {
          return planes.empty() ? env.Null() : planes_to_js(env, planes).Get(0u);
        });
  });
}

Napi::Value wand_to_js(Napi::Env env, const engine::WandResult& f) {
  Napi::Object o = Napi::Object::New(env);
  Napi::Array planes = Napi::Array::New(env);
  for (const std::string& p : f.planes) planes.Set(planes.Length(), p);
  o.Set("planes", planes);
  o.Set("plane", f.plane);
  const auto set = [&](const char* name, i64 value) { o.Set(name, Napi::Number::New(env, static_cast<double>(value))); };
  set("value", f.value), set("parentValue", f.parent_value), set("area", f.area);
  set("below", f.below), set("above", f.above), set("walked", f.walked);
  o.Set("cut", Napi::Boolean::New(env, f.cut));
  o.Set("unread", Napi::Boolean::New(env, f.unread));
  o.Set("built", Napi::Boolean::New(env, f.built));
  o.Set("shape", runs_to_js(env, f.shape));
  return o;
}

Napi::Value wand_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Object o = get_object(info[0], "request");
    const auto job = get_field(o);
    constexpr double most = 1 << 30;
    engine::WandAsk ask;
    ask.plane = get_string(o.Get("plane"), "plane");
    if (!o.Get("points").IsArray()) reject("points", "an array of x and y by turns", "something else");
    const Napi::Array points = o.Get("points").As<Napi::Array>();
    if (points.Length() % 2 != 0 || points.Length() > 2048)
      reject("points", "x and y by turns, of at most 1024 points", std::to_string(points.Length()) + " numbers");
    for (std::uint32_t k = 0; k < points.Length(); k += 2)
      ask.points.emplace_back(get_integer(points.Get(k), "points", 0, most), get_integer(points.Get(k + 1), "points", 0, most));
    ask.walk = static_cast<i32>(get_integer(o.Get("walk"), "walk", -most, most));
    ask.min_area = get_integer(o.Get("minArea"), "minArea", 1, most);
    ask.end_area = get_integer(o.Get("endArea"), "endArea", 1, most);
    const CancelPtr cancel = get_cancel(info.Env(), info[1]);
    auto resources = Instance::of(info.Env()).resources;
    return Work<engine::WandResult>::start(
        info.Env(), cancel, [=] { return engine::wand(*job, ask, *resources, cancel.get()); },
        [](Napi::Env env, engine::WandResult& f, Napi::Value) -> Napi::Value { return wand_to_js(env, f); });
  });
}

Napi::Value measure_runs_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Object o = get_object(info[0], "request");
    const auto job = get_field(o);
    auto given = std::make_shared<const GivenRuns>(get_runs(o.Get("runs"), o.Get("runOffsets")));
    const bool has_cells = is_given(o.Get("cellRuns"));
    auto cells = std::make_shared<const GivenRuns>(has_cells ? get_runs(o.Get("cellRuns"), o.Get("cellOffsets")) : GivenRuns{});
    const bool makes_cells = is_given(o.Get("neighbourRuns"));
    auto neighbours = std::make_shared<const GivenRuns>(
        makes_cells ? get_runs(o.Get("neighbourRuns"), o.Get("neighbourOffsets")) : GivenRuns{});
    const AskedCells asked = get_cells(o.Get("cells"));
    const CancelPtr cancel = get_cancel(info.Env(), info[1]);
    auto resources = Instance::of(info.Env()).resources;
    return Work<exports::PackedWindow>::start(
        info.Env(), cancel,
        [=] {
          check_runs(given->runs, given->offsets);
          exports::WindowPlace place;
          place.x = job->x + job->core.x, place.y = job->y + job->core.y;
          place.extent = {static_cast<i32>(job->core.width), static_cast<i32>(job->core.height)};
          place.image_width = job->image.width, place.image_height = job->image.height;
          const auto measured = engine::measure_runs(*job, given->runs, given->offsets, *resources, cancel.get());
          const engine::ChannelMeasures channels = engine::measure_channels(*job->slide, job->scale, place.x, place.y,
                                                                            measured.objects, cancel.get());
          if (!has_cells && !makes_cells)
            return exports::pack_window(measured.objects, place, false, {channels.columns, channels.values});
          const GivenRuns& more = makes_cells ? *neighbours : *cells;
          check_runs(more.runs, more.offsets);
          const engine::Cells found = makes_cells
                                          ? engine::measure_made_cells(*job, measured.objects, more.runs, more.offsets,
                                                                       asked.cells, asked.membrane, *resources, cancel.get())
                                          : engine::measure_given_cells(*job, measured.objects, more.runs, more.offsets,
                                                                        asked.cells.ring, asked.membrane, *resources,
                                                                        cancel.get());
          const std::vector<double> values = side_by_side(channels, found.figures, measured.objects.objects.size());
          return exports::pack_window(measured.objects, place, false,
                                      {channels.columns + found.figures.columns, values, found.runs.runs, found.runs.offsets});
        },
        [](Napi::Env env, exports::PackedWindow& packed, Napi::Value) -> Napi::Value {
          return tile_rows_to_js(env, packed.owned);
        });
  });
}

}  // namespace

void define_explain(Napi::Env env, Napi::Object exports) {
  exports.Set("explain", Napi::Function::New(env, explain_call));
  exports.Set("cuts", Napi::Function::New(env, cuts_call));
  exports.Set("keptPlane", Napi::Function::New(env, kept_plane_call));
  exports.Set("wand", Napi::Function::New(env, wand_call));
  exports.Set("measureRuns", Napi::Function::New(env, measure_runs_call));
  exports.Set("isInside", Napi::Function::New(env, is_inside_call));
}

}  // namespace morpho::addon
