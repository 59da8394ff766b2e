// A run's objects as text in JavaScript: a table over its columns where they lie, and pieces of a file into a buffer.
#include <algorithm>
#include <memory>
#include <string_view>

#include "../contract/object_score.hpp"
#include "../export/format_objects.hpp"
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

namespace morpho::addon {
namespace {

using exports::ObjectTable;

/// What a JavaScript table is: the native one, and what keeps its memory. JavaScript does not change or transfer that
/// meanwhile.
struct HeldTable {
  std::unique_ptr<const ObjectTable> table;
  Napi::ObjectReference memory;
};
constexpr napi_type_tag kTableTag = {0x6d6f7270686f7363, 0x6f626a6563747462};

exports::Numbers numbers_of(const Napi::TypedArray& array) {
  switch (array.TypedArrayType()) {
    case napi_int16_array: return exports::Numbers::i16;
    case napi_uint16_array: return exports::Numbers::u16;
    case napi_int32_array: return exports::Numbers::i32;
    case napi_float64_array: return exports::Numbers::f64;
    default: return exports::Numbers::none;
  }
}

/// A typed array of `type` with `least` elements or more.
Napi::TypedArray get_array_of(Napi::Value value, napi_typedarray_type type, i64 least, const std::string& name) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type ||
      static_cast<i64>(value.As<Napi::TypedArray>().ElementLength()) < least)
    reject(name, "a typed array of " + std::to_string(least) + " elements or more of its type", describe(value));
  return value.As<Napi::TypedArray>();
}

const void* data_of(const Napi::TypedArray& array) {
  return static_cast<const u8*>(array.ArrayBuffer().Data()) + array.ByteOffset();
}

exports::Batch get_batch(Napi::Value value, const std::string& name) {
  const Napi::Object o = get_object(value, name);
  exports::Batch batch;
  batch.count = get_integer(o.Get("count"), name + ".count", 0, 1 << 30);
  const Napi::Array columns = get_array(o.Get("columns"), name + ".columns");
  if (columns.Length() < exports::kColumns || columns.Length() > exports::kColumns + exports::kMostChannelColumns)
    reject(name + ".columns",
           std::to_string(exports::kColumns) + " columns, and at most " + std::to_string(exports::kMostChannelColumns) +
               " of channels",
           std::to_string(columns.Length()));
  for (std::uint32_t i = exports::kColumns; i < columns.Length(); ++i) {
    const std::string at = name + ".columns[" + std::to_string(i) + "]";
    batch.channels.push_back(columns.Get(i).IsNull() ? nullptr
                                                     : static_cast<const double*>(data_of(
                                                           get_array_of(columns.Get(i), napi_float64_array, batch.count, at))));
  }
  for (std::uint32_t i = 0; i < exports::kColumns; ++i) {
    const Napi::Value column = columns.Get(i);
    const exports::Narrow& narrow = exports::narrow_column(static_cast<int>(i));
    const std::string at = name + ".columns[" + std::to_string(i) + "]";
    if (column.IsNull() && (narrow.optional || narrow.type == exports::Numbers::none)) continue;
    if (!column.IsTypedArray()) reject(at, "a typed array", describe(column));
    const auto array = column.As<Napi::TypedArray>();
    const exports::Numbers type = numbers_of(array);
    if (type == exports::Numbers::none || (type != narrow.type && type != exports::Numbers::f64) ||
        static_cast<i64>(array.ElementLength()) < batch.count)
      reject(at, "an element an object, as narrow as PACKED_COLUMNS says or doubles",
             std::to_string(array.ElementLength()) + " others");
    batch.columns[i] = {data_of(array), type};
  }
  batch.ends = static_cast<const std::uint32_t*>(
      data_of(get_array_of(o.Get("ends"), napi_uint32_array, batch.count, name + ".ends")));
  const Napi::TypedArray outlines = get_array_of(o.Get("outlines"), napi_uint8_array, 0, name + ".outlines");
  batch.outlines = static_cast<const u8*>(data_of(outlines));
  batch.outline_bytes = outlines.ByteLength();
  return batch;
}

