// What GPUs of other kinds allow, and what several callers wait for.
#include <thread>

#include "cases.hpp"
#include "engine/device/devices.hpp"
#include "faults.hpp"

namespace morpho::test {

namespace {

/// Kernels whose shared memory is chosen when they are launched, on every kind of GPU: what one has no room for goes another
/// way.
void compare_shared_memory(Rig& rig) {
  if (!faults::possible()) return;
  const Extent e{140, 70};
  for (const int architecture : {75, 80, 86, 89, 90}) {
    faults::set_architecture(architecture);
    const std::string on = "sm_" + std::to_string(architecture);
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
      const Picture grey = as_type(blobs(e, 3), type, 200), wide(PixelType::i32, e);
      const std::string name = on + " " + pixel_type_name(type);
      for (const Connectivity c : kBoth) {
        rig.compare("shared memory: max_tree", name + c_text(c), {grey}, {wide, wide},
                    [c](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                      t.max_tree(ctx, in[0], out[0], out[1], {c, false, MaxTreeVariant::automatic});
                    });
        rig.compare("shared memory: area_open", name + c_text(c), {grey}, {Picture(type, e)},
                    [c](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                      t.area_open(ctx, in[0], out[0], {40, c, false});
                    });
      }
      // The largest disk that one tile holds is 120 px on sm_90, and far smaller ones elsewhere.
      for (const i32 radius : {9, 31, 58, 76, 121}) {
        rig.compare("shared memory: disks", name + " r=" + std::to_string(radius), {grey}, {Picture(type, e)},
                    [radius](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                      t.morphology(ctx, in[0], out[0], {Morphology::erode, Shape::disk, radius});
                    });
      }
    }
  }
  faults::set_architecture(90);
}

/// What only some parameters and sizes lead to, small: so that few comparisons launch every kernel.
void compare_seldom(Rig& rig) {
  const Extent e{64, 40};
  const Picture grey = blobs(e, 3), wide(PixelType::i32, e);
  rig.compare("seldom: median", "r=5", {grey}, {Picture(PixelType::u8, e)},
              [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) { t.median(ctx, in[0], out[0], {5}); });
  rig.compare("seldom: attribute_filter", "rule max", {grey}, {Picture(PixelType::u8, e), wide, wide},
              [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
                const Workspace::Scope scope(ctx.workspace);
                const Plane node(ctx.workspace.take<i32>(static_cast<std::size_t>(in[0].extent.area())), PixelType::i32,
                                 in[0].extent);
                NodeTable nodes = take_node_table(ctx.workspace, in[0].extent);
                t.max_tree(ctx, in[0], out[1], out[2], {});
                t.max_tree_nodes(ctx, in[0], out[1], out[2], node, nodes);
                t.attribute_filter(ctx, node, nodes, out[0], {Attribute::elongation, FilterRule::max, 0.4, false});
                add(extra, nodes.count);
              });
  // Higher than one thread measures.
  const Extent tall{9, 300};
  compare_measure(rig, {"tall objects", make(PixelType::u8, tall, [](i32 x, i32 y) { return (x + y / 40) % 5 < 3 ? 255 : 0; })},
                  color_picture(tall, 3));
}

/// As many callers as a GPU takes, and one more.
void compare_waiting(Rig& rig) {
  rig.judge("leases: waiting", "is given up when it is cancelled", [&]() -> std::string {
    engine::OpenGpus gpus;
    std::vector<std::unique_ptr<engine::OpenGpus::Lease>> all;
    for (i32 k = 0; k < engine::OpenGpus::kMostCallers; ++k)
      all.push_back(std::make_unique<engine::OpenGpus::Lease>(gpus, 0, nullptr));
    CancelFlag cancel{false};
    std::string end = "nothing";
    std::thread waits([&] {
      try {
        engine::OpenGpus::Lease late(gpus, 0, &cancel);
        end = "a lease";
      } catch (const Cancelled&) {
        end = "cancelled";
      } catch (const Error& e) {
        end = e.what();
      }
    });
    std::this_thread::sleep_for(
        std::chrono::milliseconds(30));  // by then it waits; where it does not yet, it finds the flag set
    cancel = true;
    waits.join();
    if (end != "cancelled") return "its ending (" + end + ")";
    all.pop_back();
    // The one that gave up holds no place.
    engine::OpenGpus::Lease next(gpus, 0, nullptr);
    return "";
  });
  if (!faults::possible()) return;
  rig.judge("leases: opening", "keeps nobody else waiting", [&]() -> std::string {
    faults::reset();
    engine::OpenGpus gpus;
    auto held = std::make_unique<engine::OpenGpus::Lease>(gpus, 0, nullptr);
    faults::hold(faults::Call::make);
    std::thread opens([&] { engine::OpenGpus::Lease slow(gpus, 0, nullptr); });
    while (faults::held() == 0) std::this_thread::yield();
    // Its streams are being made; others come and go.
    held.reset();
    { engine::OpenGpus::Lease quick(gpus, 0, nullptr); }
    const bool waits = faults::held() == 1;
    faults::reset();
    opens.join();
    return waits ? "" : "that the first one was still opening";
  });
}

/// What a GPU's workspace holds follows what is asked of it.
void compare_held(Rig& rig) {
  rig.judge("memory: held", "a growing sequence", [&]() -> std::string {
    gpu::Device device;
    Context ctx = device.context();
    for (std::size_t mib = 1; mib <= 40; ++mib) {
      const Workspace::Scope scope(ctx.workspace);
      ctx.workspace.take<u8>(mib << 20);
      if (ctx.workspace.held_bytes() > (mib + 1) << 20)
        return "what is held for " + std::to_string(mib) + " MiB (" + std::to_string(ctx.workspace.held_bytes()) + ")";
    }
    for (int k = 0; k < 40; ++k) {
      const Workspace::Scope scope(ctx.workspace);
      ctx.workspace.take<u8>(1000);
    }
    return ctx.workspace.held_bytes() <= std::size_t{1} << 20
               ? ""
               : "what is held in the end (" + std::to_string(ctx.workspace.held_bytes()) + ")";
  });
}

/// One thread that goes back and forth between two GPUs: each context finds its own, whichever was used last.
void compare_two_gpus(Rig& rig) {
  faults::set_devices(2);
  if (gpu::device_count() >= 2) {
    rig.judge("callers: one thread, two GPUs", "in turns", [&]() -> std::string {
      const Extent e{300, 200};
      Picture grey = blobs(e, 3), want(PixelType::i32, e);
      const std::size_t bytes = static_cast<std::size_t>(e.area());
      Workspace w;
      Context on_cpu{w, 1, nullptr, nullptr};
      cpu::table().label(on_cpu, grey.plane(), want.plane(), {});
      const std::size_t before[2] = {faults::used_bytes_of(0), faults::used_bytes_of(1)};
      gpu::Device devices[2] = {gpu::Device(0), gpu::Device(1)};
      Context contexts[2] = {devices[0].context(), devices[1].context()};
      std::vector<i32> got[2] = {std::vector<i32>(bytes), std::vector<i32>(bytes)};
      for (int round = 0; round < 4; ++round) {
        for (Context& ctx : contexts) {
          const int k = static_cast<int>(&ctx - contexts);
          const Workspace::Scope scope(ctx.workspace);
          // Taken of both before either is used, and more each time.
          u8* d_in = ctx.workspace.take<u8>(bytes << round);
          const Workspace::Scope other(contexts[1 - k].workspace);
          contexts[1 - k].workspace.take<u8>(bytes << round);
          i32* d_out = ctx.workspace.take<i32>(bytes);
          devices[k].upload(d_in, grey.bytes.data(), bytes);
          devices[1 - k].synchronize();
          gpu::table().label(ctx, Plane(d_in, PixelType::u8, e), Plane(d_out, PixelType::i32, e), {});
          devices[1 - k].synchronize();
          devices[k].download(got[k].data(), d_out, bytes * sizeof(i32));
          if (std::memcmp(got[k].data(), want.bytes.data(), bytes * sizeof(i32)) != 0)
            return "labels of GPU " + std::to_string(k);
        }
      }
      for (int k = 0; k < 2 && faults::possible(); ++k) {
        const std::size_t holds = faults::used_bytes_of(k) - before[k];
        if (holds != devices[k].workspace().held_bytes())
          return "the memory of GPU " + std::to_string(k) + " (" + std::to_string(holds) + " bytes)";
      }
      return "";
    });
  }
  faults::set_devices(1);
}

}  // namespace

void compare_limits(Rig& rig) {
  compare_seldom(rig);
  compare_shared_memory(rig);
  compare_waiting(rig);
  compare_held(rig);
  compare_two_gpus(rig);
}

}  // namespace morpho::test
