#pragma once
#include <QString>
#include <filesystem>
#include <vector>

#include "core/capture/capture_request.h"
#include "widgets/state/state_file.h"

class QMenu;
class QWidget;

namespace plastiscope {

// Captures that were begun and are not finished: those of this program are remembered with their settings,
// so that they can go on after it was closed or died; those of the command line are found by their work
// folders.
struct UnfinishedCapture {
  CaptureRequest draft;
  std::int64_t finished = 0, total = 0;  // texts
  bool runsElsewhere = false;            // another process works on it
  double share = 0;                      // of all work, when texts that are half done are kept too
  QString sentence() const;
};

// Work in a folder of which is known what was asked for.
struct FoundCaptures {
  std::vector<CaptureRequest> drafts;
  std::vector<UnfinishedCapture> running;  // those that some process works on, as they were just now
};
// Reads a few small files, perhaps of another computer: not for the GUI thread.
FoundCaptures findUnfinishedCaptures(const std::filesystem::path& folder);

class UnfinishedCaptures {
 public:
  explicit UnfinishedCaptures(const std::filesystem::path& file);

  void remember(const CaptureRequest& draft);  // Error as writing a file
  void forget(const CaptureRequest& draft);    // also a found one; as above
  void setFound(FoundCaptures found);
  // Those with finished or unfinished work in their folders now. Found ones only while no process works on
  // them: a capture that runs is not unfinished for lack of somebody to resume it.
  std::vector<UnfinishedCapture> unfinished() const;
  // Found ones that others work on; as they were when they were found.
  const std::vector<UnfinishedCapture>& running() const { return m_running; }

 private:
  void save();

  StateFile m_file;
  std::vector<CaptureRequest> m_own, m_found;
  std::vector<UnfinishedCapture> m_running;
};

// What can be done with captures that were interrupted: resume, look at, discard.

class CaptureList;

void fillUnfinishedMenu(QMenu& menu, CaptureList& captures, const std::vector<UnfinishedCapture>& shown);
// Asks first: what is finished of it is lost.
void discardAfterAsking(CaptureList& captures, const CaptureRequest& draft, QWidget* parent);

}  // namespace plastiscope