Napi::Value object_table_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Env env = info.Env();
    const Napi::Array batches_js = get_array(info[0], "batches");
    const Napi::TypedArray ids_js = get_array_of(info[1], napi_uint32_array, 0, "ids");
    const i64 rows_per_batch = get_integer(info[2], "rowsPerBatch", 1, 1 << 30);
    std::vector<exports::Batch> batches;
    // What a batch's getters gave once is what is read: it is that which must stay.
    Napi::Array memory = Napi::Array::New(env);
    for (std::uint32_t i = 0; i < batches_js.Length(); ++i) {
      const Napi::Value batch = batches_js.Get(i);
      batches.push_back(get_batch(batch, "batches[" + std::to_string(i) + "]"));
      memory.Set(memory.Length(), batch);
    }
    memory.Set(memory.Length(), ids_js);
    const auto* ids = static_cast<const std::uint32_t*>(data_of(ids_js));
    const i64 count = static_cast<i64>(ids_js.ElementLength());
    const std::uint32_t* numbers = nullptr;
    const u8* classes = nullptr;
    const std::uint32_t* groups = nullptr;
    const double* extras = nullptr;
    i64 extra_columns = 0;
    if (info[3].IsObject()) {
      const Napi::Object marks = info[3].As<Napi::Object>();
      const Napi::TypedArray numbers_js = get_array_of(marks.Get("numbers"), napi_uint32_array, count, "marks.numbers");
      const Napi::TypedArray classes_js = get_array_of(marks.Get("classes"), napi_uint8_array, count, "marks.classes");
      memory.Set(memory.Length(), numbers_js);
      memory.Set(memory.Length(), classes_js);
      numbers = static_cast<const std::uint32_t*>(data_of(numbers_js));
      classes = static_cast<const u8*>(data_of(classes_js));
      if (is_given(marks.Get("groups"))) {
        const Napi::TypedArray groups_js = get_array_of(marks.Get("groups"), napi_uint32_array, count, "marks.groups");
        memory.Set(memory.Length(), groups_js);
        groups = static_cast<const std::uint32_t*>(data_of(groups_js));
      }
      if (is_given(marks.Get("extras"))) {
        const Napi::TypedArray extras_js = get_array_of(marks.Get("extras"), napi_float64_array, 0, "marks.extras");
        const i64 values = static_cast<i64>(extras_js.ElementLength());
        if (count == 0 ? values != 0 : values % count != 0)
          reject("marks.extras", "whole columns of " + std::to_string(count) + " numbers", std::to_string(values) + " numbers");
        memory.Set(memory.Length(), extras_js);
        extras = static_cast<const double*>(data_of(extras_js));
        extra_columns = count == 0 ? 0 : values / count;
      }
    }
    for (i64 i = 0; i < count; ++i) {
      const auto batch = static_cast<std::size_t>(ids[i] / rows_per_batch);
      if (batch >= batches.size() || ids[i] % rows_per_batch >= batches[batch].count)
        reject("ids", "ids of objects in the batches", std::to_string(ids[i]));
    }
    auto held = std::make_unique<HeldTable>();
    held->table = std::make_unique<ObjectTable>(std::move(batches), ids, count, rows_per_batch, numbers, classes, groups,
                                                extras, extra_columns);
    held->memory = Napi::Persistent(memory.As<Napi::Object>());
    auto external = Napi::External<HeldTable>::New(env, held.get(), [](Napi::Env, HeldTable* table) { delete table; });
    static_cast<void>(held.release());  // the external value has it now
    external.TypeTag(&kTableTag);
    return external;
  });
}

/// "channel1Mean" to the first of the channels' columns; -1: none of them.
int get_channel_field(const std::string& field) {
  constexpr std::string_view begin = "channel";
  std::size_t end = begin.size();
  int channel = 0;
  if (!field.starts_with(begin)) return -1;
  for (; end < field.size() && field[end] >= '0' && field[end] <= '9' && channel < 1000; ++end)
    channel = channel * 10 + (field[end] - '0');
  const auto& names = exports::kChannelFigureNames;
  const auto name = std::find(names.begin(), names.end(), field.substr(end));
  const int figures = static_cast<int>(names.size());
  if (channel < 1 || channel * figures > exports::kMostChannelColumns || name == names.end()) return -1;
  return exports::kFirstChannelField + (channel - 1) * figures + static_cast<int>(name - names.begin());
}

