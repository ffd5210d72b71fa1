#pragma once
// Beside the picture of the benchmarks tab: all predictors in a table, how much hangs on one model, and what
// a reader must know.
#include <QWidget>

#include "core/compare/benchmark_data.h"
#include "widgets/state/list_table.h"

class QLabel;
class QTableView;

namespace plastiscope {

class BenchmarkSide : public QWidget {
  Q_OBJECT
 public:
  explicit BenchmarkSide(QWidget* parent = nullptr);
  void setData(const std::shared_ptr<const BenchmarkData>& data);

 Q_SIGNALS:
  void predictorChosen(const std::string& column);  // by mouse or keyboard

 private:
  void setUpTable();

  ListTable<PredictorResult> m_results;  // all predictors beside each other
  QTableView* m_table;
  QLabel *m_note, *m_caveats;
};

}  // namespace plastiscope
