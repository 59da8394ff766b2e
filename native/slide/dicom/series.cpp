// Looks at each file once: its header up to the series, and on where that is the same.
#include "series.hpp"

#include <algorithm>

namespace morpho::slide {
namespace {

constexpr std::size_t kMostBeside = 4096;

std::string utf8_of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return std::string(text.begin(), text.end());
}

/// Regular files in the folder of `path`, without itself, in the order of their names: those that end in .dcm where it does,
/// else those that do not, as archives give no extension, or a number.
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  const auto lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return c < 128 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c); });
    return text;
  };
  const auto is_named = [&](const std::filesystem::path& file) { return lower(utf8_of(file.extension())) == ".dcm"; };
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (files.size() >= kMostBeside) break;
    const auto& beside = entry->path();
    std::error_code ignored;
    if (beside.filename() == path.filename() || is_named(beside) != is_named(path)) continue;
    if (std::filesystem::symlink_status(beside, ignored).type() == std::filesystem::file_type::regular) files.push_back(beside);
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A drive may answer the second time.
std::unique_ptr<DicomInstance> read_twice(const std::string& path, const std::string& uid, std::string& problem) {
  auto instance = read_instance(path, uid, problem);
  if (problem.empty()) return instance;
  problem.clear();
  return read_instance(path, uid, problem);
}

}  // namespace

std::vector<std::unique_ptr<DicomInstance>> read_series(const std::string& path, std::string& problem,
                                                        std::vector<std::pair<std::string, std::string>>& broken) {
  std::vector<std::unique_ptr<DicomInstance>> series;
  auto first = read_twice(path, "", problem);
  if (!first) return series;
  const std::string uid = first->series;
  series.push_back(std::move(first));
  if (uid.empty() || !series.front()->is_slide()) return series;
  for (const auto& beside : files_beside(native_path(path))) {
    std::string wrong;
    auto other = read_twice(utf8_of(beside), uid, wrong);
    if (!wrong.empty()) broken.emplace_back(utf8_of(beside.filename()), wrong);
    if (other && other->is_slide()) series.push_back(std::move(other));
  }
  return series;
}

}  // namespace morpho::slide
