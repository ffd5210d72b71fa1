#pragma once
// The parts of a running program that have no widgets. The window connects them with what it shows; each part
// knows only those above it.
#include "app/desktop/study_jobs.h"
#include "widgets/models/study_model.h"

namespace plastiscope {

struct Session {
  explicit Session(std::filesystem::path folder);  // for settings and sessions

  PageServices pageServices() { return {workers, ranges, state.folder()}; }
  // True while the library is read or a file is opened or written.
  bool busy() const { return library.busy() || captures.searching() || opener.busy() || studyJobs.busy(); }

  UserState state;
  Workers workers;
  LockedRanges ranges;
  JobList jobs;
  CaptureList captures;
  Library library;
  FileOpener opener;
  StudyJobs studyJobs;
};

}  // namespace plastiscope
