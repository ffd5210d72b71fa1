#pragma once
// A share of a capture's examples, from --part or from a cluster's environment (many-machines.md).
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace plastiscope {

// Part `index`, from 0, of `count`. Part 0 of 1 is the whole capture.
struct CapturePart {
  std::int64_t index = 0, count = 1;

  bool isWhole() const { return count == 1; }
  // The part has the examples [begin, end) of the whole.
  std::int64_t begin(std::int64_t examples) const { return index * examples / count; }
  std::int64_t end(std::int64_t examples) const { return (index + 1) * examples / count; }
  std::string text() const;                           // "1/4", as --part takes it
  static CapturePart parse(const std::string& text);  // UsageError
  bool operator==(const CapturePart&) const = default;
};

// "study.h5" -> "study.part-1-of-4.h5"
std::filesystem::path partFile(const std::filesystem::path& out, CapturePart part);

// The part that the cluster's environment variables give this process, or nothing if none are set. The task
// of an array job and the process of a launcher inside it multiply: array task 1 of 4 with processes 0 and 1
// of 2 gives parts 2 and 3 of 8. `variable` reads the environment (getenv; null: not set). UsageError for
// impossible values or launchers that disagree.
std::optional<CapturePart> clusterPart(const std::function<const char*(const char*)>& variable);

}  // namespace plastiscope
