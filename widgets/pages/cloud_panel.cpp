#include <QVBoxLayout>

#include "widgets/cloud/cloud_view.h"
#include "widgets/models/study_model.h"
#include "widgets/pages/head_panels.h"

namespace plastiscope {
namespace {

// The rows in three axes; its data is only made while it can be seen.
class CloudPanel : public ViewPanel {
 public:
  CloudPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent), m_model(model), m_view(new CloudView(this)) {
    m_view->setObjectName(QStringLiteral("cloudView"));
    m_view->setMessage(tr("Loading …"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    connect(&model, &StudyModel::cloudReady, m_view, &CloudView::setData);
    connect(&model, &StudyModel::failed, m_view, &CloudView::setMessage);
  }

 protected:
  void showEvent(QShowEvent* event) override {
    ViewPanel::showEvent(event);
    m_model.setCloudWanted(true);
  }
  void hideEvent(QHideEvent* event) override {
    ViewPanel::hideEvent(event);
    m_model.setCloudWanted(false);
  }

 private:
  StudyModel& m_model;
  CloudView* m_view;
};

}  // namespace

ViewPanel* makeCloudPanel(StudyModel& model, QWidget* parent) {
  return new CloudPanel(model, parent);
}

}  // namespace plastiscope
