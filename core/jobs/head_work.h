#pragma once
// Input of an analysis from a capture: the heads, grouped by the KV head whose keys they share, their rows,
// and further facts for the tables.
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
#include "core/capture/head_list.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Query heads of one layer that share a KV head.
struct KeyHeadGroup {
  std::int64_t kvHead = 0;
  std::vector<HeadId> heads;      // ascending
  std::vector<std::size_t> slot;  // index of each in the order of (layer, head)
};

struct HeadWork {
  std::vector<KeyHeadGroup> groups;
  std::size_t heads = 0;
};

// UsageError if a listed head or layer was not captured, or none remains.
HeadWork chooseHeadWork(const CaptureInfo& info, const AnalysisSettings& settings);

// InputError if the capture does not state a valid window or bucket size.
CaptureFrame frameOf(const CaptureInfo& info);
// The grid of the whole capture or subset, independent of the chosen heads. UsageError if it would have too
// many bins.
BinGrid gridOf(const CaptureInfo& info, const AnalysisSettings& settings);

// Number of bins of aligned values for bins = density, likewise.
std::int64_t alignedBinsOf(const CaptureInfo& info, const AnalysisSettings& settings);

// The name of an example, or its number if it has none.
std::string exampleName(const CaptureInfo& info, std::int64_t example);

// Finite rows without repeats, at most settings.maxRows; rows left out are reported in `warnings`. InputError
// for positions outside the window.
VectorRows readRows(const CaptureFile& capture, const RowPlace& place, const AnalysisSettings& settings,
                    std::vector<std::string>& warnings);

// Input of the analysis of one head.
struct HeadRows {
  HeadId place;
  VectorRows query, key;
};
// Reads a single head. UsageError if it was not captured; InputError for inconsistent rows.
HeadRows readHead(const CaptureFile& capture, const HeadName& name, AnalysisSettings settings);

// Adds the attention scores of a head, with those of every resample of the texts: of a dense head from its
// rows, else those that the capture holds. InputError for rows or scores that cannot be read, Stopped.
void addAttention(HeadResult& result, const CaptureFile& capture, const Progress& progress,
                  const Resamples& resamples);

// Adds the attention weights by position of a dense head with aligned values; nothing where its rows do not
// give the softmax. input.texts: not null. InputError, Stopped as above.
void addSoftmax(HeadResult& result, const CaptureFile& capture, const HeadInput& input);

// Mean losses of all texts, and of each if `ofTexts` is given; nothing if the capture has none. InputError if
// they cannot be read.
std::optional<LossSummary> lossesOf(const CaptureFile& capture, std::vector<LossSummary>* ofTexts = nullptr);

// Context of the tables of an analysis. Layers with unsupported RoPE settings have no frequencies.
TableContext tableContextOf(const CaptureFile& capture, const AnalysisSettings& settings);

}  // namespace plastiscope
