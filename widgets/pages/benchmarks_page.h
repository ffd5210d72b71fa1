#pragma once
// The benchmarks tab: predictors against scores, the thesis' models and own analyses together.
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
  // Tables of scores (CSV) become the benchmark, anything else an own analysis.
  void add(const std::vector<std::filesystem::path>& files);
  QPixmap currentPicture() const;

 Q_SIGNALS:
  void scoresRequested();  // a person wants to choose a CSV file
  void addRequested();     // ... own analyses
  void complained(const QString& sentence);
  void changed();                       // worth saving
  void viewEntered(const QString& id);  // the picture, what stands beside it, or the bar

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void connectModel();
  void choosePredictor(const std::string& column);
  void take(const std::shared_ptr<const BenchmarkData>& data);
  void complain(const QString& sentence);

  BenchmarkModel m_model;
  ActivePanel m_active;
  BenchmarkView* m_view;
  BenchmarkSide* m_side;
};

}  // namespace plastiscope