/// "extra1" to the first of a table's extra columns; -1: none of them.
int get_extra_field(const std::string& field) {
  constexpr std::string_view begin = "extra";
  if (!field.starts_with(begin) || field.size() == begin.size()) return -1;
  int number = 0;
  for (std::size_t at = begin.size(); at < field.size(); ++at) {
    if (field[at] < '0' || field[at] > '9' || number >= 100'000) return -1;
    number = number * 10 + (field[at] - '0');
  }
  return number < 1 ? -1 : exports::kFirstExtraField + number - 1;
}

exports::Measure get_measure(const Napi::Object& o, const std::string& name) {
  exports::Measure measure;
  const std::string field = get_string(o.Get("field"), name + ".field");
  std::size_t at = 0;
  while (at < exports::kFieldNames.size() && field != exports::kFieldNames[at]) ++at;
  const int channel = std::max(get_channel_field(field), get_extra_field(field));
  if (at == exports::kFieldNames.size() && channel < 0) reject(name + ".field", "a field of an object", field);
  measure.field = channel < 0 ? static_cast<exports::Field>(at) : static_cast<exports::Field>(channel);
  measure.factor = get_number(o.Get("factor"), name + ".factor", -1e300, 1e300);
  measure.times = static_cast<int>(get_integer(o.Get("times"), name + ".times", 0, 2));
  if (is_given(o.Get("offset"))) measure.offset = get_number(o.Get("offset"), name + ".offset", -1e9, 1e9);
  return measure;
}

exports::Either get_either(const Napi::Object& o, const std::string& name) {
  return {get_measure(get_object(o.Get("of"), name + ".of"), name + ".of"),
          get_number(o.Get("limit"), name + ".limit", -1e300, 1e300), get_string(o.Get("below"), name + ".below"),
          get_string(o.Get("above"), name + ".above")};
}

exports::ByClass get_by_class(Napi::Value value, const std::string& name) {
  const Napi::Array texts = get_array(value, name);
  exports::ByClass by_class;
  for (std::uint32_t i = 0; i < texts.Length(); ++i)
    by_class.push_back(get_string(texts.Get(i), name + "[" + std::to_string(i) + "]"));
  return by_class;
}

exports::CsvFormat get_csv(const Napi::Object& o) {
  exports::CsvFormat format;
  const Napi::Array cells = get_array(o.Get("cells"), "format.cells");
  for (std::uint32_t i = 0; i < cells.Length(); ++i) {
    const std::string name = "format.cells[" + std::to_string(i) + "]";
    const Napi::Object cell = get_object(cells.Get(i), name);
    const std::string source = get_string(cell.Get("source"), name + ".source");
    exports::CsvFormat::Cell to;
    if (source == "number") {
      to.source = exports::CsvFormat::Source::number;
    } else if (source == "uuid") {
      to.source = exports::CsvFormat::Source::uuid;
    } else if (source == "text") {
      to.text = get_string(cell.Get("text"), name + ".text");
    } else if (source == "value") {
      to.source = exports::CsvFormat::Source::value;
      to.value = get_measure(cell, name);
    } else if (source == "either") {
      to.source = exports::CsvFormat::Source::either;
      to.either = get_either(cell, name);
    } else if (source == "class") {
      to.source = exports::CsvFormat::Source::by_class;
      to.by_class = get_by_class(cell.Get("texts"), name + ".texts");
    } else if (source == "group") {
      to.source = exports::CsvFormat::Source::by_group;
      to.by_group = get_by_class(cell.Get("texts"), name + ".texts");
    } else {
      reject(name + ".source", "number, uuid, text, value, either, class or group", source);
    }
    format.cells.push_back(std::move(to));
  }
  return format;
}

void get_rings(const Napi::Object& o, exports::RingFormat& rings) {
  rings.scale = get_number(o.Get("scale"), "format.scale", 1e-9, 1e9);
  rings.simplify_px = get_number(o.Get("simplifyPx"), "format.simplifyPx", 0, 1000);
  if (!is_given(o.Get("origin"))) return;
  const Napi::Object origin = get_object(o.Get("origin"), "format.origin");
  rings.origin_x = static_cast<double>(get_integer(origin.Get("x"), "format.origin.x", -1'000'000'000, 1'000'000'000));
  rings.origin_y = static_cast<double>(get_integer(origin.Get("y"), "format.origin.y", -1'000'000'000, 1'000'000'000));
}

exports::GeoJsonFormat get_geojson(const Napi::Object& o) {
  exports::GeoJsonFormat format;
  get_rings(o, format);
  const Napi::Array entries = get_array(o.Get("measurements"), "format.measurements");
  for (std::uint32_t i = 0; i < entries.Length(); ++i) {
    const std::string name = "format.measurements[" + std::to_string(i) + "]";
    const Napi::Object entry = get_object(entries.Get(i), name);
    format.measurements.push_back({get_string(entry.Get("name"), name + ".name"), get_measure(entry, name)});
  }
  if (is_given(o.Get("metadata"))) format.metadata = get_by_class(o.Get("metadata"), "format.metadata");
  if (const Napi::Value given = o.Get("classification"); given.IsArray())
    format.classification = get_by_class(given, "format.classification");
  else if (!given.IsUndefined())
    format.classification = get_either(get_object(given, "format.classification"), "format.classification");
  return format;
}

exports::ColumnFormat get_columns(const Napi::Object& o) {
  exports::ColumnFormat format;
  get_rings(o, format);
  const Napi::Array values = get_array(o.Get("values"), "format.values");
  for (std::uint32_t i = 0; i < values.Length(); ++i) {
    const std::string name = "format.values[" + std::to_string(i) + "]";
    format.values.push_back(get_measure(get_object(values.Get(i), name), name));
  }
  if (is_given(o.Get("cells"))) format.cells = get_bool(o.Get("cells"), "format.cells");
  return format;
}

exports::ObjectFormat get_format(Napi::Value value) {
  const Napi::Object o = get_object(value, "format");
  exports::ObjectFormat format;
  format.uuid_prefix = get_string(o.Get("uuidPrefix"), "format.uuidPrefix");
  const std::string kind = get_string(o.Get("kind"), "format.kind");
  if (kind == "csv") {
    format.as = get_csv(o);
  } else if (kind == "geojson") {
    format.as = get_geojson(o);
  } else if (kind == "columns") {
    format.as = get_columns(o);
  } else {
    reject("format.kind", "csv, geojson or columns", kind);
  }
  return format;
}

Napi::Value format_objects_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Env env = info.Env();
    const Napi::Object request = get_object(info[0], "request");
    const ObjectTable& table = get_table(request.Get("table"));
    auto format = std::make_shared<const exports::ObjectFormat>(get_format(request.Get("format")));
    const i64 begin = get_integer(request.Get("begin"), "begin", 0, static_cast<double>(table.size()));
    const i64 end = get_integer(request.Get("end"), "end", static_cast<double>(begin), static_cast<double>(table.size()));
    const int threads = get_threads(request.Get("threads"));
    Napi::Uint8Array out = get_u8_array(request.Get("out"), "out");
    u8* data = out.Data();
    const i64 size = static_cast<i64>(out.ByteLength());
    const CancelPtr cancel = get_cancel(env, request.Get("cancelToken"));
    // What the worker reads and writes, whatever becomes of the request's own fields.
    Napi::Array kept = Napi::Array::New(env);
    kept.Set(0u, request.Get("table"));
    kept.Set(1u, out);
    return Work<exports::Formatted>::start(
        env, cancel,
        [=, &table] {
          Workspace workspace;
          const Context ctx{workspace, threads, cancel.get()};
          return exports::format_objects(ctx, table, begin, end, *format, data, size);
        },
        [](Napi::Env env, exports::Formatted& done, Napi::Value) -> Napi::Value {
          Napi::Object o = Napi::Object::New(env);
          o.Set("objects", Napi::Number::New(env, static_cast<double>(done.objects)));
          o.Set("bytes", Napi::Number::New(env, static_cast<double>(done.bytes)));
          return o;
        },
        kept);
  });
}

