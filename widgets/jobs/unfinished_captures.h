#pragma once
#include <QString>
#include <filesystem>
#include <vector>

#include "core/capture/capture_request.h"
#include "widgets/state/state_file.h"

class QMenu;
class QWidget;

namespace plastiscope {

// Captures that were begun and are unfinished: those of this program are stored with their settings and can
// be resumed after it was closed or crashed; those of the command line are found by their work folders.
struct UnfinishedCapture {
  CaptureRequest draft;
  std::int64_t finished = 0, total = 0;  // texts
  bool runsElsewhere = false;            // another process works on it
  double share = 0;                      // share of all work when half-finished texts are kept too
  QString sentence() const;
};

// Work in a folder whose settings are known.
struct FoundCaptures {
  std::vector<CaptureRequest> drafts;
  std::vector<UnfinishedCapture> running;  // captures of running processes, in their current state
};
// Reads a few small files, perhaps over a network: not for the GUI thread.
FoundCaptures findUnfinishedCaptures(const std::filesystem::path& folder);

class UnfinishedCaptures {
 public:
  explicit UnfinishedCaptures(const std::filesystem::path& file);

  void remember(const CaptureRequest& draft);  // Error as writing a file
  void forget(const CaptureRequest& draft);    // also a found one; as above
  void setFound(FoundCaptures found);
  // Captures with finished or unfinished work in their folders now. Found ones only while no process works on
  // them.
  std::vector<UnfinishedCapture> unfinished() const;
  // Found captures that other processes work on, in the state when they were found.
  const std::vector<UnfinishedCapture>& running() const { return m_running; }

 private:
  void save();

  StateFile m_file;
  std::vector<CaptureRequest> m_own, m_found;
  std::vector<UnfinishedCapture> m_running;
};

// Actions for interrupted captures: resume, open, discard.

class CaptureList;

void fillUnfinishedMenu(QMenu& menu, CaptureList& captures, const std::vector<UnfinishedCapture>& shown);
// Asks first: finished work is lost.
void discardAfterAsking(CaptureList& captures, const CaptureRequest& draft, QWidget* parent);

}  // namespace plastiscope
