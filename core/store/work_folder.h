#pragma once
// Unfinished work of one output: OUT.partial/ with settings.json, request.json, manifest.jsonl, units/ and
// the output's lock.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/progress.h"
#include "core/capture/capture_unit.h"
#include "core/store/capture_output.h"
#include "core/store/unit_file.h"

namespace plastiscope {

// The list of finished units: one JSON object a line, each with the CRC-32 of itself, appended after its unit
// is durable. A unit counts only when its line and its file agree.
struct ManifestEntry {
  std::int64_t example = 0;
  std::string unit;  // file name
  std::uint64_t bytes = 0;
  std::string sha256, settingsHash;
};

std::string manifestLine(const ManifestEntry& entry);

struct Manifest {
  std::map<std::int64_t, ManifestEntry> entries;  // by example; of two lines the later counts
  std::int64_t damagedLines = 0;                  // left out
};
// An absent file is an empty manifest. InputError when it cannot be read.
Manifest readManifest(const std::filesystem::path& file);

// Unfinished work, seen from outside.
struct WorkSummary {
  std::int64_t finished = 0, total = 0;  // examples; total 0: not known
  double parkedShare = 0;                // of all tokens, finished texts among them; 0: no text is half done
  bool busy = false;                     // a process works on it, perhaps one of another computer
};

class WorkFolder {
 public:
  // Makes or opens the folder and takes its lock: InputError when another process holds it or the place
  // cannot be written. `settings` (an object) are those that decide the data; when the folder was begun with
  // others, UsageError names every one that differs, unless `fresh`, which discards what is there.
  WorkFolder(const std::filesystem::path& out, const Json& settings, bool fresh);
  WorkFolder(OutputLock lock, const Json& settings, bool fresh);  // of the output whose lock this is

  static std::filesystem::path pathFor(const std::filesystem::path& out);  // "a.h5" -> "a.h5.partial"
  // Nothing is made or locked; {} when there is no unfinished work. UsageError as above.
  static void requireSameSettings(const std::filesystem::path& out, const Json& settings);
  // Whether there is unfinished work with these settings; and whether it was begun with `fresh`, so that it
  // may replace the output.
  static bool hasBegun(const std::filesystem::path& out, const Json& settings);
  static bool mayReplace(const std::filesystem::path& out, const Json& settings);
  static bool mayReplace(const std::filesystem::path& out);  // with whatever settings
  // Nothing when there is no unfinished work. Nothing is made or changed.
  static std::optional<WorkSummary> summaryOf(const std::filesystem::path& out);
  // What the capture was asked for, as keepRequest() got it; null when it is not there or cannot be read.
  static Json requestOf(const std::filesystem::path& out);
  // Outputs in `folder` that have unfinished work, by name.
  static std::vector<std::filesystem::path> outputsIn(const std::filesystem::path& folder);
  // What is finished now in a folder that another process may be filling. Nothing is made, locked or changed;
  // units that are no good are left out.
  static std::map<std::int64_t, UnitIndex> finishedUnits(const std::filesystem::path& out,
                                                         const UnitLayout& layout,
                                                         const std::vector<UnitFacts>& facts);

  // Reads the manifest, checks every listed unit against its checksum and drops what does not agree (said to
  // `progress`). `facts` of every example of the capture. Afterwards units() holds the good ones.
  void load(const UnitLayout& layout, const std::vector<UnitFacts>& facts, Progress& progress);
  // Durable when it returns.
  void add(const UnitLayout& layout, const CaptureUnit& unit, const UnitFacts& facts);
  const std::map<std::int64_t, UnitIndex>& units() const { return m_units; }
  void drop(std::int64_t example) { m_units.erase(example); }  // it is no good; add() replaces it

  // For others who want to go on with the work; decides nothing here.
  void keepRequest(const Json& request);
  void remove();  // everything, after the capture is sealed

 private:
  void start(const Json& settings, bool fresh);
  std::filesystem::path unitPath(const std::string& name) const { return m_folder / "units" / name; }

  OutputLock m_lock;
  std::filesystem::path m_folder;
  std::map<std::int64_t, UnitIndex> m_units;
};

}  // namespace plastiscope
