#pragma once
// Exports all figures of a tab into one folder: a failing figure is reported, the others are written.
#include <QObject>
#include <filesystem>
#include <functional>

#include "core/base/progress.h"
#include "widgets/export/figure_files.h"
#include "widgets/jobs/job_runner.h"

namespace plastiscope {

// Figures that these studies can show, with the venue and font of `spec`: of its head and of all heads.
std::vector<FigureSpec> figuresOfTab(const Studies& studies, const FigureSpec& spec);

struct BatchOrder {
  Studies studies;
  std::vector<FigureSpec> figures;
  std::filesystem::path folder;
  std::string extension = "pdf";
  ExportOptions options;
};

struct BatchResult {
  std::vector<std::filesystem::path> written;
  std::vector<std::string> problems;  // "map-L4H2: SENTENCE"
  int exitCode = 0;                   // exit code for the first problem
};

// Checks before any work: InputError, UsageError for the first file that may not be written.
void requireBatchPlaces(const BatchOrder& order);

// Exports synchronously, one after the other. GUI thread.
BatchResult exportAll(const BatchOrder& order);

// Asynchronous version for a window: numbers in a worker, drawing between events.
class FigureBatch : public QObject {
  Q_OBJECT
 public:
  explicit FigureBatch(Workers& workers, QObject* parent = nullptr);
  void start(BatchOrder order);
  void cancel();  // written files are kept; finished() follows
  bool running() const { return m_running; }
  bool stopped() const { return m_at < m_order.figures.size(); }  // ended before the last figure
  const BatchResult& result() const { return m_result; }

 Q_SIGNALS:
  void progressed(int done, int total);
  void finished();

 private:
  void next();
  void end();

  BatchOrder m_order;
  BatchResult m_result;
  std::size_t m_at = 0;
  bool m_running = false;
  JobRunner m_runner;
};

}  // namespace plastiscope
