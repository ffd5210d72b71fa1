#pragma once
// The top of the benchmarks tab: scores, group and predictor, and the own analyses beside the thesis' models.
#include <QFrame>

#include "widgets/compare/benchmark_model.h"

class QComboBox;
class QHBoxLayout;

namespace plastiscope {

class BenchmarkBar : public QFrame {
  Q_OBJECT
 public:
  explicit BenchmarkBar(BenchmarkModel& model, QWidget* parent = nullptr);

 Q_SIGNALS:
  void scoresRequested();  // a person wants to choose a CSV file
  void addRequested();     // ... own analyses

 private:
  QComboBox* addBox(QHBoxLayout& row, const char* name, const QString& title, const QString& tip);
  void chooseScores();
  void choose(std::string BenchmarkChoices::* part, const QComboBox& box);
  void fillScores();
  void fillOwn();
  void take(const BenchmarkData& data);

  BenchmarkModel& m_model;
  QHBoxLayout* m_own;
  QComboBox *m_scores, *m_group, *m_predictor;
};

}  // namespace plastiscope
