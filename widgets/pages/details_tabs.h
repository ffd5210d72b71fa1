#pragma once
// The tabbed panel beside the main views: every view of ViewArea::Details is a page of it.
#include "widgets/pages/view_spec.h"

class QTabWidget;

namespace plastiscope {

class DetailsTabs : public ViewPanel {
  Q_OBJECT
 public:
  DetailsTabs(const ViewCatalogue& views, StudyModel& model, QWidget* parent);
  QString currentId() const;
  QWidget* currentPanel() const;
  void showPage(const QString& id);

 Q_SIGNALS:
  void pageChanged(const QString& id);

 private:
  void showOptions();
  QTabWidget* m_tabs;
  QList<ViewPanel*> m_panels;
};

}  // namespace plastiscope
