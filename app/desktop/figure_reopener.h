#pragma once
// Reopens exported figures: their captures, head, metric and view; and keeps their settings for the next
// export.
#include <QHash>
#include <QObject>
#include <map>
#include <optional>

#include "widgets/export/figure_provenance.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/pages/message_bar.h"
#include "widgets/state/session_state.h"

namespace plastiscope {

class MainWindow;
class ModelPage;
struct Session;

class FigureReopener : public QObject {
  Q_OBJECT
 public:
  FigureReopener(MainWindow& window, Session& session);  // which must outlive this object

  // Reopens figures among the files and opens the others.
  void open(const std::vector<std::filesystem::path>& files, const ViewSelection& selection);
  bool busy() const { return m_runner.running() || !m_waiting.empty(); }
  // Settings of the figure reopened in this page, while the same view is current.
  std::optional<FigureSpec> figureOf(const QWidget* page, const QString& currentFigure) const;

 Q_SIGNALS:
  void said(const plastiscope::Message& message);
  void failed(const QString& sentence);

 private:
  struct Reopened {
    ExportedFigure figure;
    FoundStudies found;
  };
  struct Sorted {
    std::vector<Reopened> figures;
    std::vector<std::filesystem::path> others;
    QStringList problems;
  };
  struct Kept {
    FigureSpec spec;
    QString currentFigure;
  };

  static Sorted sort(const std::vector<std::filesystem::path>& files,
                     const std::vector<std::filesystem::path>& known);
  void show(const Reopened& reopened);
  void showInModelTab(const Reopened& reopened);
  void showInCompareTab(const Reopened& reopened);
  void showInBenchmarks(const Reopened& reopened);
  void showAlone(const Reopened& reopened);
  void studyOpened(const std::filesystem::path& path);
  void apply(ModelPage& page, const Reopened& reopened);
  void keep(QWidget* page, const FigureSpec& spec, const QString& currentFigure);
  void report(const Reopened& reopened, const QString& more = {});

  MainWindow& m_window;
  Session& m_session;
  JobRunner m_runner;
  std::map<std::filesystem::path, Reopened> m_waiting;  // for the capture with this path
  QHash<const QWidget*, Kept> m_kept;
};

}  // namespace plastiscope
