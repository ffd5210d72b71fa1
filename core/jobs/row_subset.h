#pragma once
// Subset of a capture's rows: those of chosen texts, positions and types of tokens (settings examples,
// positions, token_types), for queries and keys alike.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/row_choice.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Indices of the texts in a list, ascending: "" = all. UsageError for texts that do not exist.
std::vector<std::int64_t> textsMeant(const std::string& list, const CaptureInfo& info);
// The shortest list of these indices: "0-3,7"; "" for all of them.
std::string textList(const std::vector<std::int64_t>& ascending, const CaptureInfo& info);
// The rows for which `keep` is true, in their order.
CapturedRows keptRows(const CapturedRows& rows,
                      const std::function<bool(std::int64_t example, std::int64_t position)>& keep);

// The rows that the settings choose, with CaptureInfo::queryShare set. Returns the capture itself if that is
// every row; never nests subsets. Dense: texts without rows are no examples, as resamples need it; Kept:
// every text keeps its number. UsageError for texts that do not exist, InputError for token types if the
// capture has no texts.
enum class ExampleNumbers { Kept, Dense };
std::shared_ptr<const CaptureFile> subsetOf(std::shared_ptr<const CaptureFile> capture,
                                            const AnalysisSettings& settings,
                                            ExampleNumbers numbers = ExampleNumbers::Kept);
// The same for a capture that outlives the result.
std::shared_ptr<const CaptureFile> subsetOf(const CaptureFile& capture, const AnalysisSettings& settings,
                                            ExampleNumbers numbers = ExampleNumbers::Kept);

// A text with all its positions: in the capture behind a subset, or in a whole capture itself.
struct WholeText {
  const CaptureFile* capture = nullptr;
  std::int64_t example = 0;
  std::function<bool(std::int64_t position)> chosen;  // null: all are
};
WholeText wholeText(const CaptureFile& capture, std::int64_t example);

}  // namespace plastiscope
