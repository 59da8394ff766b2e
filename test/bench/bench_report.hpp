// Times an operation, holds its output against a reference, and prints what came out as a table or as JSON.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "bench_options.hpp"
#include "contract/context.hpp"

namespace bench {

/// One line of the table before it is timed.
struct Job {
  std::string op, variant, input;
  int connectivity = 0;        ///< 0: has none
  double bytes_per_pixel = 0;  ///< of all inputs and outputs, once each: what no implementation can save
  bool exact = true;           ///< false: the variant is an approximation by its definition
  bool setting = false;        ///< true: `variant` names a parameter, so that each has a result of its own
};

class Report {
 public:
  /// `list`: nothing is timed or printed; jobs() then has what would have been.
  explicit Report(Options o, bool list = false) : o_(std::move(o)), list_(list) {
    if (list_) return;
    for (int threads : o_.threads) bandwidth_[threads] = copy_bandwidth(threads);
    if (o_.json) {
      std::printf("{\"size\": %d, \"repeat\": %d, \"jitter\": %d, \"copy_gb_per_s\": {", o_.size, o_.repeat, o_.jitter);
      for (auto i = bandwidth_.begin(); i != bandwidth_.end(); ++i)
        std::printf("%s\"%d\": %.2f", i == bandwidth_.begin() ? "" : ", ", i->first, i->second);
      std::printf("}, \"results\": [");
      return;
    }
    for (const auto& [threads, gb] : bandwidth_)
      std::printf("copy of %zu MiB, %d thread%s: %.1f GB/s read and written\n", copy_mib(), threads, threads > 1 ? "s" : "",
                  gb);
    std::printf("%-18s %-14s %-12s %5s %2s %3s %4s %9s %9s %9s %9s %6s %6s %6s  %s\n", "op", "variant", "input", "size", "c",
                "thr", "runs", "ms", "Mpx/s", "cpu ms", "Mpx/cpus", "io B", "ws B", "of bw", "result");
  }
  bool wants(const std::string& op, const std::string& input) const {
    return (o_.only.empty() || op.starts_with(o_.only)) &&
           (o_.ops.empty() || std::find(o_.ops.begin(), o_.ops.end(), op) != o_.ops.end()) &&
           (o_.input.empty() || input == o_.input);
  }
  /// Whether --variant names it: what takes minutes is timed only then.
  bool names(const std::string& variant) const {
    return std::find(o_.variants.begin(), o_.variants.end(), variant) != o_.variants.end();
  }
  bool wants(int connectivity) const { return o_.connectivity == 0 || connectivity == o_.connectivity; }
  const std::vector<Job>& jobs() const { return jobs_; }
  /// Runs `work` repeat times for each thread count, after one run to warm up, or as often as fits in the budget: where two
  /// runs do not, the first is the only one and counts. `output` is what it wrote, to be held against the reference: the output
  /// of the first variant of the same operation on the same input.
  void time(const Job& job, const std::function<void(Context&)>& work, const std::function<std::vector<i32>()>& output) {
    const std::string key = job.op + job.input + std::to_string(job.connectivity) + (job.setting ? job.variant : "");
    if (!o_.variants.empty() && std::find(o_.variants.begin(), o_.variants.end(), job.variant) == o_.variants.end()) return;
    if (job.connectivity && !wants(job.connectivity)) return;
    jobs_.push_back(job);
    if (list_) return;
    for (int threads : o_.threads) {
      if (o_.json)
        std::fprintf(stderr, "%s %s on %s, %d px, c %d, %d thread%s\n", job.op.c_str(), job.variant.c_str(), job.input.c_str(),
                     o_.size, job.connectivity, threads, threads > 1 ? "s" : "");
      Workspace workspace;  // of this line alone, so that what the process holds more of afterwards is this line's
      Context ctx{workspace, threads, nullptr, nullptr};
      const double held = resident_bytes(true);
      std::vector<double> ms, cpu;  // cpu: of all threads together, which a busy machine stretches less
      double spent = 0;
      for (int i = 0; i < o_.repeat + 1; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const double cpu_start = cpu_ms();
        work(ctx);
        cpu.push_back(cpu_ms() - cpu_start);
        ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        spent += ms.back();
        if (spent + ms.back() > o_.budget_ms) break;
      }
      const int runs = static_cast<int>(ms.size() > 1 ? ms.size() - 1 : 1);
      const double pixels = static_cast<double>(o_.size) * o_.size,
                   grown = held < 0 ? -1 : (resident_bytes(false) - held) / pixels;
      const Timed timed{threads, runs, median(ms), median(cpu), static_cast<double>(workspace.peak_bytes()) / pixels, grown};
      print(job, timed, verdict(key, job.exact, output()));
    }
  }
  /// Prints the worst cases; 1 where a result was not what it should be.
  int finish() {
    if (list_) return 0;
    if (o_.json) {
      std::printf("]}\n");
      return failed_ ? 1 : 0;
    }
    bool title = false;
    for (const auto& [name, typical] : typical_) {
      const auto worst = worst_.find(name);
      if (worst == worst_.end() || typical <= 0) continue;
      if (!title) std::printf("\nworst case over tissue, one thread's CPU time (10 at most is wanted)\n");
      title = true;
      const double ratio = worst->second.first / typical;
      std::printf("%-40s %7.2f  %s%s\n", name.c_str(), ratio, worst->second.second.c_str(), ratio > 10 ? "  ABOVE 10" : "");
    }
    return failed_ ? 1 : 0;
  }

