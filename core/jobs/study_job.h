#pragma once
// Opens a capture (analysed now, or with the cached analysis next to it) or an analysis as a study.
#include <filesystem>
#include <memory>
#include <vector>

#include "core/analysis/row_choice.h"
#include "core/jobs/analyze_job.h"
#include "core/views/study.h"

namespace plastiscope {

// The analysis of a capture X.h5 is looked for in X.analysis.h5 next to it, in the user's cache folder if
// that place is not writable or has an analysis with other settings, and under other names in its folder. It
// is used if capture and settings hash agree, else computed and written there, unless damaged heads were left
// out. The capture of an analysis is looked for at the recorded path, among the files `elsewhere`, and in its
// own folder under any name; damaged tables are left out. InputError if the file is neither.
struct OpenOptions {
  DamagedHeads damaged = DamagedHeads::Refuse;
  std::vector<std::filesystem::path> elsewhere = {};
};
std::shared_ptr<const Study> openStudy(const StoredFile& file, const AnalysisSettings& settings, int threads,
                                       Progress& progress, const OpenOptions& options = {});
std::shared_ptr<const Study> openStudy(const std::filesystem::path& file, const AnalysisSettings& settings,
                                       int threads, Progress& progress, const OpenOptions& options = {});

// The study with another analysis of its heads, which gets the imported columns and tables of its own.
std::shared_ptr<const Study> withAnalysis(const Study& study, std::shared_ptr<const AnalysisFile> analysis);

// 95 % intervals for a capture's study, from a jackknife over its examples (setting interval). They are a
// separate analysis in the user's cache folder, so that the outputs of commands do not depend on them.

// Whether intervals can be added: a capture with at least two examples whose analysis has none.
bool lacksIntervals(const Study& study);
// Whether intervals were added.
bool hasAddedIntervals(const Study& study);
// The study with its cached intervals, or the study itself if there are none.
std::shared_ptr<const Study> withKeptIntervals(std::shared_ptr<const Study> study);
// Computes and caches the intervals. Leaves out every example by itself if that takes at most about a minute,
// else fewer and larger groups. Stopped.
std::shared_ptr<const Study> withIntervals(const Study& study, int threads, Progress& progress);

// The study restricted to these rows, analysed with the settings of its analysis except added intervals; not
// cached. UsageError and InputError as subsetOf (row_subset.h), Stopped.
std::shared_ptr<const Study> withRows(const Study& whole, const RowChoice& choice, int threads,
                                      Progress& progress);

}  // namespace plastiscope
