#include "core/jobs/head_reading.h"

#include "core/analysis/row_choice.h"
#include "core/base/error.h"
#include "core/jobs/head_work.h"

namespace plastiscope {

namespace {

KindRows readRows(const CaptureFile& capture, std::int64_t layer, std::int64_t head, RowSet set,
                  const AnalysisSettings& settings) {
  const CapturedRows rows = capture.rows(layer, head, set);
  std::vector<DroppedRow> dropped;
  std::int64_t repeats = 0;
  KindRows kept =
      withoutRepeats(finiteRows({rows.headDim, rows.vectors, rows.position, rows.example}, dropped), repeats);
  return thinnedRows(std::move(kept), settings.maxRows, settings.seed, layer, head,
                     set == RowSet::Query ? RowKind::Query : RowKind::Key);
}

}  // namespace

HeadRows readHead(const CaptureFile& capture, const HeadName& name, AnalysisSettings settings) {
  settings.heads = name.text();
  settings.layers = "";
  const HeadPlace place = chooseHeadWork(capture.info(), settings).groups.front().heads.front();
  HeadRows rows{place, readRows(capture, place.layer, place.head, RowSet::Query, settings),
                readRows(capture, place.layer, place.kvHead, RowSet::Key, settings)};
  if (rows.query.headDim() != rows.key.headDim())
    throw InputError("layer " + std::to_string(place.layer) + ": queries and keys differ in length");
  return rows;
}

}  // namespace plastiscope
