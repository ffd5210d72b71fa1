#include "core/store/work_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/store/schema.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr const char* kSettingsFile = "settings.json";
constexpr const char* kRequestFile = "request.json";
constexpr std::size_t kLargestRequest = std::size_t{16} << 20;
constexpr const char* kPartial = ".partial";
constexpr const char* kManifestFile = "manifest.jsonl";
constexpr const char* kLockFile = "lock";

std::string unitName(std::int64_t example) {
  char name[40];
  std::snprintf(name, sizeof name, "%06lld.safetensors", static_cast<long long>(example));
  return name;
}

std::string sha256OfFile(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 20);
  Sha256 hash;
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    hash.add(std::string_view(block.data(), static_cast<std::size_t>(stream.gcount())));
  }
  return hash.hex();
}

void collectDifferences(const std::string& place, const Json& there, const Json& now,
                        std::vector<std::string>& out) {
  if (there == now) return;
  if (!there.is_object() || !now.is_object()) {
    const auto text = [](const Json& value) {
      return value.is_discarded() ? "absent" : canonicalJson(value);
    };
    out.push_back(place + ": " + text(there) + " there, " + text(now) + " now");
    return;
  }
  Json both = there;
  both.update(now);
  for (const auto& [key, unused] : both.items()) {
    const Json absent = Json(Json::value_t::discarded);
    collectDifferences(place.empty() ? key : place + "." + key, there.contains(key) ? there[key] : absent,
                       now.contains(key) ? now[key] : absent, out);
  }
}

// Settings as the folder keeps them, or null when there are none that can be read.
Json keptSettings(const fs::path& folder) {
  const fs::path file = folder / kSettingsFile;
  if (!fs::exists(file)) return nullptr;
  return readJsonFile(file);
}

void requireSame(const fs::path& folder, const Json& there, const Json& now) {
  const std::vector<std::string> differences = settingDifferences(there, now);
  if (differences.empty()) return;
  std::string sentence = folder.string() + " holds unfinished work with other settings (";
  for (std::size_t i = 0; i < differences.size(); ++i) sentence += (i == 0 ? "" : "; ") + differences[i];
  throw UsageError(sentence + "); use the same settings to continue, or --fresh to discard it");
}

void discard(const fs::path& place) {
  std::error_code code;
  fs::remove_all(place, code);
  if (code) throw InputError({place, "", "", "cannot be removed: " + code.message()});
}

// Temporary files of a process that was killed while it sealed this output. Nobody else writes it: we hold
// the lock.
void removeLeftovers(const fs::path& out) {
  const std::string prefix = out.filename().string() + ".tmp-";
  const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool ours =
        name.starts_with(prefix) && name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    if (ours && entry.is_regular_file(ignored)) fs::remove(entry.path(), ignored);
  }
}

}  // namespace

std::vector<std::string> settingDifferences(const Json& there, const Json& now) {
  std::vector<std::string> differences;
  collectDifferences("", there, now, differences);
  return differences;
}

fs::path WorkFolder::pathFor(const fs::path& out) {
  fs::path folder = out;
  folder += kPartial;
  return folder;
}

void WorkFolder::requireSameSettings(const fs::path& out, const Json& settings) {
  const Json there = keptSettings(pathFor(out));
  if (!there.is_null()) requireSame(pathFor(out), there, settings);
}

std::optional<WorkSummary> WorkFolder::summaryOf(const fs::path& out) {
  const fs::path folder = pathFor(out);
  std::error_code ignored;
  if (!fs::exists(folder / kSettingsFile, ignored)) return std::nullopt;
  WorkSummary summary;
  try {
    const Json settings = keptSettings(folder);
    if (settings.is_object() && settings.contains("examples") && settings["examples"].is_number_integer())
      summary.total = settings["examples"].get<std::int64_t>();
    summary.finished = static_cast<std::int64_t>(readManifest(folder / kManifestFile).entries.size());
  } catch (const InputError&) {
    // damaged: there is work, and that is all that can be said
  }
  const int fd = ::open((folder / kLockFile).c_str(), O_RDWR | O_CLOEXEC);
  summary.busy = fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (fd >= 0) ::close(fd);
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
    if (entry->path().extension() == kPartial && fs::exists(entry->path() / kSettingsFile, ignored))
      outputs.push_back(folder / entry->path().stem());
  }
  std::sort(outputs.begin(), outputs.end());
  return outputs;
}

