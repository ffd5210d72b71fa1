#include "core/store/work_folder.h"

#include <algorithm>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/capture_parts.h"
#include "core/store/file_signature.h"
#include "core/store/parked_group.h"
#include "core/store/schema.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr const char* kRequestFile = "request.json";
constexpr std::size_t kLargestRequest = std::size_t{16} << 20;
constexpr const char* kPartial = ".partial";
constexpr const char* kManifestFile = "manifest.jsonl";
constexpr const char* kReplaceFile = "replace";  // empty: begun with `fresh`

std::string unitName(std::int64_t example) {
  char name[40];
  std::snprintf(name, sizeof name, "%06lld.safetensors", static_cast<long long>(example));
  return name;
}

std::string sha256OfFile(const fs::path& file) {
  const InputFile input(file);
  return sha256OfStart(input, input.size(), file);
}

constexpr const char* kCrc32 = "crc32";  // of the other entries, in canonical form

std::uint32_t crcOf(const Json& object) {
  const std::string text = canonicalJson(object);
  return crc32Of(std::as_bytes(std::span(text)));
}

Json withCrc(Json object) {
  object[kCrc32] = crcOf(object);
  return object;
}

// Removes the checksum from the object; false if it does not match.
bool takeCrc(Json& object) {
  const Json stated = object.at(kCrc32);
  object.erase(kCrc32);
  return stated == crcOf(object);
}

// Settings stored in the folder, or null if there are none. Older work has no checksum to compare.
Json keptSettings(const fs::path& folder) {
  const fs::path file = folder / schema::kWorkSettings;
  if (!fs::exists(file)) return nullptr;
  Json settings = readJsonFile(file);
  if (settings.contains(kCrc32) && !takeCrc(settings))
    throw InputError({file, kCrc32, "the checksum of the other entries", "another: the file is damaged"});
  return settings;
}

void requireSame(const fs::path& folder, const Json& there, const Json& now) {
  const std::string differences = settingDifferences(there, now);
  if (differences.empty()) return;
  throw UsageError(folder.string() + " holds unfinished work with other settings (" + differences +
                   "); use the same settings to continue, or --fresh to discard it");
}

void discard(const fs::path& place) {
  std::error_code code;
  fs::remove_all(place, code);
  if (code) throw InputError({place, "", "", "cannot be removed: " + code.message()});
}

constexpr std::size_t kShortestLine = 64;  // of the manifest; its keys alone are longer

// Nothing if the line is damaged. A unit name is a plain file name, so that nothing outside the folder is
// read.
std::optional<ManifestEntry> parseManifestLine(std::string_view line) {
  if (line.size() < kShortestLine) return {};
  try {
    Json object = parseJson(line, {});
    if (!takeCrc(object)) return {};
    ManifestEntry entry{object.at("example"), object.at("unit"), object.at("bytes"), object.at("sha256"),
                        object.at("settings_hash")};
    if (entry.unit.empty() || entry.unit.find('/') != std::string::npos || entry.unit == "..") return {};
    return entry;
  } catch (const InputError&) {
    return {};
  } catch (const Json::exception&) {
    return {};
  }
}

[[noreturn]] void failChecksum(const fs::path& unit) {
  throw InputError({unit, "", "the checksum of the manifest", "another"});
}

// The unit of a line, without comparing its checksum. InputError if the line is about another file.
UnitIndex listedUnit(const fs::path& folder, const ManifestEntry& entry, const UnitLayout& layout,
                     const UnitFacts& wanted) {
  UnitIndex index = readUnitIndex(folder / "units" / entry.unit, layout, wanted);
  index.sha256 = entry.sha256;
  if (entry.settingsHash != wanted.settingsHash || index.fileBytes != entry.bytes) failChecksum(index.file);
  return index;
}

}  // namespace

// ---- the manifest

std::string manifestLine(const ManifestEntry& entry) {
  return canonicalJson(withCrc({{"example", entry.example},
                                {"unit", entry.unit},
                                {"bytes", entry.bytes},
                                {"sha256", entry.sha256},
                                {"settings_hash", entry.settingsHash}}));
}

Manifest readManifest(const std::filesystem::path& file) {
  Manifest manifest;
  if (!std::filesystem::exists(file)) return manifest;
  const std::string text = readFile(file);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const auto entry = parseManifestLine(std::string_view(text).substr(start, end - start));
    if (entry) {
      manifest.entries[entry->example] = *entry;
    } else {
      ++manifest.damagedLines;
    }
    start = end + 1;
  }
  return manifest;
}

// ---- the folder

bool WorkFolder::hasBegun(const fs::path& out, const Json& settings) {
  const Json there = keptSettings(pathFor(out));
  return !there.is_null() && settingDifferences(there, settings).empty();
}

bool WorkFolder::mayReplace(const fs::path& out, const Json& settings) {
  return hasBegun(out, settings) && mayReplace(out);
}

bool WorkFolder::mayReplace(const fs::path& out) {
  std::error_code code;
  const fs::path folder = pathFor(out);
  return fs::exists(folder / schema::kWorkSettings, code) && fs::exists(folder / kReplaceFile, code);
}

void WorkFolder::requireSameSettings(const fs::path& out, const Json& settings) {
  const Json there = keptSettings(pathFor(out));
  if (!there.is_null()) requireSame(pathFor(out), there, settings);
}

