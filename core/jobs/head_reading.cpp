#include "core/jobs/head_reading.h"

#include <algorithm>

#include "core/analysis/head_rows.h"
#include "core/base/error.h"
#include "core/jobs/head_work.h"

namespace plastiscope {

namespace {

// One sentence about the rows of a head that were left out; it names the first few.
std::string droppedWarning(const CaptureInfo& info, const std::string& name,
                           const std::vector<DroppedRow>& dropped) {
  constexpr std::size_t kNamed = 3;
  std::string text = name + ": " + withCommas(static_cast<long long>(dropped.size())) +
                     " rows are not finite and were left out (";
  for (std::size_t i = 0; i < std::min(kNamed, dropped.size()); ++i) {
    text += (i > 0 ? ", " : "") + std::string("example ") + exampleName(info, dropped[i].example) +
            " position " + std::to_string(dropped[i].position);
  }
  return text + (dropped.size() > kNamed ? ", ...)" : ")");
}

void requirePlaces(const CapturedRows& rows, const CaptureInfo& info, const std::string& name) {
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    if (rows.position[i] >= 0 && rows.position[i] < info.window && rows.example[i] >= 0) continue;
    throw InputError(name + ", row " + std::to_string(i) +
                     ": expected positions from 0 below the window of " + std::to_string(info.window) +
                     ", found " + std::to_string(rows.position[i]));
  }
}

}  // namespace

std::string exampleName(const CaptureInfo& info, std::int64_t example) {
  const auto index = static_cast<std::size_t>(example);
  return index < info.examples.size() ? info.examples[index].id : std::to_string(example);
}

VectorRows readRows(const CaptureFile& capture, std::int64_t layer, std::int64_t head, RowSet set,
                    const AnalysisSettings& settings, std::vector<std::string>& warnings) {
  const std::string kind = set == RowSet::Query ? "query" : "key";
  const std::string name = kind + " L" + std::to_string(layer) + "H" + std::to_string(head);
  const CapturedRows rows = capture.rows(layer, head, set);
  requirePlaces(rows, capture.info(), name);
  std::vector<DroppedRow> dropped;
  VectorRows finite = finiteRows({rows.headDim, rows.vectors, rows.position, rows.example}, dropped);
  if (!dropped.empty()) warnings.push_back(droppedWarning(capture.info(), name, dropped));
  std::int64_t repeats = 0;
  finite = withoutRepeats(std::move(finite), repeats);
  if (repeats > 0) {
    warnings.push_back(name + ": " + withCommas(repeats) +
                       " rows repeat an example and position; the first of each was kept");
  }
  return subsampledRows(std::move(finite), settings.maxRows, settings.seed, layer, head,
                        set == RowSet::Query ? QueryOrKey::Query : QueryOrKey::Key);
}

HeadRows readHead(const CaptureFile& capture, const HeadName& name, AnalysisSettings settings) {
  settings.heads = name.text();
  settings.layers = "";
  const HeadId place = chooseHeadWork(capture.info(), settings).groups.front().heads.front();
  std::vector<std::string> told;  // by the analysis of the capture already
  HeadRows rows{place, readRows(capture, place.layer, place.head, RowSet::Query, settings, told),
                readRows(capture, place.layer, place.kvHead, RowSet::Key, settings, told)};
  if (rows.query.headDim() != rows.key.headDim())
    throw InputError("layer " + std::to_string(place.layer) + ": queries and keys differ in length");
  return rows;
}

}  // namespace plastiscope