void WorkFolder::keepRequest(const Json& request) {
  writeFileAtomically(m_folder / kRequestFile, indentedJson(request) + "\n");
}

std::map<std::int64_t, UnitIndex> WorkFolder::finishedUnits(const fs::path& out, const UnitLayout& layout,
                                                            const std::vector<UnitFacts>& facts) {
  const fs::path folder = pathFor(out);
  std::map<std::int64_t, UnitIndex> units;
  for (const auto& [example, entry] : readManifest(folder / kManifestFile).entries) {
    if (example < 0 || static_cast<std::size_t>(example) >= facts.size()) continue;
    const UnitFacts& wanted = facts[static_cast<std::size_t>(example)];
    try {
      UnitIndex index = readUnitIndex(folder / "units" / entry.unit, layout, wanted);
      if (entry.settingsHash == wanted.settingsHash && index.fileBytes == entry.bytes)
        units.emplace(example, std::move(index));
    } catch (const InputError&) {
      // the capture itself will find it and make it anew
    }
  }
  return units;
}

WorkFolder::WorkFolder(const fs::path& out, const Json& settings, bool fresh) : m_folder(pathFor(out)) {
  requireWritableFolderOf(out);
  try {
    lock();
    removeLeftovers(out);
    start(settings, fresh);
  } catch (...) {
    if (m_lock >= 0) ::close(m_lock);
    throw;
  }
}

WorkFolder::~WorkFolder() {
  if (m_lock >= 0) ::close(m_lock);
}

// The lock lives as long as this process. Whoever finishes removes the folder with the lock file in it, so
// after getting a lock we look whether it is still the file of that name.
void WorkFolder::lock() {
  const fs::path file = m_folder / kLockFile;
  while (true) {
    requireWritableFolderOf(file);
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 && errno == ENOENT) continue;
    if (fd < 0) throw InputError({file, "", "", std::string("cannot be written: ") + std::strerror(errno)});
    m_lock = fd;
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw InputError({m_folder, "", "", "another process is capturing to this output"});
    }
    struct stat mine {
    }, named{};
    const bool same = ::fstat(fd, &mine) == 0 && ::stat(file.c_str(), &named) == 0 &&
                      mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
    if (same) return;
    ::close(fd);
    m_lock = -1;
  }
}

void WorkFolder::start(const Json& settings, bool fresh) {
  if (fresh) {
    for (const char* part : {kSettingsFile, kRequestFile, kManifestFile, "units"}) discard(m_folder / part);
  }
  requireWritableFolderOf(unitPath("any"));
  const Json there = keptSettings(m_folder);
  if (there.is_null()) {
    writeFileAtomically(m_folder / kSettingsFile, indentedJson(settings) + "\n");
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
    if (example < 0 || static_cast<std::size_t>(example) >= facts.size()) continue;
    const UnitFacts& wanted = facts[static_cast<std::size_t>(example)];
    const fs::path file = unitPath(entry.unit);
    try {
      const UnitIndex index = readUnitIndex(file, layout, wanted);
      const bool agree = entry.settingsHash == wanted.settingsHash && index.fileBytes == entry.bytes &&
                         sha256OfFile(file) == entry.sha256;
      if (!agree) throw InputError({file, "", "the checksum of the manifest", "another"});
      m_units[example] = index;
      good += manifestLine(entry) + "\n";
    } catch (const InputError& error) {
      progress.warned(std::string(error.what()) + "; the example is captured again");
    }
  }
  // Written anew, so that later lines never stand behind a torn one.
  writeFileAtomically(manifestFile, good);
}

void WorkFolder::add(const UnitLayout& layout, const CaptureUnit& unit, const UnitFacts& facts) {
  const std::vector<std::byte> bytes = encodeUnit(layout, unit, facts);
  const std::string name = unitName(facts.example);
  writeFileAtomically(unitPath(name), bytes);
  const std::string digest = sha256Hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  appendLineDurably(m_folder / kManifestFile,
                    manifestLine({facts.example, name, bytes.size(), digest, facts.settingsHash}));
  m_units[facts.example] = readUnitIndex(unitPath(name), layout, facts);
}

void WorkFolder::remove() {
  std::error_code ignored;  // the capture is sealed; what cannot be removed is only litter
  fs::remove_all(m_folder, ignored);
}

}  // namespace plastiscope
