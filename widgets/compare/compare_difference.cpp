#include "widgets/compare/compare_difference.h"

#include <QComboBox>
#include <QStackedWidget>

#include "core/compare/comparison.h"
#include "core/views/metric_info.h"
#include "widgets/compare/compare_tips.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

CompareDifference::CompareDifference(CompareModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_what(named("compareDifferenceOf", new QComboBox(this))),
      m_against(named("compareAgainst", new QComboBox(this))),
      m_stack(new QStackedWidget(this)),
      m_heads(named("compareDifference", new HeadGridView(this))),
      m_map(named("compareMapDifference", new PlasticityMapView(this))) {
  m_what->addItem(tr("heads"), false);
  m_what->addItem(tr("map"), true);
  explain(*m_what, tr("Difference of"),
          tr("The chosen metric head by head, or the plasticity map cell by cell"));
  m_what->setCurrentIndex(model.choices().mapDifference ? 1 : 0);
  m_against->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_against->setMinimumContentsLength(18);
  explain(*m_against, tr("The model from which the first is subtracted"));
  m_stack->addWidget(m_heads);
  m_stack->addWidget(m_map);
  columnIn(this, {m_stack}, {.margins = {}});
  connect(m_heads, &HeadGridView::headActivated, &model.selection(), &Selection::setHead);
  connect(m_map, &PlasticityMapView::cellActivated, this, [this](qint64 column, qint64 row) {
    m_model.selection().setCell(CellChoice{column, row});
  });
  m_map->setTipAddition([this](qint64 column, qint64 row) {
    return m_model.views() != nullptr ? cellTip(*m_model.views(), 0, {column, row}) : QString();
  });
  connect(&model.selection(), &Selection::changed, this, &CompareDifference::mark);
  for (QComboBox* box : {m_what, m_against})
    connect(box, &QComboBox::activated, this, &CompareDifference::choose);
  connect(&model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { take(*views); });
}

void CompareDifference::choose() {
  CompareChoices choices = m_model.choices();
  choices.mapDifference = m_what->currentData().toBool();
  choices.against = m_against->currentData().toInt();
  m_model.setChoices(choices);
}

void CompareDifference::take(const CompareViews& views) {
  fillAgainst(views);
  const bool map = views.choices.mapDifference;
  m_stack->setCurrentIndex(map ? 1 : 0);
  const QString metric = QString::fromStdString(describeMetric(views.metric).title);
  Q_EMIT titleChanged(map ? tr("Difference: plasticity map") : tr("Difference: %1").arg(metric));
  const auto& models = views.comparison->models;
  const bool published = models.front().published || models[views.against].published;
  if (views.difference != nullptr)
    m_heads->setData(views.difference);
  else
    m_heads->setMessage(
        published ? tr("No heads are published: there is no difference head by head.")
        : views.grids.grids.front() == nullptr || views.grids.grids[views.against] == nullptr
            ? tr("An analysis has no %1: there is no difference.").arg(metric)
            : tr("The models differ in the number of layers or heads: there is no difference head by head."));
  m_heads->setSelectedHead(views.heads.front());
  if (!map) return;
  if (views.mapDifference != nullptr)
    m_map->setDifference(views.mapDifference->map, views.mapDifference->reach);
  else
    m_map->setMessage(tr("Window or map cells differ, or a model has no map: there is no difference."));
  mark();
}

// The difference uses the cells of the first map.
void CompareDifference::mark() {
  m_map->setMarked(markedCell(m_model));
}

void CompareDifference::fillAgainst(const CompareViews& views) {
  std::vector<std::string> names;
  for (const ComparedModel& model : views.comparison->models) names.push_back(model.name);
  names = withoutCommonStart(withoutOwners(names));
  m_against->clear();
  for (std::size_t i = 1; i < names.size(); ++i)
    m_against->addItem(
        tr("%1 \u2212 %2").arg(QString::fromStdString(names[i]), QString::fromStdString(names.front())),
        static_cast<int>(i));
  m_against->setCurrentIndex(static_cast<int>(views.against) - 1);
}

}  // namespace plastiscope

#include "moc_compare_difference.cpp"