/// What index.ts holds against its own list: a text a column, "field storage unit base", as PACKED_COLUMNS in native/packed.ts
/// has them.
Napi::Array packed_columns(Napi::Env env) {
  constexpr const char* storages[] = {"null", "int16", "uint16", "int32", "float64"};
  Napi::Array columns = Napi::Array::New(env);
  for (std::uint32_t i = 0; i < exports::kColumns; ++i) {
    const exports::Narrow& narrow = exports::narrow_column(static_cast<int>(i));
    const auto steps = static_cast<i64>(1 / narrow.unit);
    const char* base = narrow.base < 0 ? "null" : exports::kFieldNames[static_cast<std::size_t>(narrow.base)];
    columns.Set(i, std::string(exports::kFieldNames[i]) + " " + storages[static_cast<int>(narrow.type)] + " 1/" +
                       std::to_string(steps) + " " + base);
  }
  return columns;
}

/// What scores are made of, as ScoreTable in native/score.ts has it.
Napi::Object score_table(Napi::Env env) {
  constexpr objects::ScoreTable made_of = objects::score_table();
  Napi::Array parts = Napi::Array::New(env);
  const auto add = [&](const char* of, const objects::ScoreRamp& ramp) {
    Napi::Object part = Napi::Object::New(env);
    part.Set("of", of);
    part.Set("none", ramp.none);
    part.Set("full", ramp.full);
    parts.Set(parts.Length(), part);
  };
  add("contrast", made_of.contrast);
  add("solidity", made_of.solidity);
  Napi::Object table = Napi::Object::New(env);
  table.Set("version", made_of.version);
  table.Set("parts", parts);
  return table;
}

}  // namespace

const ObjectTable& get_table(Napi::Value value) {
  if (!value.IsExternal() || !value.As<Napi::Object>().CheckTypeTag(&kTableTag))
    reject("table", "a table from objectTable", describe(value));
  return *value.As<Napi::External<HeldTable>>().Data()->table;
}

void define_exports(Napi::Env env, Napi::Object exports_) {
  exports_.Set("packedColumns", packed_columns(env));
  exports_.Set("scoreTable", score_table(env));
  exports_.Set("objectTable", Napi::Function::New(env, object_table_call));
  exports_.Set("formatObjects", Napi::Function::New(env, format_objects_call));
}

}  // namespace morpho::addon
