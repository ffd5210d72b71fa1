#pragma once
// What an analysis takes from a capture: the heads it works on, grouped by the KV head whose keys they share,
// their rows, and what its tables need to know beside them.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/attention_scores.h"
#include "core/analysis/bins.h"
#include "core/analysis/head_rows.h"
#include "core/analysis/settings.h"
#include "core/analysis/tables.h"
#include "core/base/progress.h"
#include "core/capture/head_choice.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Query heads of one layer that read the same KV head.
struct HeadGroup {
  std::int64_t kvHead = 0;
  std::vector<HeadId> heads;      // ascending
  std::vector<std::size_t> slot;  // place of each in the order of (layer, head)
};

struct HeadWork {
  std::vector<HeadGroup> groups;
  std::size_t heads = 0;
};

// UsageError when a listed head or layer was not captured, or nothing remains.
HeadWork chooseHeadWork(const CaptureInfo& info, const AnalysisSettings& settings);

// InputError when the capture does not state a usable window or bucket size.
CaptureFrame frameOf(const CaptureInfo& info);
// The grid of the whole capture, or of its subset, whichever heads are chosen. UsageError when it would have
// too many bins.
BinGrid gridOf(const CaptureInfo& info, const AnalysisSettings& settings);

// How many bins aligned values have with bins = density, likewise.
std::int64_t alignedBinsOf(const CaptureInfo& info, const AnalysisSettings& settings);

// The name of an example, or its number where the capture has no name for it.
std::string exampleName(const CaptureInfo& info, std::int64_t example);

// Finite rows without repeats, no more than settings.maxRows; what was left out is told in `warnings`.
// InputError for positions outside the window.
VectorRows readRows(const CaptureFile& capture, const RowPlace& place, const AnalysisSettings& settings,
                    std::vector<std::string>& warnings);

// Everything that the analysis of one head starts from.
struct HeadRows {
  HeadId place;
  VectorRows query, key;
};
// For questions about a single head. UsageError for a head that was not captured; InputError for rows that do
// not belong together.
HeadRows readHead(const CaptureFile& capture, const HeadName& name, AnalysisSettings settings);

// The attention scores of a dense head; missing where the capture lacks what they take. InputError for rows
// that cannot be read, Stopped.
AttentionScores attentionOf(const CaptureFile& capture, const HeadId& place, const Progress& progress);

// Means of the losses of all texts, and of each where `ofTexts` is given; nothing where the capture has none. InputError when they
// cannot be read.
std::optional<LossSummary> lossesOf(const CaptureFile& capture, std::vector<LossSummary>* ofTexts = nullptr);

// What the tables of an analysis need to know. RoPE settings that this program cannot read leave the layers
// without frequencies.
TableContext tableContextOf(const CaptureFile& capture, const AnalysisSettings& settings);

}  // namespace plastiscope
