#include "widgets/compare/compare_grids.h"

#include "widgets/plots/head_grid_view.h"

namespace plastiscope {

CompareGrids::CompareGrids(CompareModel& model, QWidget* parent) : CompareColumns(model, parent) {}

QWidget* CompareGrids::makeView(std::size_t index) {
  auto* grid = new HeadGridView;
  grid->setObjectName(QStringLiteral("compareGrid%1").arg(index));
  connect(grid, &HeadGridView::headActivated, this,
          [this, index](HeadName head) { model().selectHeadOf(index, head); });
  return grid;
}

void CompareGrids::fill(QWidget* view, const CompareViews& views, std::size_t index) {
  auto* grid = static_cast<HeadGridView*>(view);  // made above
  const StudyFacts& facts = views.comparison->models[index].facts;
  // Wide models lie down, as in a model tab.
  grid->setTransposed(facts.queryHeads > 2 * facts.layers);
  grid->setRange(views.choices.ownRanges ? std::nullopt : std::optional(views.grids.range));
  if (const auto& data = views.grids.grids[index]; data != nullptr)
    grid->setData(data);
  else
    grid->setMessage(tr("This analysis has no %1.").arg(QString::fromStdString(views.metric)));
  grid->setSelectedHead(views.heads[index]);
}

QString CompareGrids::noteOf(const CompareViews& views, std::size_t index) const {
  const auto& head = views.heads[index];
  return head ? QString::fromStdString(head->text()) : tr("no such head");
}

}  // namespace plastiscope
