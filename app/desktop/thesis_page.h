#pragma once
// Figures of the thesis as live plots of its published numbers: a list, the selected figure, and which parts
// of it were not published.
#include <QWidget>
#include <string>

#include "widgets/jobs/job_runner.h"

class QLabel;
class QListWidget;

namespace plastiscope {

class FigureView;

class ThesisPage : public QWidget {
  Q_OBJECT
 public:
  explicit ThesisPage(Workers& workers, QWidget* parent = nullptr);  // `workers` must outlive the page
  void showFigure(const std::string& id);
  std::string figure() const { return m_figure; }
  bool isDrawn() const;  // the figure has published numbers
  bool settled() const { return !m_runner.running(); }
  QPixmap currentPicture() const;

 Q_SIGNALS:
  void figureChanged();

 private:
  JobRunner m_runner;
  std::string m_figure;
  QListWidget* m_list;
  QLabel *m_title, *m_note;
  FigureView* m_view;
};

}  // namespace plastiscope
