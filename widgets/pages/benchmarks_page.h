#pragma once
// Benchmarks tab: predictors against scores, for the thesis' models and the user's analyses together.
#include <QWidget>
#include <filesystem>

#include "widgets/compare/benchmark_model.h"
#include "widgets/pages/panel_window.h"

namespace plastiscope {

class BenchmarkSide;
class BenchmarkView;

class BenchmarksPage : public QWidget {
  Q_OBJECT
 public:
  // `workers` and `jobs` must outlive the page.
  BenchmarksPage(const SessionTab& start, Workers& workers, JobList& jobs, QWidget* parent = nullptr);
  ~BenchmarksPage() override;

  BenchmarkModel& model() { return m_model; }
  const BenchmarkModel& model() const { return m_model; }
  SessionTab sessionTab() const;
  // Score tables (CSV) replace the benchmark, other files are added as analyses.
  void add(const std::vector<std::filesystem::path>& files);
  QPixmap currentPicture() const;

 Q_SIGNALS:
  void scoresRequested();  // the user wants to choose a CSV file
  void addRequested();     // the user wants to add analyses
  void complained(const QString& sentence);
  void changed();                       // state to save has changed
  void viewEntered(const QString& id);  // the plot, the side panel, or the bar

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void connectModel();
  void choosePredictor(const std::string& column);
  void showData(const std::shared_ptr<const BenchmarkData>& data);
  void complain(const QString& sentence);

  BenchmarkModel m_model;
  ActivePanel m_active;
  BenchmarkView* m_view;
  BenchmarkSide* m_side;
};

}  // namespace plastiscope
