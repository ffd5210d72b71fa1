#pragma once
// Opens whatever a person opens: a capture (analysed at once, or from the cached analysis beside it) or an
// analysis.
#include <filesystem>
#include <memory>
#include <vector>

#include "core/analysis/row_choice.h"
#include "core/jobs/analyze_job.h"
#include "core/views/study.h"

namespace plastiscope {

// A capture X.h5 finds its analysis in X.analysis.h5 beside it, in the user's cache folder when that place
// cannot be written or holds an analysis with other settings, or under another name in its folder; it is used
// when capture and settings hash agree, else computed anew and written there. An analysis finds its capture
// at the recorded path, among the files `elsewhere`, or in its own folder under any name; damaged tables are
// left out of it, and what needs one says so. InputError when the file is neither. An analysis without
// damaged heads is not kept for the next time.
struct OpenOptions {
  DamagedHeads damaged = DamagedHeads::Refuse;
  std::vector<std::filesystem::path> elsewhere = {};
};
std::shared_ptr<const Study> openStudy(const StoredFile& file, const AnalysisSettings& settings, int threads,
                                       Progress& progress, const OpenOptions& options = {});
std::shared_ptr<const Study> openStudy(const std::filesystem::path& file, const AnalysisSettings& settings,
                                       int threads, Progress& progress, const OpenOptions& options = {});

// 95 % intervals of what a capture's study shows, by a jackknife over its examples (setting interval). They
// are an analysis of their own in the user's cache folder, so that what commands make of the capture does not
// depend on them.

// Whether intervals can be added: a capture of two examples or more whose analysis has none.
bool lacksIntervals(const Study& study);
// Whether they were.
bool hasAddedIntervals(const Study& study);
// The study with the intervals that are kept for it; the study itself where there are none.
std::shared_ptr<const Study> withKeptIntervals(std::shared_ptr<const Study> study);
// Computes and keeps them. Every example is left out by itself as long as that is some seconds to a minute of
// work, else fewer and larger groups are. Stopped.
std::shared_ptr<const Study> withIntervals(const Study& study, int threads, Progress& progress);

// The study with these rows alone, analysed anew with the settings of its analysis, but for intervals that
// were added; not kept. UsageError and InputError as subsetOf (row_subset.h), Stopped.
std::shared_ptr<const Study> withRows(const Study& whole, const RowChoice& choice, int threads,
                                      Progress& progress);

}  // namespace plastiscope
