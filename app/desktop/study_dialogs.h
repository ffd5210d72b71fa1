#pragma once
// Dialogs that start work: a capture, an analysis, a measurement, tables and pages of the current tab. Offers
// to resume captures that ended early.
#include "app/desktop/file_tabs.h"

class QMenu;

namespace plastiscope {

struct MeasurementKind;
struct PointedHead;

class StudyDialogs : public QObject {
  Q_OBJECT
 public:
  StudyDialogs(WindowTabs& tabs, FileTabs& files, Session& session, MessageBar& messages);

  void capture(const std::filesystem::path& model = {}, const std::vector<std::filesystem::path>& texts = {});
  void analyse();     // the current capture with other settings
  void chooseRows();  // recomputes the current tab from some of its rows
  // Measures the effect of a change on later layers and predictions by capturing the texts again.
  void measure(const MeasurementKind& kind);
  // Probes the model of the current study, or changes its heads.
  void findCauses();
  void sweep();  // captures models x texts x settings
  void fillSweeps(QMenu& menu);
  void offerUnfinished();  // captures left by an earlier run of the program
  void exportTables();
  void exportPage();
  std::vector<std::filesystem::path> askForStudies(const QString& title);

 Q_SIGNALS:
  void modelRequested();  // a measurement needs a model that is not in the library

 private:
  void measure(const MeasurementKind& kind, const PointedHead& start);
  void captureEnded(const CaptureEnd& end, const CaptureRequest& draft);
  void offerResuming(Message message, const CaptureRequest& draft);
  std::optional<std::filesystem::path> modelOf(const Study& study);  // asks for it if it is not known
  WindowTabs& m_tabs;
  FileTabs& m_files;
  Session& m_session;
  MessageBar& m_messages;
};

}  // namespace plastiscope
