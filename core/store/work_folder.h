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

// Manifest of finished units: one JSON object per line with the CRC-32 of itself, appended after its unit is
// durable. A unit counts only if its line and its file agree.
struct ManifestEntry {
  std::int64_t example = 0;
  std::string unit;  // file name
  std::uint64_t bytes = 0;
  std::string sha256, settingsHash;
};

std::string manifestLine(const ManifestEntry& entry);

struct Manifest {
  std::map<std::int64_t, ManifestEntry> entries;  // by example; the later of two lines counts
  std::int64_t damagedLines = 0;                  // ignored
};
// A missing file is an empty manifest. InputError if it cannot be read.
Manifest readManifest(const std::filesystem::path& file);

// State of unfinished work, read without locking.
struct WorkSummary {
  std::int64_t finished = 0, total = 0;  // examples; total 0: not known
  double parkedShare = 0;                // share of all tokens, finished texts included; 0: nothing parked
  bool busy = false;                     // a process works on it, possibly on another computer
};

class WorkFolder {
 public:
  // Creates or opens the folder and takes its lock: InputError if another process holds it or the place is
  // not writable. `settings` (an object): those that the data depend on. If the folder was begun with others,
  // UsageError names every difference, unless `fresh`, which discards the old work.
  WorkFolder(const std::filesystem::path& out, const Json& settings, bool fresh)
      : WorkFolder(OutputLock(out), settings, fresh) {}
  WorkFolder(OutputLock lock, const Json& settings, bool fresh);  // for the output of this lock

  static std::filesystem::path pathFor(const std::filesystem::path& out) {
    return OutputLock::folderFor(out);
  }
  // Creates and locks nothing; does nothing if there is no unfinished work. UsageError as above.
  static void requireSameSettings(const std::filesystem::path& out, const Json& settings);
  // Whether there is unfinished work with these settings; and whether it was begun with `fresh`, so that it
  // may replace the output.
  static bool hasBegun(const std::filesystem::path& out, const Json& settings);
  static bool mayReplace(const std::filesystem::path& out, const Json& settings);
  static bool mayReplace(const std::filesystem::path& out);  // with any settings
  // Nothing if there is no unfinished work. Creates and changes nothing.
  static std::optional<WorkSummary> summaryOf(const std::filesystem::path& out);
  // The request saved by keepRequest(); null if it is missing or cannot be read.
  static Json requestOf(const std::filesystem::path& out);
  // Outputs in `folder` with unfinished work, by name.
  static std::vector<std::filesystem::path> outputsIn(const std::filesystem::path& folder);
  // Whether finished units there are those of version 1.0, which has no head scores.
  static bool lacksScores(const std::filesystem::path& out);
  // Finished units in a folder that another process may be filling; damaged ones are left out. Creates, locks
  // and changes nothing.
  static std::map<std::int64_t, UnitIndex> finishedUnits(const std::filesystem::path& out,
                                                         const UnitLayout& layout,
                                                         const std::vector<UnitFacts>& facts);

  // Reads the manifest, checks every listed unit against its checksum and drops damaged ones with a warning.
  // `facts` of every example of the capture. Then units() has the valid ones.
  void load(const UnitLayout& layout, const std::vector<UnitFacts>& facts, Progress& progress);
  // Writes a unit durably.
  void add(const UnitLayout& layout, const CaptureUnit& unit, const UnitFacts& facts);
  const std::map<std::int64_t, UnitIndex>& units() const { return m_units; }
  void drop(std::int64_t example) { m_units.erase(example); }  // drops a damaged unit; add() replaces it

  // Saves the request for other processes that resume the work; has no effect here.
  void keepRequest(const Json& request);
  void remove();  // removes everything, after the capture is sealed

 private:
  std::filesystem::path unitPath(const std::string& name) const { return m_folder / "units" / name; }

  OutputLock m_lock;
  std::filesystem::path m_folder;
  std::map<std::int64_t, UnitIndex> m_units;
};

}  // namespace plastiscope
