#include "core/store/verify.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/store/capture_parts.h"
#include "core/store/capture_writer.h"
#include "core/store/sandboxed_reader.h"
#include "core/store/schema.h"
#include "core/store/stored_content.h"

namespace plastiscope {

namespace {

void addProblem(VerifyReport& report, const std::string& sentence) {
  auto& problems = report.problems;
  if (std::find(problems.begin(), problems.end(), sentence) == problems.end()) problems.push_back(sentence);
}

// Runs one check; an error becomes a problem and returns false.
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

// The same for a check that returns a note ("" = none).
template <typename Check>
void step(VerifyReport& report, const Check& check) {
  const std::size_t before = report.problems.size();
  std::string told;
  collect(report, [&] { told = check(); });
  if (report.problems.size() == before && !told.empty()) report.checks.push_back(told);
}

std::string counted(std::size_t count, const std::string& thing) {
  return withCommas(count) + " " + thing + (count == 1 ? "" : "s");
}

struct DatasetCounts {
  std::size_t checked = 0, without = 0;
};

// Checks all datasets below `group`, as listed in the file.
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

// `ownData`: its datasets carry checksums.
void checkSeal(FileSeal seal, bool ownData, VerifyReport& report) {
  const std::string file = pathText(report.path);
  switch (seal) {
    case FileSeal::Intact:
      report.checks.emplace_back("checksum of the whole file");
      break;
    case FileSeal::Broken:  // explained by the problems already reported
      if (report.problems.empty())
        addProblem(report, file + ": the checksum of the whole file does not match: a byte was changed");
      break;
    case FileSeal::CutShort:
      addProblem(report, file + ": the checksum line at the end is damaged or cut short");
      break;
    case FileSeal::Absent:
      if (ownData)
        report.notes.emplace_back(
            "no checksum of the whole file: it was written or rewritten by another program");
  }
}

void checkSums(const Hdf5Group& root, FileSeal seal, VerifyReport& report) {
  DatasetCounts counts;
  step(report, [&] {
    checkDatasets(root, 0, report, counts);
    return counts.checked > 0 ? "checksums of " + counted(counts.checked, "dataset") : "";
  });
  if (counts.without > 0) {
    const std::string sentence = counted(counts.without, "dataset") + " without a checksum";
    if (seal == FileSeal::Absent)
      report.notes.push_back(sentence);
    else
      addProblem(report, pathText(report.path) + ": " + sentence);
  }
  checkSeal(seal, counts.checked > 0, report);
}

void checkSettingsHash(const Json& settings, const std::string& stated, FileSeal seal, VerifyReport& report) {
  if (sha256Hex(canonicalJson(settings)) == stated)
    report.checks.emplace_back("settings hash");
  else if (seal == FileSeal::Absent)
    report.notes.emplace_back(
        "settings_hash was written by an unknown program, so the settings cannot be checked with it");
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
    for (const RowSet set : rowSetsOf(capture.info(), layer)) {
      for (const std::int64_t head : headsOf(layer, set)) {
        ++heads;
        right += collect(report, [&] {
          requireFinite(capture.rows({layer.layer, head, set}),
                        "layer " + std::to_string(layer.layer) + ", head " + std::to_string(head),
                        report.path);
        });
      }
    }
  }
  if (right < heads) return "";
  return "rows of " + counted(heads, "head") + ": counts, order, positions, finite values";
}

// Compares the stored tokens with the checksums of the examples.
std::string checkCaptureTexts(const CaptureTexts& texts, const CaptureInfo& info, VerifyReport& report) {
  for (std::size_t i = 0; i < info.examples.size(); ++i) {
    const std::vector<std::int32_t> ids = texts.tokenIds(i);
    texts.of(i);
    if (sha256Hex(std::string_view(reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof ids[0])) !=
        info.examples[i].sha256) {
      addProblem(report, pathText(report.path) + ": example " + info.examples[i].id +
                             ": its tokens do not have the stated checksum");
    }
  }
  return "tokens of " + counted(info.examples.size(), "example");
}

// Checks the number of a part's examples, and the texts against the settings.
void checkExamples(const CaptureInfo& info, VerifyReport& report) {
  const std::string wrong = wrongExamples(info), part = partText(info);
  if (!wrong.empty()) addProblem(report, pathText(report.path) + ": " + wrong);
  if (wrong.empty() && !part.empty()) report.checks.push_back(part);
}

void checkCapture(const Hdf5Group& root, FileSeal seal, VerifyReport& report) {
  const auto capture = captureIn(root);
  const CaptureInfo& info = capture->info();
  report.checks.push_back("structure: " + counted(info.layerInfos.size(), "layer") + ", " +
                          counted(info.examples.size(), "example"));
  checkSettingsHash(info.settings, info.settingsHash, seal, report);
  checkExamples(info, report);
  step(report, [&] { return checkCaptureRows(*capture, report); });
  if (capture->hasLosses()) {
    step(report, [&] {
      for (std::int64_t i = 0; i < std::ssize(info.examples); ++i) capture->losses(i);
      return "losses of " + counted(info.examples.size(), "example");
    });
  }
  if (capture->hasScores() || root.contains(schema::kProbe)) {
    step(report, [&] {
      std::size_t heads = 0;
      for (const CaptureLayerInfo& layer : info.layerInfos) {
        for (const std::int64_t head : layer.queryHeads) {
          capture->scores(layer.layer, head);
          capture->probeScores(layer.layer, head);
          ++heads;
        }
      }
      return "scores of " + counted(heads, "head");
    });
  }
  if (!root.contains(schema::kTexts)) return;
  step(report,
       [&] { return checkCaptureTexts(CaptureTexts(root.group(schema::kTexts), info), info, report); });
}

void checkAnalysis(const Hdf5Group& root, FileSeal seal, VerifyReport& report) {
  const AnalysisFile analysis =
      wholeAnalysis(analysisIn(root, DamagedTables::LeaveOut), DamagedTables::LeaveOut);
  for (const auto& [table, problem] : analysis.leftOut) addProblem(report, problem);
  if (analysis.leftOut.empty())
    report.checks.push_back("structure: " + counted(analysis.tables.size(), "table"));
  checkSettingsHash(analysis.provenance.settings, analysis.provenance.settingsHash, seal, report);
}

constexpr std::array<const char*, 3> kKindNames = {"capture", "analysis", "other"};  // indexed by FileType

VerifyReport reportOf(const std::filesystem::path& file, const std::string& line) {
  const Json report = parseJson(line, file);
  const auto kind = std::ranges::find(kKindNames, report.at("kind").get<std::string>());
  return {file, static_cast<FileType>(kind - kKindNames.begin()), report.at("checks"), report.at("notes"),
          report.at("problems")};
}

// Verifies the file in this process.
VerifyReport verifyHere(const std::filesystem::path& file) {
  VerifyReport report{file, FileType::Other, {}, {}, {}};
  collect(report, [&] {
    const auto input = std::make_shared<const InputFile>(file);
    const Hdf5Group root = Hdf5Group::openFile(input);
    report.kind = fileTypeOf(root);
    if (report.kind == FileType::Other)
      root.fail("a capture or an analysis", "an HDF5 file of another program");
    const FileSeal seal = sealOf(*input);
    checkSums(root, seal, report);
    collect(report, [&] {
      report.kind == FileType::Capture ? checkCapture(root, seal, report) : checkAnalysis(root, seal, report);
    });
  });
  return report;
}

}  // namespace

