#pragma once
// A share of a capture's examples, from --part or from a cluster's environment (many-machines.md).
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace plastiscope {

// Part `index`, from 0, of `count`. One part of one is the whole.
struct CapturePart {
  std::int64_t index = 0, count = 1;

  bool isWhole() const { return count == 1; }
  // Its examples are [begin, end) of all.
  std::int64_t begin(std::int64_t examples) const { return index * examples / count; }
  std::int64_t end(std::int64_t examples) const { return (index + 1) * examples / count; }
  std::string text() const;                           // "1/4", as --part takes it
  static CapturePart parse(const std::string& text);  // UsageError
  bool operator==(const CapturePart&) const = default;
};

// "study.h5" -> "study.part-1-of-4.h5"
std::filesystem::path partFile(const std::filesystem::path& out, CapturePart part);

// The share that a cluster gives this process; nothing where it says nothing. An array job and tasks started
// inside of one of its tasks multiply: task 1 of 4 with processes 0 and 1 of 2 gives the parts 2 and 3 of 8.
// `variable` is the environment (getenv; null: not set). UsageError for values that cannot be, or launchers
// that contradict each other.
std::optional<CapturePart> clusterPart(const std::function<const char*(const char*)>& variable);

}  // namespace plastiscope
