#include "core/capture/capture_part.h"

#include <array>

#include "core/base/error.h"
#include "core/base/parsed_number.h"

namespace plastiscope {

namespace {

using Environment = std::function<const char*(const char*)>;

constexpr std::int64_t kMaxParts = 1'000'000;
constexpr const char* kEscape = "; set the part with --part I/N, or take all texts with --part 0/1";

// The number, if the text has only digits.
std::optional<std::int64_t> wholeNumber(const std::string& text) {
  return text.starts_with('-') ? std::nullopt : parsedNumber<std::int64_t>(text);
}

// Value of a variable; "" if it is not set.
std::string valueOf(const Environment& variable, const char* name) {
  const char* value = variable(name);
  return value == nullptr ? "" : value;
}

std::int64_t variableAsInteger(const Environment& variable, const char* name) {
  const std::string value = valueOf(variable, name);
  const auto number = wholeNumber(value);
  if (!number)
    throw UsageError(std::string(name) + ": expected a whole number, found \"" + value + "\"" + kEscape);
  return *number;
}

// A part together with the names of the variables that gave it.
struct Share {
  CapturePart part;
  std::string names;  // "RANK and WORLD_SIZE"
};

void requirePart(const CapturePart& part, const std::string& index, const std::string& count) {
  if (part.count < 1 || part.count > kMaxParts) {
    throw UsageError(count + ": expected 1 to " + withCommas(kMaxParts) + ", found " +
                     std::to_string(part.count) + kEscape);
  }
  if (part.index >= part.count) {
    throw UsageError(index + ": expected 0 to " + std::to_string(part.count - 1) + " because " + count +
                     " is " + std::to_string(part.count) + ", found " + std::to_string(part.index) + kEscape);
  }
}

std::optional<Share> shareOf(const Environment& variable, const char* rank, const char* size) {
  const bool hasRank = !valueOf(variable, rank).empty(), hasSize = !valueOf(variable, size).empty();
  if (!hasRank && !hasSize) return {};
  if (hasRank != hasSize) {
    throw UsageError(std::string(hasRank ? rank : size) + " is set without " + (hasRank ? size : rank) +
                     kEscape);
  }
  const Share share{{variableAsInteger(variable, rank), variableAsInteger(variable, size)},
                    std::string(rank) + " and " + size};
  requirePart(share.part, rank, size);
  return share;
}

// Task of an array job, counted in steps of the array (as in --array=0-9:3).
std::optional<Share> arrayShare(const Environment& variable) {
  constexpr const char *kId = "SLURM_ARRAY_TASK_ID", *kCount = "SLURM_ARRAY_TASK_COUNT",
                       *kMin = "SLURM_ARRAY_TASK_MIN", *kStep = "SLURM_ARRAY_TASK_STEP";
  if (valueOf(variable, kId).empty()) return {};
  if (valueOf(variable, kCount).empty())
    throw UsageError(std::string(kId) + " is set without " + kCount + kEscape);
  const std::int64_t id = variableAsInteger(variable, kId), count = variableAsInteger(variable, kCount);
  const std::int64_t least = valueOf(variable, kMin).empty() ? 0 : variableAsInteger(variable, kMin);
  const std::int64_t step = valueOf(variable, kStep).empty() ? 1 : variableAsInteger(variable, kStep);
  if (id < least || step < 1 || (id - least) % step != 0) {
    throw UsageError(std::string(kId) + " " + std::to_string(id) + " is not a task of an array from " +
                     std::to_string(least) + " in steps of " + std::to_string(step) + kEscape);
  }
  const Share share{{(id - least) / step, count}, "an array job"};
  requirePart(share.part, std::string(kId) + " less " + kMin, kCount);
  return share;
}

// Process of a launcher: torchrun and compatible ones, or MPI.
std::optional<Share> launcherShare(const Environment& variable) {
  constexpr std::array<std::array<const char*, 2>, 3> kLaunchers = {
      {{"RANK", "WORLD_SIZE"}, {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}}};
  std::optional<Share> found;
  for (const auto& [rank, size] : kLaunchers) {
    const std::optional<Share> share = shareOf(variable, rank, size);
    if (!share) continue;
    if (found && found->part != share->part) {
      throw UsageError(found->names + " give part " + found->part.text() + ", " + share->names + " give " +
                       share->part.text() + kEscape);
    }
    if (!found) found = share;
  }
  return found;
}

// Task of srun, if it started several: srun also starts single shells. SLURM_PROCID and SLURM_NTASKS are also
// set in a batch script, but there no step is.
std::optional<Share> stepShare(const Environment& variable) {
  constexpr const char *kRank = "SLURM_PROCID", *kStepTasks = "SLURM_STEP_NUM_TASKS",
                       *kTasks = "SLURM_NTASKS";
  const bool inStep =
      !valueOf(variable, "SLURM_STEP_ID").empty() || !valueOf(variable, "SLURM_STEPID").empty();
  const char* const size = !valueOf(variable, kStepTasks).empty() ? kStepTasks : inStep ? kTasks : nullptr;
  if (size == nullptr || valueOf(variable, size).empty() || variableAsInteger(variable, size) <= 1) return {};
  return shareOf(variable, kRank, size);
}

}  // namespace

std::string CapturePart::text() const {
  return std::to_string(index) + "/" + std::to_string(count);
}

CapturePart CapturePart::parse(const std::string& text) {
  const auto slash = text.find('/');
  const auto index = wholeNumber(text.substr(0, slash)),
             count = wholeNumber(slash == std::string::npos ? "" : text.substr(slash + 1));
  if (!index || !count || *count < 1 || *count > kMaxParts || *index >= *count) {
    throw UsageError("--part: expected I/N with N parts, at most " + withCommas(kMaxParts) +
                     ", and I from 0 to N - 1, found \"" + text + "\"");
  }
  return {*index, *count};
}

std::filesystem::path partFile(const std::filesystem::path& out, CapturePart part) {
  std::filesystem::path file = out;
  file.replace_extension();
  file += ".part-" + std::to_string(part.index) + "-of-" + std::to_string(part.count);
  file += out.extension();
  return file;
}

std::optional<CapturePart> clusterPart(const Environment& variable) {
  const std::optional<Share> array = arrayShare(variable);
  std::optional<Share> inner = launcherShare(variable);
  if (!inner) inner = stepShare(variable);
  if (!array || !inner)
    return array ? std::optional(array->part) : inner ? std::optional(inner->part) : std::nullopt;
  const CapturePart whole{array->part.index * inner->part.count + inner->part.index,
                          array->part.count * inner->part.count};
  requirePart(whole, "this process", "processes in all tasks of the array");
  return whole;
}

}  // namespace plastiscope
