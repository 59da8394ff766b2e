// Devices: their names, what is said where one is not there, and operations and recipes on memory that the host cannot reach.
#include <bit>
#include <cstring>

#include "engine/device/devices.hpp"
#include "engine/operation/op_call.hpp"
#include "../support/recipe_defaults.hpp"
#include "../support/remote_backend.hpp"
#include "../support/tissue.hpp"

namespace morpho::test {
namespace {

using namespace engine;

std::string message_of(const std::function<void()>& fn, ErrorCode code) {
  try {
    fn();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}
bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// ---------------------------------------------------------------- names

TEST(Devices, NamesSayWhichOneIsMeant) {
  EXPECT_FALSE(parse_device("cpu").gpu);
  EXPECT_TRUE(parse_device("gpu0").gpu);
  EXPECT_EQ(parse_device("gpu0").index, 0);
  EXPECT_EQ(parse_device("gpu12").index, 12);
  for (const char* bad : {"", "gpu", "gpu-1", "gpu01", "gpu1x", "gpu1000", "GPU0", "cuda:0", "cpu0", "gpu 0"}) {
    SCOPED_TRACE(bad);
    EXPECT_EQ(message_of([&] { parse_device(bad); }, ErrorCode::invalid_parameter),
              std::string("expected cpu, gpu0, gpu1, … for device but received \"") + bad + "\"");
  }
}

TEST(Devices, OneThatIsNotThereIsRefusedWithTheReasonAndWhatToDo) {
  const std::string none = message_of([] { find_gpu({{}, "a reason of CUDA's"}, 0); }, ErrorCode::gpu_unavailable);
  EXPECT_EQ(none,
            "gpu0 is not there: this program sees 0 GPUs, because a reason of CUDA's. Choose cpu; \"morphoscope devices\" "
            "lists what there is.");
  const gpu::DeviceList two{{{0, "First", 1, 9, 0, 1, 1}, {1, "Second", 1, 9, 0, 1, 1}}, ""};
  EXPECT_EQ(find_gpu(two, 1).name, "Second");
  EXPECT_EQ(message_of([&] { find_gpu(two, 2); }, ErrorCode::gpu_unavailable),
            "gpu2 is not there: this machine has gpu0 (First), gpu1 (Second). Choose one of these, or cpu.");
}

TEST(Devices, TheListGivesGpusOrAReason) {
  const gpu::DeviceList list = gpu::list_devices();
  EXPECT_EQ(list.devices.empty(), !list.reason.empty()) << list.reason;
  if (!gpu::built()) {
    EXPECT_TRUE(mentions(list.reason, "no GPU code: ")) << list.reason;
    EXPECT_TRUE(list.devices.empty());
  } else if (list.devices.empty()) {
    EXPECT_TRUE(mentions(list.reason, "cuda") || mentions(list.reason, "CUDA"))
        << list.reason;  // CUDA was asked: its own words
  }
}

TEST(Devices, OpeningOneThatIsNotThereSaysSoEveryTimeAndHoldsNothing) {
  OpenGpus all;
  const i32 beyond = static_cast<i32>(gpu::list_devices().devices.size());
  // More often than callers may use one at once: a refused caller must not count as one.
  for (i32 k = 0; k <= OpenGpus::kMostCallers; ++k) {
    EXPECT_TRUE(mentions(message_of([&] { OpenGpus::Lease lease(all, beyond, nullptr); }, ErrorCode::gpu_unavailable),
                         "gpu" + std::to_string(beyond) + " is not there"));
  }
}

// ---------------------------------------------------------------- operations by name

template <class T>
OwnedImage noise(const std::string& name, Extent e, i32 levels, std::mt19937& rng) {
  OwnedImage out{name, pixel_type_of<T>(), 1, e, {}};
  const auto v = random_image<T>(rng, e.width, e.height, levels).pixels();
  out.bytes.resize(v.size() * sizeof(T));
  if (!v.empty()) std::memcpy(out.bytes.data(), v.data(), out.bytes.size());
  return out;
}
OwnedImage input_of(const OpSlot& s, PixelType type, Extent e, std::mt19937& rng) {
  if (s.channels == 4) {
    OwnedImage out{s.name, PixelType::u8, 4, e, std::vector<u8>(4 * static_cast<std::size_t>(e.area()))};
    for (u8& v : out.bytes) v = static_cast<u8>(rng());
    return out;
  }
  if (type == PixelType::i32) return noise<i32>(s.name, e, 900, rng);
  return type == PixelType::u16 ? noise<u16>(s.name, e, 400, rng) : noise<u8>(s.name, e, 3, rng);
}

TEST(OpOnADevice, EveryOperationAndTypeGivesThePixelsOfTheCpu) {
  std::mt19937 rng(7);
  for (const Extent e : {Extent{37, 29}, Extent{1, 6}, Extent{0, 0}}) {
    for (const OpInfo& info : op_list()) {
      for (const PixelType type : info.inputs[0].types) {
        SCOPED_TRACE(testing::Message() << info.name << " " << pixel_type_name(type) << " " << e.width << "x" << e.height);
        std::vector<OwnedImage> inputs;
        std::size_t input_bytes = 0, output_bytes = 0;
        for (const OpSlot& s : info.inputs) {
          const bool has = std::find(s.types.begin(), s.types.end(), type) != s.types.end();
          inputs.push_back(input_of(s, has ? type : s.types[0], e, rng));
          input_bytes += inputs.back().bytes.size();
        }
        Params params;
        for (const OpParam& q : info.params) {
          if (q.required) params.set(q.name, q.fallback);
        }
        Workspace w;
        Context ctx = context(w);
        const OpResult expected = op_call(cpu::table(), ctx, info.name, inputs, params);
        EXPECT_EQ(expected.device, "cpu");
        ASSERT_EQ(expected.steps.size(), 1u);
        EXPECT_EQ(expected.steps[0], (std::pair<std::string, double>{"compute", expected.ms}));
        RemoteBackend backend;
        const OpResult got = op_call(backend, info.name, inputs, params);
        ASSERT_EQ(got.outputs.size(), expected.outputs.size());
        for (std::size_t i = 0; i < got.outputs.size(); ++i) {
          EXPECT_EQ(got.outputs[i].name, info.outputs[i].name);
          EXPECT_EQ(got.outputs[i].type, expected.outputs[i].type);
          EXPECT_EQ(got.outputs[i].extent, expected.outputs[i].extent);
          EXPECT_EQ(got.outputs[i].bytes, expected.outputs[i].bytes);
          output_bytes += got.outputs[i].bytes.size();
        }
        EXPECT_EQ(got.scalars, expected.scalars);
        EXPECT_EQ(got.device, "gpu7");
        EXPECT_EQ(got.variant, "auto");
        ASSERT_EQ(got.steps.size(), 3u);
        EXPECT_EQ(got.steps[0].first + " " + got.steps[1].first + " " + got.steps[2].first, "upload compute download");
        EXPECT_EQ(backend.uploaded, input_bytes);
        if (info.name != "histogram" && info.name != "max-tree") {
          EXPECT_EQ(backend.downloaded, output_bytes);
        }
      }
    }
  }
}

TEST(OpOnADevice, AVariantThatItLacksIsRefusedByNameAndWhatItHasIsNamed) {
  std::mt19937 rng(8);
  const OwnedImage f = noise<u8>("image", {9, 7}, 3, rng), marker = noise<u8>("marker", {9, 7}, 3, rng),
                   mask = noise<u8>("mask", {9, 7}, 3, rng);
  Workspace w;
  Context ctx = context(w);
  CpuBackend cpu(cpu::table(), ctx);
  RemoteBackend gpu;
  const auto refusal = [](Backend& backend, const std::string& op, const std::vector<OwnedImage>& inputs,
                          const std::string& variant) {
    Params p;
    p.set("variant", variant);
    return message_of([&] { op_call(backend, op, inputs, p); }, ErrorCode::invalid_parameter);
  };
  for (const std::string v : {"naive-queue", "prefix-queue", "parallel-heap"}) {
    EXPECT_EQ(refusal(cpu, "reconstruct", {marker, mask}, v),
              "expected auto, raster-sweeps, queue, fast-hybrid, downhill, priority-queue, tiled-fast-hybrid or "
              "parallel-fast-hybrid for variant of reconstruct on cpu but received \"" +
                  v + "\"");
  }
  for (const std::string v : {"queue", "downhill", "priority-queue", "tiled-fast-hybrid", "parallel-fast-hybrid"}) {
    EXPECT_EQ(refusal(gpu, "reconstruct", {marker, mask}, v),
              "expected auto, raster-sweeps, fast-hybrid, naive-queue, prefix-queue or parallel-heap for variant of "
              "reconstruct on gpu7 but received \"" +
                  v + "\"");
  }
  for (const std::string v : {"column-union-find", "border-trees"}) {
    EXPECT_EQ(refusal(cpu, "max-tree", {f}, v),
              "expected auto, union-find, flooding or tile-merge for variant of max-tree on cpu but received \"" + v + "\"");
  }
  EXPECT_EQ(refusal(gpu, "max-tree", {f}, "flooding"),
            "expected auto, union-find, tile-merge, column-union-find or border-trees for variant of max-tree on gpu7 but "
            "received \"flooding\"");
  EXPECT_EQ(gpu.uploaded, 0u);  // refused before anything moves
}

TEST(OpOnADevice, TheVariantThatWasAskedForIsReported) {
  std::mt19937 rng(9);
  RemoteBackend backend;
  Params p;
  p.set("variant", std::string("exact"));
  EXPECT_EQ(op_call(backend, "distance", {noise<u8>("image", {9, 7}, 3, rng)}, p).variant, "exact");
}

// ---------------------------------------------------------------- recipes

auto values_of(const ObjectMeasurement& m) {
  return std::make_tuple(m.label, m.first_x, m.first_y, m.min_x, m.min_y, m.max_x, m.max_y, m.area, m.perimeter, m.centroid_x,
                         m.centroid_y, m.major_axis, m.minor_axis, m.eccentricity, m.orientation, m.circularity, m.solidity,
                         m.stain_mean[0], m.stain_std[1], m.stain_max[2], std::bit_cast<u64>(m.contrast),
                         std::bit_cast<u64>(m.score));
}

TEST(RecipeOnADevice, EveryRecipeGivesTheObjectsAndPlanesOfTheCpu) {
  const Image<Rgba> image = tissue(330, 290);
  const Rect core{60, 40, 200, 190};
  for (const std::string id : {"he-nuclei", "ihc-nuclei", "iwpp-nuclei", "max-tree-nuclei", "cell-detection"}) {
    SCOPED_TRACE(id);
    const Params own = recipe_params(std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json", 0.5);
    Workspace w;
    Context ctx = context(w);
    const Params params = with_overview(cpu::table(), ctx, id, own, image.view());
    {
      RemoteBackend backend;
      const Params there = overview(backend, id, own, image.view());
      for (const auto& [name, value] : there.all()) EXPECT_EQ(value, params.all().at(name)) << name;
    }
    for (const bool planes : {true, false}) {
      const WindowOutput expected = run_alone(cpu::table(), ctx, id, params, image.view(), core, planes);
      RemoteBackend backend;
      const WindowOutput got = run_alone(backend, id, params, image.view(), core, planes);
      EXPECT_GT(expected.objects.objects.size(), 40u);
      ASSERT_EQ(got.objects.objects.size(), expected.objects.objects.size());
      for (std::size_t o = 0; o < got.objects.objects.size(); ++o)
        EXPECT_EQ(values_of(got.objects.objects[o]), values_of(expected.objects.objects[o]));
      EXPECT_EQ(got.objects.run_offsets, expected.objects.run_offsets);
      ASSERT_EQ(got.objects.runs.size(), expected.objects.runs.size());
      EXPECT_EQ(std::memcmp(got.objects.runs.data(), expected.objects.runs.data(),
                            expected.objects.runs.size() * sizeof(morpho::Run)),
                0);
      ASSERT_EQ(got.planes.size(), expected.planes.size());
      for (std::size_t i = 0; i < got.planes.size(); ++i) {
        EXPECT_EQ(got.planes[i].name, expected.planes[i].name);
        EXPECT_EQ(got.planes[i].bytes, expected.planes[i].bytes) << got.planes[i].name;
      }
      // Every stage by the device's name; then what moved.
      ASSERT_EQ(got.timings.size(), expected.timings.size() + 2);
      for (const StageTiming& t : got.timings) EXPECT_EQ(t.device, "gpu7") << t.stage;
      EXPECT_EQ(got.timings[got.timings.size() - 2].stage, "upload");
      EXPECT_EQ(got.timings.back().stage, "download");
      // Nothing waits between the stages or for their times: only planes to look at do, when they come down.
      if (!planes) {
        EXPECT_EQ(backend.waited, 0u);
      }
      // The stand-in's clock ticks at every mark: a stage is one tick without its copies (some recipes give
      // layers away in a stage: a tick more for each).
      for (std::size_t t = 0; t < expected.timings.size(); ++t) {
        EXPECT_EQ(got.timings[t].stage, expected.timings[t].stage);
        int layers = 0;
        if (planes && id == "max-tree-nuclei" && got.timings[t].stage == "objects") layers = 1;
        if (planes && id == "ihc-nuclei" && got.timings[t].stage == "candidates") layers = 3;
        EXPECT_EQ(got.timings[t].ms, 1 + layers) << got.timings[t].stage;
      }
      // The window goes up once, and no plane comes down or goes up again unless somebody wants to look at it.
      EXPECT_EQ(backend.uploaded, 4 * static_cast<std::size_t>(image.area()));
      if (!planes) {
        EXPECT_EQ(backend.downloaded, 0u);
      }
    }
  }
}

TEST(RecipeOnADevice, CancelledIsPassedOn) {
  const Image<Rgba> image = tissue(60, 50);
  CancelFlag stop{true};
  RemoteBackend backend(&stop);
  Params params = recipe_params(std::string(MORPHO_ASSETS) + "/recipes/he-nuclei.json", 0.5);
  params.set("overview.level", 40.0);
  EXPECT_THROW(run_alone(backend, "he-nuclei", params, image.view(), {0, 0, 60, 50}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
