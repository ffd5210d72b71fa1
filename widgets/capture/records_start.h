#pragma once
// The page of the records source before there are any: what to choose, or why that could not be used, and
// the data sets that are on this computer already.
#include <QWidget>

#include "core/text/record_files.h"
#include "widgets/jobs/job_runner.h"

class QLabel;
class QVBoxLayout;

namespace plastiscope {

class RecordsStart : public QWidget {
  Q_OBJECT
 public:
  RecordsStart(Workers& workers, const QString& hint, QWidget* parent = nullptr);
  void say(const QString& sentence);  // "" = the hint

 Q_SIGNALS:
  void chosen(const plastiscope::FoundRecords& records);

 private:
  void offer(const std::vector<FoundRecords>& found);

  QString m_hint;
  JobRelay m_search;
  QLabel* m_text;
  QVBoxLayout* m_choices;
};

}  // namespace plastiscope
