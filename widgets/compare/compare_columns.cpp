#include "widgets/compare/compare_columns.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "widgets/compare/column_header.h"
#include "widgets/plots/series_icon.h"

namespace plastiscope {

CompareColumns::CompareColumns(CompareModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_row(new QHBoxLayout(this)) {
  m_row->setContentsMargins(0, 0, 0, 0);
  m_row->setSpacing(1);
  connect(&model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { take(*views); });
}

CompareColumns::Column CompareColumns::makeColumn(std::size_t index) {
  Column column;
  column.holder = new QWidget(this);
  column.header = new ColumnHeader(column.holder);
  column.view = makeView(index);
  auto* box = new QVBoxLayout(column.holder);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(column.header);
  box->addWidget(column.view, 1);
  m_row->addWidget(column.holder, 1);
  return column;
}

// The marks of the models are pictures in the theme's colours.
void CompareColumns::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) retitle();
}

void CompareColumns::retitle() {
  const auto& views = m_model.views();
  if (views == nullptr || views->comparison->models.size() != m_columns.size()) return;
  const std::vector<QIcon> marks = seriesIcons(*views->comparison);
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const ComparedModel& model = views->comparison->models[i];
    const QString name = QString::fromStdString(model.name);
    m_columns[i].header->show(marks[i], name, noteOf(*views, i));
    m_columns[i].view->setAccessibleDescription(QStringLiteral("%1, %2").arg(name, noteOf(*views, i)));
  }
}

void CompareColumns::take(const CompareViews& views) {
  while (m_columns.size() > views.comparison->models.size()) {
    delete m_columns.back().holder;
    m_columns.pop_back();
  }
  while (m_columns.size() < views.comparison->models.size())
    m_columns.push_back(makeColumn(m_columns.size()));
  for (std::size_t i = 0; i < m_columns.size(); ++i) fill(m_columns[i].view, views, i);
  retitle();
}

}  // namespace plastiscope
