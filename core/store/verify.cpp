#include "core/store/verify.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/path_text.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_texts.h"
#include "core/store/capture_writer.h"
#include "core/store/file_seal.h"
#include "core/store/hdf5_reader.h"
#include "core/store/schema.h"
#include "core/store/stored_kind.h"
#include "core/store/trial_process.h"

namespace plastiscope {

namespace {

// Runs one check; an error becomes a problem.
template <typename Check>
void collect(VerifyReport& report, const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    report.problems.emplace_back(error.what());
  } catch (const std::bad_alloc&) {
    report.problems.push_back(pathText(report.path) + ": not enough memory to check it");
  }
}

std::string digestOf(const Hdf5Dataset& dataset) {
  Sha256 hash;
  if (dataset.element() == Hdf5Element::VariableText) {
    for (const std::string& text : dataset.texts()) hash.add(std::string_view(text.c_str(), text.size() + 1));
    return hash.hex();
  }
  const std::int64_t rowsAtOnce =
      std::max<std::int64_t>(1, (std::int64_t{4} << 20) / static_cast<std::int64_t>(dataset.rowBytes()));
  for (std::int64_t first = 0; first < dataset.rows(); first += rowsAtOnce) {
    hash.add(dataset.bytes(first, std::min(rowsAtOnce, dataset.rows() - first)));
  }
  return hash.hex();
}

struct DatasetCounts {
  std::int64_t checked = 0, without = 0;
};

void checkDataset(const Hdf5Dataset& dataset, VerifyReport& report, DatasetCounts& counts) {
  if (!dataset.has(schema::kSha256)) {
    ++counts.without;
    return;
  }
  const std::string stated = dataset.text(schema::kSha256);
  if (digestOf(dataset) != stated) {
    report.problems.push_back(pathText(report.path) + ": " + dataset.name() +
                              ": its data do not have the stated checksum");
  }
  ++counts.checked;
}

// All datasets below `group`, as the file lists them.
void checkDatasets(const Hdf5Group& group, int depth, VerifyReport& report, DatasetCounts& counts) {
  if (depth > 8) group.fail("at most 8 levels of groups", "more");
  for (const std::string& name : group.names()) {
    collect(report, [&] {
      if (group.isGroup(name)) {
        checkDatasets(group.group(name), depth + 1, report, counts);
      } else {
        checkDataset(group.dataset(name), report, counts);
      }
    });
  }
}

// `ownFile`: this program wrote it, so the seal must be there.
void checkSeal(VerifyReport& report, bool ownFile) {
  switch (checkFileSeal(report.path)) {
    case FileSeal::Intact:
      report.checks.emplace_back("checksum of the whole file");
      break;
    case FileSeal::Broken:
      report.problems.push_back(pathText(report.path) +
                                ": the file does not have its own checksum: a byte was changed");
      break;
    case FileSeal::Absent:
      if (!ownFile) break;  // made by another program
      report.problems.push_back(
          pathText(report.path) +
          ": the checksum line at the end is missing: the file was changed or cut short");
  }
}

void checkSums(const Hdf5Group& root, VerifyReport& report) {
  DatasetCounts counts;
  checkDatasets(root, 0, report, counts);
  if (counts.checked > 0) {
    report.checks.push_back("checksums of " + withCommas(counts.checked) + " datasets");
  }
  if (counts.without > 0) {
    const std::string sentence = withCommas(counts.without) + " datasets without a checksum";
    if (counts.checked > 0) report.problems.push_back(pathText(report.path) + ": " + sentence);
    if (counts.checked == 0) report.checks.push_back("no checksums: " + sentence);
  }
  checkSeal(report, counts.checked > 0);
}

void checkSettingsHash(const Json& settings, const std::string& stated, VerifyReport& report) {
  if (sha256Hex(canonicalJson(settings)) == stated) {
    report.checks.emplace_back("settings hash");
  } else {
    report.problems.push_back(pathText(report.path) + ": settings_hash is not the hash of the settings");
  }
}

void checkCaptureRows(const CaptureFile& capture, VerifyReport& report) {
  std::int64_t heads = 0;
  for (const CaptureLayerInfo& layer : capture.info().layerInfos) {
    for (const RowSet set : rowSetsOf(capture.info().point)) {
      for (const std::int64_t head : headsOf(layer, set)) {
        collect(report, [&] {
          const CapturedRows rows = capture.rows(layer.layer, head, set);
          const auto bad = std::find_if_not(rows.vectors.begin(), rows.vectors.end(),
                                            [](float value) { return std::isfinite(value); });
          if (bad != rows.vectors.end()) {
            report.problems.push_back(pathText(report.path) + ": layer " + std::to_string(layer.layer) +
                                      ", head " + std::to_string(head) +
                                      ": a value that is not a finite number");
          }
        });
        ++heads;
      }
    }
  }
  report.checks.push_back("rows of " + withCommas(heads) + " heads: counts, order, positions, finite values");
}

// The stored tokens are those that the examples state a checksum of.
void checkCaptureTexts(const CaptureTexts& texts, const CaptureInfo& info, VerifyReport& report) {
  for (std::size_t i = 0; i < info.examples.size(); ++i) {
    const std::vector<std::int32_t> ids = texts.tokenIds(static_cast<std::int64_t>(i));
    texts.of(static_cast<std::int64_t>(i));
    if (sha256Hex(std::string_view(reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof ids[0])) !=
        info.examples[i].sha256) {
      report.problems.push_back(pathText(report.path) + ": example " + info.examples[i].id +
                                ": its tokens do not have the stated checksum");
    }
  }
  report.checks.push_back("tokens of " + withCommas(static_cast<long long>(info.examples.size())) +
                          " examples");
}

void checkCapture(const Hdf5Group& root, VerifyReport& report) {
  const auto capture = openCapture(report.path);
  const CaptureInfo& info = capture->info();
  report.checks.push_back("structure: " + withCommas(static_cast<long long>(info.layerInfos.size())) +
                          " layers, " + withCommas(static_cast<long long>(info.examples.size())) +
                          " examples");
  checkSettingsHash(info.settings, info.settingsHash, report);
  checkCaptureRows(*capture, report);
  if (root.contains(schema::kTexts))
    checkCaptureTexts(CaptureTexts(root.group(schema::kTexts), info), info, report);
}

void checkAnalysis(VerifyReport& report) {
  const AnalysisFile analysis = readAnalysis(report.path);
  report.checks.push_back("structure: " + withCommas(static_cast<long long>(analysis.tables.size())) +
                          " tables");
  checkSettingsHash(analysis.provenance.settings, analysis.provenance.settingsHash, report);
}

VerifyReport verifyHere(const std::filesystem::path& file) {
  VerifyReport report{file, StoredKind::Other, {}, {}};
  collect(report, [&] {
    const Hdf5Group root = Hdf5Group::openFile(file);
    report.kind = storedKindOf(root);
    if (report.kind == StoredKind::Other) root.fail("a capture or an analysis", "another kind of HDF5 file");
    checkSums(root, report);
    if (report.kind == StoredKind::Capture) collect(report, [&] { checkCapture(root, report); });
  });
  if (report.kind == StoredKind::Analysis) collect(report, [&] { checkAnalysis(report); });
  return report;
}

// How a report travels from the child process.
std::string toText(const VerifyReport& report) {
  return canonicalJson({{"kind", report.kind}, {"checks", report.checks}, {"problems", report.problems}});
}

VerifyReport fromText(const std::filesystem::path& file, const std::string& text) {
  const Json report = parseJson(text, file);
  return {file, report.at("kind").get<StoredKind>(), report.at("checks"), report.at("problems")};
}

}  // namespace

VerifyReport verifyFile(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw InputError({file, "", "", "there is no such file"});
  const auto answer = inChildProcess(readingSeconds(file), [&] { return toText(verifyHere(file)); });
  if (answer) return fromText(file, *answer);
  VerifyReport report{file, StoredKind::Other, {}, {}};
  collect(report, [&] { checkSeal(report, true); });
  report.problems.push_back(pathText(file) +
                            ": the file is damaged: reading it crashes or hangs the HDF5 library");
  return report;
}

}  // namespace plastiscope