std::optional<WorkSummary> WorkFolder::summaryOf(const fs::path& out) {
  const fs::path folder = pathFor(out);
  std::error_code ignored;
  if (!fs::exists(folder / schema::kWorkSettings, ignored)) return std::nullopt;
  WorkSummary summary;
  try {
    const Json settings = keptSettings(folder);
    const std::int64_t all = std::max<std::int64_t>(0, examplesOfWhole(settings));
    const CapturePart part = partOf(settings).value_or(CapturePart());
    summary.total = part.end(all) - part.begin(all);
    for (const auto& [example, entry] : readManifest(folder / kManifestFile).entries)
      summary.finished += example < summary.total || all == 0 ? 1 : 0;  // not the probe
  } catch (const InputError&) {
    // damaged: only the existence of the work is known
  }
  summary.parkedShare = ParkedGroup::shareIn(folder);
  summary.busy = OutputLock::isHeld(out) || !OutputLock::holderElsewhere(out).empty();
  return summary;
}

Json WorkFolder::requestOf(const fs::path& out) {
  try {
    return readJsonFile(pathFor(out) / kRequestFile, kLargestRequest);
  } catch (const InputError&) {
    return nullptr;
  }
}

std::vector<fs::path> WorkFolder::outputsIn(const fs::path& folder) {
  std::vector<fs::path> outputs;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    std::error_code ignored;
    if (entry->path().extension() == kPartial && fs::exists(entry->path() / schema::kWorkSettings, ignored))
      outputs.push_back(folder / entry->path().stem());
  }
  std::sort(outputs.begin(), outputs.end());
  return outputs;
}

void WorkFolder::keepRequest(const Json& request) {
  writeFileAtomically(m_folder / kRequestFile, indentedJson(request) + "\n");
}

bool WorkFolder::lacksScores(const fs::path& out) {
  const fs::path folder = pathFor(out);
  for (const auto& [example, entry] : readManifest(folder / kManifestFile).entries) {
    try {
      return !unitHasScores(folder / "units" / entry.unit);
    } catch (const InputError&) {
      // found again, and reported, when the capture goes on
    }
  }
  return false;
}

std::map<std::int64_t, UnitIndex> WorkFolder::finishedUnits(const fs::path& out, const UnitLayout& layout,
                                                            const std::vector<UnitFacts>& facts) {
  const fs::path folder = pathFor(out);
  std::map<std::int64_t, UnitIndex> units;
  for (const auto& [example, entry] : readManifest(folder / kManifestFile).entries) {
    if (example < 0 || example >= std::ssize(facts)) continue;
    try {
      units.emplace(example, listedUnit(folder, entry, layout, facts[example]));
    } catch (const InputError&) {
      // the capture will detect it and compute the unit again
    }
  }
  return units;
}

WorkFolder::WorkFolder(OutputLock lock, const Json& settings, bool fresh)
    : m_lock(std::move(lock)), m_folder(m_lock.folder()) {
  if (fresh) {
    for (const char* part : {schema::kWorkSettings, kRequestFile, kManifestFile, "units", "parked"})
      discard(m_folder / part);
    writeFileAtomically(m_folder / kReplaceFile, std::string_view());
  }
  requireWritableFolderOf(unitPath("any"));
  const Json there = keptSettings(m_folder);
  if (there.is_null()) {
    writeFileAtomically(m_folder / schema::kWorkSettings, indentedJson(withCrc(settings)) + "\n");
  } else {
    requireSame(m_folder, there, settings);
  }
}

void WorkFolder::load(const UnitLayout& layout, const std::vector<UnitFacts>& facts, Progress& progress) {
  const fs::path manifestFile = m_folder / kManifestFile;
  const Manifest manifest = readManifest(manifestFile);
  if (manifest.damagedLines > 0) {
    progress.warned(manifestFile.string() + ": " + std::to_string(manifest.damagedLines) +
                    " damaged lines; their examples are captured again");
  }
  m_units.clear();
  std::string good;
  for (const auto& [example, entry] : manifest.entries) {
    progress.throwIfStopped();
    if (example < 0 || example >= std::ssize(facts)) continue;
    try {
      UnitIndex index = listedUnit(m_folder, entry, layout, facts[example]);
      if (sha256OfFile(index.file) != entry.sha256) failChecksum(index.file);
      m_units[example] = std::move(index);
      good += manifestLine(entry) + "\n";
    } catch (const InputError& error) {
      progress.warned(std::string(error.what()) + "; the example is captured again");
    }
  }
  // Rewrites the manifest so that new lines never follow a truncated one.
  writeFileAtomically(manifestFile, good);
}

void WorkFolder::add(const UnitLayout& layout, const CaptureUnit& unit, const UnitFacts& facts) {
  const std::vector<std::byte> bytes = encodeUnit(layout, unit, facts);
  const std::string name = unitName(facts.example);
  writeFileAtomically(unitPath(name), bytes);
  const std::string digest = sha256Hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  appendLineDurably(m_folder / kManifestFile,
                    manifestLine({facts.example, name, bytes.size(), digest, facts.settingsHash}));
  UnitIndex& index = m_units[facts.example] = readUnitIndex(unitPath(name), layout, facts);
  index.sha256 = digest;
}

void WorkFolder::remove() {
  m_lock.discardFolder();
}

}  // namespace plastiscope
