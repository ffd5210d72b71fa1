#include "widgets/compare/compare_maps.h"

#include <QEvent>
#include <QHBoxLayout>

#include "widgets/compare/column_header.h"
#include "widgets/plots/plasticity_map_view.h"

namespace plastiscope {

CompareMaps::CompareMaps(CompareModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_row(new QHBoxLayout(this)) {
  m_row->setContentsMargins(0, 0, 0, 0);
  m_row->setSpacing(1);
  connect(&model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { take(*views); });
}

CompareMaps::Column CompareMaps::makeColumn(std::size_t index) {
  Column column;
  column.holder = new QWidget(this);
  column.header = new ColumnHeader(column.holder);
  column.map = new PlasticityMapView(column.holder);
  column.map->setObjectName(QStringLiteral("compareMap%1").arg(index));
  auto* box = new QVBoxLayout(column.holder);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(column.header);
  box->addWidget(column.map, 1);
  m_row->addWidget(column.holder, 1);
  return column;
}

// The marks are pictures in the theme's colours.
void CompareMaps::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_model.views() != nullptr) take(*m_model.views());
}

void CompareMaps::take(const CompareViews& views) {
  while (m_columns.size() > views.maps.size()) {
    delete m_columns.back().holder;
    m_columns.pop_back();
  }
  while (m_columns.size() < views.maps.size()) m_columns.push_back(makeColumn(m_columns.size()));
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const Column& column = m_columns[i];
    const ComparedModel& model = views.comparison->models[i];
    const auto& map = views.maps[i];
    column.header->show(QString::fromStdString(comparedName(model).family),
                        QString::fromStdString(model.name),
                        map != nullptr ? QString::fromStdString(map->scopeText) : QString());
    if (map == nullptr) {
      column.map->setMessage(tr("This analysis has no plasticity map of these heads."));
      continue;
    }
    column.map->setRange(std::nullopt);  // 0 to 1, as everywhere
    column.map->setData(map);
    if (views.choices.ownRanges) column.map->setRangeFromData();
  }
}

}  // namespace plastiscope
