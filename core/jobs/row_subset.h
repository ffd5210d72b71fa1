#pragma once
// Some rows of a capture: those of chosen texts, positions and types of tokens (settings examples, positions,
// token_types), queries and keys alike.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/row_choice.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Indices of the texts that a list means, ascending: "" = all. UsageError for what is not there.
std::vector<std::int64_t> textsMeant(const std::string& list, const CaptureInfo& info);
// The shortest list of these indices: "0-3,7"; "" for all of them.
std::string textList(const std::vector<std::int64_t>& ascending, const CaptureInfo& info);
// The rows for which `keep` is true, in their order.
CapturedRows keptRows(const CapturedRows& rows,
                      const std::function<bool(std::int64_t example, std::int64_t position)>& keep);

// The rows that the settings choose, with their share of the query rows in CaptureInfo::queryShare: the
// capture itself where that is every row, and never a subset of a subset. Dense: texts without rows are no
// examples, as resamples need it; Kept: every text keeps its number. UsageError for texts that are not there,
// InputError for types of tokens without texts.
enum class ExampleNumbers { Kept, Dense };
std::shared_ptr<const CaptureFile> subsetOf(std::shared_ptr<const CaptureFile> capture,
                                            const AnalysisSettings& settings,
                                            ExampleNumbers numbers = ExampleNumbers::Kept);
// The same of a capture that outlives it.
std::shared_ptr<const CaptureFile> subsetOf(const CaptureFile& capture, const AnalysisSettings& settings,
                                            ExampleNumbers numbers = ExampleNumbers::Kept);

// A text of a subset where every position of it is: in the capture that the subset is of, or, of a whole
// capture, in itself.
struct WholeText {
  const CaptureFile* capture = nullptr;
  std::int64_t example = 0;
  std::function<bool(std::int64_t position)> chosen;  // null: all are
};
WholeText wholeText(const CaptureFile& capture, std::int64_t example);

}  // namespace plastiscope
