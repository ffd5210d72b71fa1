// Rows of the selected head on three axes.
#include "widgets/cloud/cloud_view.h"
#include "widgets/models/study_model.h"
#include "widgets/models/text_links.h"
#include "widgets/panels/view_panel.h"

namespace plastiscope {
namespace {

// Its data are prepared only while it is visible.
class CloudPanel : public ViewPanel {
 public:
  CloudPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent), m_model(model), m_view(fillWith(new CloudView(this), "cloudView")) {
    connect(&model, &StudyModel::cloudReady, this, [this](const std::shared_ptr<const CloudData>& cloud) {
      m_queries = cloud->queryRows;
      m_view->setData(cloud);
      showChoices(m_model.selection().value());
    });
    connect(&model.selection(), &Selection::changed, this, &CloudPanel::showChoices);
    TokenContext::connectTo(model, m_view);
    connect(m_view, &CloudView::rowPicked, this, &CloudPanel::pick);
    connect(&model, &StudyModel::cloudFailed, m_view, &CloudView::setMessage);
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
  // Queries come first in the cloud's rows.
  void showChoices(const ViewSelection& now) {
    std::vector<std::size_t> rows;
    if (now.rows && now.head && now.rows->layer == now.head->layer) {
      for (const std::int64_t row : now.rows->query) rows.push_back(static_cast<std::size_t>(row));
      for (const std::int64_t row : now.rows->key) rows.push_back(m_queries + static_cast<std::size_t>(row));
    }
    m_view->setSelectedRows(std::move(rows));
    const auto bin = m_model.binOf(now.position);
    m_view->setQueryHighlight(bin ? bin->first : 0, bin ? bin->second : 0);
  }

  // Selects a picked row in the tab.
  void pick(QueryOrKey kind, qint64 row) {
    if (kind == QueryOrKey::Query)
      m_model.selection().setRows({row}, {});
    else
      m_model.selection().setRows({}, {row});
  }

  StudyModel& m_model;
  CloudView* m_view;
  std::size_t m_queries = 0;
};

}  // namespace

ViewPanel* makeCloudPanel(StudyModel& model, QWidget* parent) {
  return new CloudPanel(model, parent);
}

}  // namespace plastiscope
