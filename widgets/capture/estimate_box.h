#pragma once
// Estimated needs of a capture: tokens, time, memory, disk, rows, and whether it fits.
#include <QFrame>

#include "core/base/json_value.h"

class QLabel;
class QProgressBar;

namespace plastiscope {

class EstimateBox : public QFrame {
  Q_OBJECT
 public:
  explicit EstimateBox(QWidget* parent = nullptr);
  void showWaiting(const QString& sentence);  // no estimate yet, or running
  void showEstimate(const Json& estimate);    // CaptureEstimate::toJson()
  void showFailure(const QString& sentence);

 private:
  struct Line {
    QLabel *name, *value, *remark;
    QProgressBar* bar = nullptr;
  };
  Line addLine(int row, const QString& name, bool withBar);
  static void setShown(const Line& line, bool shown);
  void clear();

  Line m_tokens, m_time, m_memory, m_card, m_disk, m_rows;
  QLabel *m_state, *m_verdict;
};

}  // namespace plastiscope