std::string jsonOf(const VerifyReport& report) {
  return canonicalJson({{"file", pathText(report.path)},
                        {"kind", kKindNames[static_cast<std::size_t>(report.kind)]},
                        {"intact", report.problems.empty()},
                        {"checks", report.checks},
                        {"notes", report.notes},
                        {"problems", report.problems}});
}

VerifyReport verifyFile(const std::filesystem::path& file, const Progress& progress) {
  progress.throwIfStopped();
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(file, failed);
  if (!std::filesystem::exists(file)) throw InputError({file, "", "", "there is no such file"});
  const auto answer = tryInSandbox(file, failed ? 0 : bytes, SandboxTask::Verify, progress);
  if (!answer) return verifyHere(file);
  if (answer->end == SandboxAnswer::End::Answered) return reportOf(file, answer->text);
  VerifyReport report{file, FileType::Other, {}, {}, {}};
  addProblem(report,
             pathText(file) + ": the file is damaged: reading it would crash or hang the HDF5 library");
  return report;
}

std::string answerInSandbox(const std::filesystem::path& file, const std::string& task) {
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(file, failed);
  limitThisProcess(readingLimits(failed ? 0 : bytes));
  if (task == nameOf(SandboxTask::Verify)) return jsonOf(verifyHere(file));
  if (task != nameOf(SandboxTask::Open))
    throw UsageError("--sandbox: expected open or verify, found " + task);
  try {
    touchStored(Hdf5Group::openFile(std::make_shared<const InputFile>(file)));
  } catch (const std::bad_alloc&) {
    throw ResourceError("reading " + pathText(file) + " takes too much memory");
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception&) {
    // not a problem of the file; opening it reports the error again
  }
  return "";
}

}  // namespace plastiscope
