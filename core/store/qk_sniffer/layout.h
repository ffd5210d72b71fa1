#pragma once
// Folders of the qk-sniffer layout: ROOT/lLLhHHq and ROOT/lLLhHHk, each with data.parquet. The older layout
// has one folder per model above them.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/store/capture_file.h"

namespace plastiscope {

struct QkHeadFile {
  RowPlace place;  // of queries or keys
  std::filesystem::path file;
};

struct QkFolder {
  std::filesystem::path path;     // contains the head folders
  std::filesystem::path parent;   // contains `path`; has _saver_state.json in the older layout
  bool olderLayout = false;       // the given folder contains the model's folder
  std::vector<QkHeadFile> heads;  // by layer, queries before keys, head
};

// "l03h07q". InputError above 99: the layout has two digits.
std::string qkFolderName(const RowPlace& place);

// `folder`: the root of either layout, or one model's folder of the older one. InputError: no head folders, a
// folder with data.parquet but another kind of name, a head folder without it, several models.
QkFolder openQkFolder(const std::filesystem::path& folder);

// Progress over heads under one stage name, with the time left. Passes everything on; shows the stages of
// partial work (sealing) as `stage`.
class HeadProgress : public Progress {
 public:
  HeadProgress(Progress& progress, std::string stage, double heads)
      : m_progress(progress), m_stage(std::move(stage)), m_meter(heads) {}
  void advanced(const ProgressState& state) override {
    ProgressState mine = state;
    mine.stage = m_stage;
    m_meter.add(state.done - m_done);
    m_done = state.done;
    mine.etaSeconds = m_meter.etaSeconds();
    m_progress.advanced(mine);
  }
  void warned(std::string_view sentence) override { m_progress.warned(sentence); }
  bool stopRequested() const override { return m_progress.stopRequested(); }

 private:
  Progress& m_progress;
  std::string m_stage;
  double m_done = 0;
  RateMeter m_meter;
};

}  // namespace plastiscope
