#include "widgets/compare/compare_grids.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "widgets/compare/column_header.h"
#include "widgets/plots/head_grid_view.h"

namespace plastiscope {

CompareGrids::CompareGrids(CompareModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_row(new QHBoxLayout(this)) {
  m_row->setContentsMargins(0, 0, 0, 0);
  m_row->setSpacing(1);
  connect(&model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { take(*views); });
}

CompareGrids::Column CompareGrids::makeColumn(std::size_t index) {
  Column column;
  column.holder = new QWidget(this);
  column.header = new ColumnHeader(column.holder);
  column.grid = new HeadGridView(column.holder);
  column.grid->setObjectName(QStringLiteral("compareGrid%1").arg(index));
  auto* box = new QVBoxLayout(column.holder);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(column.header);
  box->addWidget(column.grid, 1);
  connect(column.grid, &HeadGridView::headActivated, this,
          [this, index](HeadName head) { m_model.selectHeadOf(index, head); });
  m_row->addWidget(column.holder, 1);
  return column;
}

void CompareGrids::fillColumn(const Column& column, const CompareViews& views, std::size_t index) {
  const ComparedModel& model = views.comparison->models[index];
  const auto& head = views.heads[index];
  column.header->show(QString::fromStdString(comparedName(model).family), QString::fromStdString(model.name),
                      head ? QString::fromStdString(head->text()) : tr("no such head"));
  const auto& grid = views.grids.grids[index];
  // Wide models lie down, as in a model tab.
  column.grid->setTransposed(model.facts.queryHeads > 2 * model.facts.layers);
  column.grid->setRange(views.choices.ownRanges ? std::nullopt : std::optional(views.grids.range));
  if (grid != nullptr)
    column.grid->setData(grid);
  else
    column.grid->setMessage(tr("This analysis has no %1.").arg(QString::fromStdString(views.metric)));
  column.grid->setSelectedHead(head);
}

// The marks are pictures in the theme's colours.
void CompareGrids::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_model.views() != nullptr) take(*m_model.views());
}

void CompareGrids::take(const CompareViews& views) {
  while (m_columns.size() > views.comparison->models.size()) {
    delete m_columns.back().holder;
    m_columns.pop_back();
  }
  while (m_columns.size() < views.comparison->models.size())
    m_columns.push_back(makeColumn(m_columns.size()));
  for (std::size_t i = 0; i < m_columns.size(); ++i) fillColumn(m_columns[i], views, i);
}

}  // namespace plastiscope
