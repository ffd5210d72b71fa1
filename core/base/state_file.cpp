#include "core/base/state_file.h"

#include <algorithm>
#include <optional>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/state_document.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr std::size_t kLargestFile = std::size_t{16} << 20;

fs::path withSuffix(const fs::path& file, const std::string& suffix) {
  fs::path result = file;
  result += suffix;
  return result;
}

// The first free name of FILE.damaged, FILE.damaged-2, ...
fs::path freeDamagedName(const fs::path& file) {
  fs::path name = withSuffix(file, ".damaged");
  for (int i = 2; fs::exists(name); ++i) name = withSuffix(file, ".damaged-" + std::to_string(i));
  return name;
}

void note(std::string* problem, const std::string& sentence) {
  if (problem) *problem = sentence;
}

}  // namespace

StateFile::StateFile(fs::path file, std::string format, int version, Copies copies)
    : m_file(std::move(file)), m_format(std::move(format)), m_version(version), m_copies(copies) {}

StateFile::Condition StateFile::load(const fs::path& file, Json& content, std::string* problem) const {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return Condition::Missing;
  try {
    const Json root = readJsonFile(file, kLargestFile);
    if (!root.is_object() || root.value("format", "") != m_format || !root.contains("version") ||
        !root["version"].is_number_integer()) {
      note(problem, pathText(file) + ": not a " + m_format + " file");
      return Condition::Damaged;
    }
    if (root["version"].get<std::int64_t>() > m_version) {
      note(problem, pathText(file) + ": written by a newer version of Plastiscope; the file was not changed");
      return Condition::Newer;
    }
    if (!root.contains("content") || !root.contains("crc32") || !root["crc32"].is_number_unsigned() ||
        root["crc32"].get<std::uint64_t>() != stateCheckSum(root["content"])) {
      note(problem, pathText(file) + ": the check sum does not agree with the content");
      return Condition::Damaged;
    }
    content = root["content"];
    return Condition::Good;
  } catch (const std::exception&) {
    note(problem, caughtFailure().sentence);
    return Condition::Damaged;
  }
}

Json StateFile::read(std::string* problem) const {
  Json content;
  const Condition condition = load(m_file, content, problem);
  if (condition == Condition::Good || condition == Condition::Newer) return content;
  load(withSuffix(m_file, ".previous"), content, nullptr);
  return content;
}

Json StateFile::require() const {
  Json content;
  std::string problem;
  if (load(m_file, content, &problem) == Condition::Good) return content;
  if (problem.empty()) throw InputError({m_file, "", "", "there is no such file"});
  throw InputError(problem);
}

bool StateFile::isOfNewerVersion() const {
  Json ignored;
  return load(m_file, ignored, nullptr) == Condition::Newer;
}

void StateFile::write(const Json& content) {
  Json old;
  const Condition condition = load(m_file, old, nullptr);
  if (condition == Condition::Newer || (condition == Condition::Good && old == content)) return;
  requireWritableFolderOf(m_file);
  std::error_code ignored;
  if (condition == Condition::Damaged) fs::rename(m_file, freeDamagedName(m_file), ignored);
  if (condition == Condition::Good && m_copies == Copies::KeepPrevious)
    fs::rename(m_file, withSuffix(m_file, ".previous"), ignored);
  writeFileAtomically(m_file, stateDocument(m_format, m_version, content));
}

namespace {

std::optional<InputFile> openIfRegular(const fs::path& file) {
  try {
    return InputFile(file);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

std::string stateFormatOf(const fs::path& file) {
  constexpr std::uint64_t kEnd = 512;  // files of older versions have the format at their end
  const std::string key = "\"format\"", begin = "\"plastiscope-";
  const std::optional<InputFile> input = openIfRegular(file);
  if (!input) return {};
  const std::uint64_t size = input->size();
  for (const std::uint64_t from : {std::uint64_t{0}, size - std::min(size, kEnd)}) {
    std::string part(static_cast<std::size_t>(std::min(size - from, kEnd)), '\0');
    if (part.empty() || input->read(from, std::as_writable_bytes(std::span(part))) < part.size()) return {};
    if (from == 0 && part[0] != '{') return {};
    const auto named = part.find(key);
    const auto value = named == std::string::npos ? named : part.find('"', named + key.size());
    if (value == std::string::npos || part.compare(value, begin.size(), begin) != 0) continue;
    const auto end = part.find('"', value + 1);
    if (end != std::string::npos) return part.substr(value + 1, end - value - 1);
  }
  return {};
}

}  // namespace plastiscope