 private:
  struct Timed {
    int threads, runs;
    double ms, cpu;
    double workspace;  ///< bytes a pixel
    double grown;      ///< bytes a pixel that the whole process held more at its peak than before; below 0: not known here
  };
  /// What the process holds now (`restart`: and from here on its peak is counted anew), or the peak since then. -1 where not on
  /// Linux.
  static double resident_bytes(bool restart) {
    if (restart) {
      std::FILE* peaks = std::fopen("/proc/self/clear_refs", "w");
      if (!peaks) return -1;
      const bool done = std::fputs("5", peaks) >= 0;
      if (std::fclose(peaks) != 0 || !done) return -1;
    }
    double kib = -1;
    if (std::FILE* status = std::fopen("/proc/self/status", "r")) {
      char line[256];
      while (std::fgets(line, sizeof line, status)) {
        if (std::strncmp(line, "VmHWM:", 6) == 0) kib = std::atof(line + 6);
      }
      std::fclose(status);
    }
    return kib < 0 ? -1 : 1024 * kib;
  }
  static double cpu_ms() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
  }
  static double median(std::vector<double> v) {
    if (v.size() > 1) v.erase(v.begin());  // the first run also pays for memory
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  }
  /// Beyond every cache, unless a line has no time: what is so short is a trial of the program, and 128 MiB would be most of
  /// it.
  std::size_t copy_mib() const { return o_.budget_ms < 100 ? 8 : 128; }
  /// GB/s that memcpy reads and writes, the best of five (of one in a trial); not of --repeat, by which calls are counted apart
  /// (count_against.py).
  double copy_bandwidth(int threads) const {
    const std::size_t part = (copy_mib() << 20) / static_cast<std::size_t>(threads);
    std::vector<char> from(part * static_cast<std::size_t>(threads), 1), to(from.size(), 2);
    double best = 0;
    for (int i = 0; i < (o_.budget_ms < 100 ? 1 : 5); ++i) {
      const auto start = std::chrono::steady_clock::now();
      std::vector<std::thread> pool;
      for (int t = 0; t < threads; ++t) {
        pool.emplace_back(
            [&, at = part * static_cast<std::size_t>(t)] { std::memcpy(to.data() + at, from.data() + at, part); });
      }
      for (auto& t : pool) t.join();
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      best = std::max(best, 2e-9 * static_cast<double>(from.size()) / seconds);
    }
    return best;
  }
  void print(const Job& j, const Timed& t, const std::string& result) {
    const auto [threads, runs, ms, cpu, workspace, grown] = t;
    const double mpx = static_cast<double>(o_.size) * o_.size / 1e3,
                 share = j.bytes_per_pixel * mpx * 1e-3 / ms / bandwidth_[threads];
    if (o_.json) {
      std::printf(
          "%s\n{\"op\": \"%s\", \"variant\": \"%s\", \"input\": \"%s\", \"size\": %d, \"connectivity\": %d, \"threads\": %d, "
          "\"device\": \"cpu\", \"runs\": %d, "
          "\"ms\": %.3f, \"mpx_per_s\": %.2f, \"cpu_ms\": %.3f, \"bytes_per_pixel\": %.2f, \"workspace_bytes_per_pixel\": "
          "%.3f, \"process_bytes_per_pixel\": %.3f, "
          "\"bandwidth_share\": %.4f, \"result\": \"%s\"}",
          first_ ? "" : ",", j.op.c_str(), j.variant.c_str(), j.input.c_str(), o_.size, j.connectivity, threads, runs, ms,
          mpx / ms, cpu, j.bytes_per_pixel, workspace, grown, share, result.c_str());
    } else {
      std::printf("%-18s %-14s %-12s %5d %2d %3d %4d %9.2f %9.1f %9.2f %9.1f %6.1f %6.2f %5.1f%%  %s\n", j.op.c_str(),
                  j.variant.c_str(), j.input.c_str(), o_.size, j.connectivity, threads, runs, ms, mpx / ms, cpu, mpx / cpu,
                  j.bytes_per_pixel, workspace, 100 * share, result.c_str());
    }
    first_ = false;
    std::fflush(stdout);
    if (threads != 1) return;
    std::string name = j.op + " " + j.variant;
    if (j.connectivity) name.append(" ").append(std::to_string(j.connectivity));
    if (j.input == "tissue") typical_[name] = cpu;
    else if (auto& worst = worst_[name]; cpu > worst.first) worst = {cpu, j.input};
  }
  /// "exact", or by how much and where the output differs from the reference. Only the last key's reference is kept: variants
  /// follow one another.
  std::string verdict(const std::string& key, bool exact, std::vector<i32> output) {
    if (key != key_) {
      key_ = key;
      reference_ = std::move(output);
      return "reference";
    }
    i64 off = 0, most = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
      const i64 by = std::abs(static_cast<i64>(output[i]) - reference_[i]);
      off += by > 0;
      most = std::max(most, by);
    }
    if (off == 0) return "exact";
    failed_ = failed_ || exact;
    return std::string(exact ? "WRONG: " : "off: ") + std::to_string(off) + " pixels, by " + std::to_string(most) + " at most";
  }

  Options o_;
  bool list_ = false;
  std::vector<Job> jobs_;
  std::map<int, double> bandwidth_;
  std::string key_;
  std::vector<i32> reference_;
  std::map<std::string, double> typical_;
  std::map<std::string, std::pair<double, std::string>> worst_;
  bool failed_ = false, first_ = true;
};

}  // namespace bench
