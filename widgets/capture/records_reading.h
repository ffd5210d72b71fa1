#pragma once
// The page of the records source while a file is read: how far it is, and a way to stop.
#include <QWidget>

#include "core/base/progress.h"

class QLabel;
class QProgressBar;

namespace plastiscope {

class RecordsReading : public QWidget {
  Q_OBJECT
 public:
  explicit RecordsReading(QWidget* parent = nullptr);
  void begin(const QString& name);
  void report(const ProgressState& progress);

 Q_SIGNALS:
  void cancelRequested();

 private:
  QLabel* m_note;
  QProgressBar* m_bar;
};

}  // namespace plastiscope
