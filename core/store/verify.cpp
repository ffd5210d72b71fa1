#include "core/store/verify.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/store/analysis_file.h"
#include "core/store/analysis_reader.h"
#include "core/store/capture_parts.h"
#include "core/store/capture_reader.h"
#include "core/store/capture_texts.h"
#include "core/store/capture_writer.h"
#include "core/store/file_seal.h"
#include "core/store/foreign_file.h"
#include "core/store/schema.h"
#include "core/store/stored_kind.h"
#include "core/store/trial_process.h"

namespace plastiscope {

namespace {

void addProblem(VerifyReport& report, const std::string& sentence) {
  auto& problems = report.problems;
  if (std::find(problems.begin(), problems.end(), sentence) == problems.end()) problems.push_back(sentence);
}

// Runs one check; an error becomes a problem, and the answer false.
template <typename Check>
bool collect(VerifyReport& report, const Check& check) {
  try {
    check();
    return true;
  } catch (const Error& error) {
    addProblem(report, error.what());
  } catch (const std::bad_alloc&) {
    addProblem(report, pathText(report.path) + ": not enough memory to check it");
  }
  return false;
}

// The same; where it finds no problem, what it returns is told ("" = nothing).
template <typename Check>
void step(VerifyReport& report, const Check& check) {
  const std::size_t before = report.problems.size();
  std::string told;
  collect(report, [&] { told = check(); });
  if (report.problems.size() == before && !told.empty()) report.checks.push_back(told);
}

std::string counted(std::size_t count, const char* what) {
  return withCommas(static_cast<long long>(count)) + " " + what;
}

struct DatasetCounts {
  std::size_t checked = 0, without = 0;
};

// All datasets below `group`, as the file lists them.
void checkDatasets(const Hdf5Group& group, int depth, VerifyReport& report, DatasetCounts& counts) {
  if (depth > 8) group.fail("at most 8 levels of groups", "more");
  for (const std::string& name : group.names()) {
    collect(report, [&] {
      if (group.isGroup(name)) return checkDatasets(group.group(name), depth + 1, report, counts);
      const Hdf5Dataset dataset = group.dataset(name);
      ++(dataset.hasChecksum() ? counts.checked : counts.without);
      if (dataset.hasChecksum()) dataset.requireIntact();
    });
  }
}

// The line behind the HDF5 data. A file that another program wrote, or wrote again, has none.
enum class Seal { Intact, Broken, CutShort, None };

Seal sealOf(const std::filesystem::path& file) {
  switch (checkFileSeal(file)) {
    case FileSeal::Intact:
      return Seal::Intact;
    case FileSeal::Broken:
      return Seal::Broken;
    case FileSeal::Absent:
      break;
  }
  const auto end = statedEndOf(file);
  return end && std::filesystem::file_size(file) > *end ? Seal::CutShort : Seal::None;
}

// `ownData`: its datasets carry checksums.
void checkSeal(Seal seal, bool ownData, VerifyReport& report) {
  const std::string file = pathText(report.path);
  switch (seal) {
    case Seal::Intact:
      report.checks.emplace_back("checksum of the whole file");
      break;
    case Seal::Broken:  // what was named already explains it
      if (report.problems.empty())
        addProblem(report, file + ": the file does not have its own checksum: a byte was changed");
      break;
    case Seal::CutShort:
      addProblem(report, file + ": the checksum line at the end is damaged or cut short");
      break;
    case Seal::None:
      if (ownData)
        report.notes.emplace_back(
            "no checksum of the whole file: another program wrote it, or wrote it again");
  }
}

void checkSums(const Hdf5Group& root, Seal seal, VerifyReport& report) {
  DatasetCounts counts;
  step(report, [&] {
    checkDatasets(root, 0, report, counts);
    return counts.checked > 0 ? "checksums of " + counted(counts.checked, "datasets") : "";
  });
  if (counts.without > 0) {
    const std::string sentence = counted(counts.without, "datasets without a checksum");
    if (seal == Seal::None)
      report.notes.push_back(sentence);
    else
      addProblem(report, pathText(report.path) + ": " + sentence);
  }
  checkSeal(seal, counts.checked > 0, report);
}

void checkSettingsHash(const Json& settings, const std::string& stated, Seal seal, VerifyReport& report) {
  if (sha256Hex(canonicalJson(settings)) == stated)
    report.checks.emplace_back("settings hash");
  else if (seal == Seal::None)
    report.notes.emplace_back(
        "settings_hash is that of an unknown writer, so the settings cannot be checked by it");
  else
    addProblem(report, pathText(report.path) + ": settings_hash is not the hash of the settings");
}

void requireFinite(const CapturedRows& rows, const std::string& head, const std::filesystem::path& file) {
  if (!std::all_of(rows.vectors.begin(), rows.vectors.end(),
                   [](float value) { return std::isfinite(value); }))
    throw InputError({file, head, "", "a value that is not a finite number"});
}

std::string checkCaptureRows(const CaptureFile& capture, VerifyReport& report) {
  std::size_t heads = 0, right = 0;
  for (const CaptureLayerInfo& layer : capture.info().layerInfos) {
    for (const RowSet set : rowSetsOf(capture.info().point)) {
      for (const std::int64_t head : headsOf(layer, set)) {
        ++heads;
        right += collect(report, [&] {
          requireFinite(capture.rows(layer.layer, head, set),
                        "layer " + std::to_string(layer.layer) + ", head " + std::to_string(head),
                        report.path);
        });
      }
    }
  }
  if (right < heads) return "";
  return "rows of " + counted(heads, "heads") + ": counts, order, positions, finite values";
}

// The stored tokens are those that the examples state a checksum of.
std::string checkCaptureTexts(const CaptureTexts& texts, const CaptureInfo& info, VerifyReport& report) {
  for (std::size_t i = 0; i < info.examples.size(); ++i) {
    const std::vector<std::int32_t> ids = texts.tokenIds(static_cast<std::int64_t>(i));
    texts.of(static_cast<std::int64_t>(i));
    if (sha256Hex(std::string_view(reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof ids[0])) !=
        info.examples[i].sha256) {
      addProblem(report, pathText(report.path) + ": example " + info.examples[i].id +
                             ": its tokens do not have the stated checksum");
    }
  }
  return "tokens of " + counted(info.examples.size(), "examples");
}

// Whether a part is what it says, and whether the texts are those that the settings name.
void checkExamples(const CaptureInfo& info, VerifyReport& report) {
  const std::string wrong = wrongExamples(info), part = partText(info);
  if (!wrong.empty()) addProblem(report, pathText(report.path) + ": " + wrong);
  if (wrong.empty() && !part.empty()) report.checks.push_back(part);
}

void checkCapture(const Hdf5Group& root, Seal seal, VerifyReport& report) {
  const auto capture = captureIn(root.again());
  const CaptureInfo& info = capture->info();
  report.checks.push_back("structure: " + counted(info.layerInfos.size(), "layers") + ", " +
                          counted(info.examples.size(), "examples"));
  checkSettingsHash(info.settings, info.settingsHash, seal, report);
  checkExamples(info, report);
  step(report, [&] { return checkCaptureRows(*capture, report); });
  if (!root.contains(schema::kTexts)) return;
  step(report,
       [&] { return checkCaptureTexts(CaptureTexts(root.group(schema::kTexts), info), info, report); });
}

void checkAnalysis(const Hdf5Group& root, Seal seal, VerifyReport& report) {
  const AnalysisFile analysis = analysisIn(root, DamagedTables::LeaveOut);
  for (const auto& [table, problem] : analysis.leftOut) addProblem(report, problem);
  if (analysis.leftOut.empty())
    report.checks.push_back("structure: " + counted(analysis.tables.size(), "tables"));
  checkSettingsHash(analysis.provenance.settings, analysis.provenance.settingsHash, seal, report);
}

VerifyReport verifyHere(const std::filesystem::path& file) {
  VerifyReport report{file, StoredKind::Other, {}, {}, {}};
  collect(report, [&] {
    const Hdf5Group root = Hdf5Group::openFile(file);
    report.kind = storedKindOf(root);
    if (report.kind == StoredKind::Other) root.fail("a capture or an analysis", "another kind of HDF5 file");
    const Seal seal = sealOf(file);
    checkSums(root, seal, report);
    collect(report, [&] {
      report.kind == StoredKind::Capture ? checkCapture(root, seal, report)
                                         : checkAnalysis(root, seal, report);
    });
  });
  return report;
}

// How a report travels from the child process.
std::string toText(const VerifyReport& report) {
  return canonicalJson({{"kind", report.kind},
                        {"checks", report.checks},
                        {"notes", report.notes},
                        {"problems", report.problems}});
}

VerifyReport fromText(const std::filesystem::path& file, const std::string& text) {
  const Json report = parseJson(text, file);
  return {file, report.at("kind").get<StoredKind>(), report.at("checks"), report.at("notes"),
          report.at("problems")};
}

}  // namespace

VerifyReport verifyFile(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw InputError({file, "", "", "there is no such file"});
  const auto answer = inChildProcess(readingLimits(file), [&] { return toText(verifyHere(file)); });
  if (answer) return fromText(file, *answer);
  VerifyReport report{file, StoredKind::Other, {}, {}, {}};
  addProblem(report,
             pathText(file) + ": the file is damaged: reading it would crash or hang the HDF5 library");
  return report;
}

}  // namespace plastiscope
