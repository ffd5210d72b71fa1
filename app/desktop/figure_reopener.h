#pragma once
// Opens what exported figures show: their captures, their head and metric, their view; and keeps their
// settings for the next export.
#include <QHash>
#include <QObject>
#include <functional>
#include <map>
#include <optional>

#include "widgets/export/exported_figure.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/pages/message_bar.h"
#include "widgets/state/session_state.h"

namespace plastiscope {

class ComparePage;
class MainWindow;
class ModelPage;
class Session;

class FigureReopener : public QObject {
  Q_OBJECT
 public:
  using OpenFiles = std::function<void(const std::vector<std::filesystem::path>&, const ViewSelection&)>;
  // `openFiles` opens captures, analyses, models and texts. Both objects must outlive this one.
  FigureReopener(MainWindow& window, Session& session, OpenFiles openFiles);

  // Figures among the files are reopened, the others opened as they are.
  void open(const std::vector<std::filesystem::path>& files, const ViewSelection& selection);
  bool busy() const { return m_runner.running() || !m_waiting.empty(); }
  // The settings of the figure that was reopened into this page, while the same view is in front.
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
  OpenFiles m_openFiles;
  JobRunner m_runner;
  std::map<std::filesystem::path, Reopened> m_waiting;  // for the capture of this path
  QHash<const QWidget*, Kept> m_kept;
};

}  // namespace plastiscope
