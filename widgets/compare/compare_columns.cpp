#include "widgets/compare/compare_columns.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>

#include "widgets/compare/compare_tips.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {
constexpr int kMaxColumnName = 400;
constexpr QSize kColumnMark(14, 14);
}  // namespace

// Header of a model's column: mark of the family, name, note at the right.
class ColumnHeader : public QWidget {
 public:
  explicit ColumnHeader(QWidget* parent)
      : QWidget(parent),
        m_mark(new QLabel(this)),
        m_note(styledLabel({}, "muted", this)),
        m_name(new ElidedLabel(kMaxColumnName, this)) {
    m_name->setProperty("strong", true);
    rowIn(this, {m_mark, m_name, Stretch(), m_note}, {.margins = {8, 4, 8, 2}});
  }
  void show(const QIcon& mark, const QString& name, const QString& note) {
    m_mark->setPixmap(mark.pixmap(kColumnMark, devicePixelRatioF()));
    m_name->setName(name.section(QLatin1Char('/'), -1));
    m_name->setToolTip(plainTip(name));
    m_note->setText(note);
  }
  using QWidget::show;

 private:
  QLabel *m_mark, *m_note;
  ElidedLabel* m_name;
};

CompareColumns::CompareColumns(CompareModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_row(rowIn(this, {}, {.margins = {}, .spacing = 1})),
      m_slices(*this, [this] { return fillNext(); }) {
  connect(&model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { take(*views); });
}

CompareColumns::Column CompareColumns::makeColumn(std::size_t index) {
  Column column;
  column.holder = new QWidget(this);
  column.header = new ColumnHeader(column.holder);
  column.view = makeView(index);
  columnIn(column.holder, {column.header, {column.view, 1}}, {.margins = {}, .spacing = 0});
  m_row->addWidget(column.holder, 1);
  column.holder->show();  // at once, or the layout repeats for each column
  m_model.pointFrom(*column.view, index);
  Q_EMIT viewMade(column.view);
  return column;
}

// Marks are images in colours of the theme.
void CompareColumns::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) retitle();
}

void CompareColumns::retitle() {
  const auto& views = m_model.views();
  if (views == nullptr) return;
  const std::size_t known = std::min(m_columns.size(), m_marks.size());
  for (std::size_t i = 0; i < known; ++i) retitle(*views, i);
}

void CompareColumns::retitle(const CompareViews& views, std::size_t index) {
  const QString name = QString::fromStdString(views.comparison->models[index].name),
                note = noteOf(views, index);
  m_columns[index].header->show(m_marks[index], name, note);
  m_columns[index].view->setAccessibleDescription(QStringLiteral("%1, %2").arg(name, note));
}

void CompareColumns::take(const CompareViews& views) {
  m_marks = seriesIcons(*views.comparison);
  while (m_columns.size() > m_marks.size()) {
    delete m_columns.back().holder;
    m_columns.pop_back();
  }
  m_row->setEnabled(true);
  setUpdatesEnabled(true);
  m_next = 0;
  m_slices.start();
}

// Adds a column; the layout waits for the last one, since each would resize the others.
void CompareColumns::makeNext() {
  m_row->setEnabled(false);
  setUpdatesEnabled(false);
  m_columns.push_back(makeColumn(m_columns.size()));
  if (m_columns.size() < m_marks.size()) return;
  setUpdatesEnabled(true);
  m_row->setEnabled(true);
  m_row->activate();
}

bool CompareColumns::fillNext() {
  const auto& views = m_model.views();
  if (views == nullptr || m_next >= m_marks.size()) return false;
  if (m_columns.size() < m_marks.size()) {
    makeNext();
    return true;
  }
  fill(*m_columns[m_next].view, *views, m_next);
  retitle(*views, m_next);
  return ++m_next < m_marks.size();
}

CompareGrids::CompareGrids(CompareModel& model, QWidget* parent) : CompareColumns(model, parent) {}

PlotView* CompareGrids::makeView(std::size_t index) {
  auto* grid = new HeadGridView;
  grid->setObjectName(QStringLiteral("compareGrid%1").arg(index));
  connect(grid, &HeadGridView::headActivated, this,
          [this, index](HeadName head) { model().selectHeadOf(index, head); });
  return grid;
}

void CompareGrids::fill(PlotView& view, const CompareViews& views, std::size_t index) {
  auto* grid = static_cast<HeadGridView*>(&view);  // made above
  const StudyFacts& facts = views.comparison->models[index].facts;
  // Wide models are transposed, as in a model tab.
  grid->setTransposed(facts.queryHeads > 2 * facts.layers);
  grid->setRange(views.choices.ownRanges ? std::nullopt : std::optional(views.grids.range));
  if (const auto& own = views.grids.grids[index]; own != nullptr)
    grid->setData(own);
  else
    grid->setMessage(
        views.comparison->models[index].published
            ? tr("No heads are published.")
            : tr("This analysis has no %1.").arg(QString::fromStdString(describeMetric(views.metric).title)));
  grid->setSelectedHead(views.heads[index]);
}

QString CompareGrids::noteOf(const CompareViews& views, std::size_t index) const {
  const auto& head = views.heads[index];
  if (head) return QString::fromStdString(head->text());
  return views.comparison->models[index].published ? tr("published") : tr("no such head");
}

CompareMaps::CompareMaps(CompareModel& model, QWidget* parent) : CompareColumns(model, parent) {
  connect(&model.selection(), &Selection::changed, this,
          [this](const ViewSelection& now, const ViewSelection& before) {
            if (now.cell != before.cell) mark();
          });
  connect(&model, &CompareModel::viewsReady, this, &CompareMaps::mark);
}

PlotView* CompareMaps::makeView(std::size_t index) {
  auto* map = new PlasticityMapView;
  map->setObjectName(QStringLiteral("compareMap%1").arg(index));
  map->setTipAddition([this, index](qint64 column, qint64 row) {
    const auto& views = model().views();
    return views != nullptr ? cellTip(*views, index, {column, row}) : QString();
  });
  connect(map, &PlasticityMapView::cellActivated, this,
          [this, index](qint64 column, qint64 row) { activated(index, {column, row}); });
  return map;
}

void CompareMaps::fill(PlotView& view, const CompareViews& views, std::size_t index) {
  auto* map = static_cast<PlasticityMapView*>(&view);  // made above
  const auto& own = views.maps[index];
  if (own == nullptr)
    return map->setMessage(views.comparison->models[index].published ? tr("No map is published.")
                           : views.choices.ofHead && !views.heads[index]
                               ? tr("The head was not captured.")
                               : tr("This analysis has no plasticity map of these heads."));
  map->setRange(std::nullopt);  // 0 to 1, as everywhere
  map->setData(own);
  if (views.choices.ownRanges) map->setRangeFromData();
  map->setMarked(markedCells(views)[index].cell);
}

std::vector<ComparedCell> CompareMaps::markedCells(const CompareViews& views) const {
  const auto cell = markedCell(model());
  return cell ? compareCell(views.maps, *cell) : std::vector<ComparedCell>(views.maps.size());
}

QString CompareMaps::noteOf(const CompareViews& views, std::size_t index) const {
  if (views.maps[index] == nullptr) return {};
  const QString scope = QString::fromStdString(views.maps[index]->scopeText);
  const auto cell = markedCell(model());
  return cell ? QStringLiteral("%1 · %2").arg(scope, cellValue(compareCell(views.maps, *cell)[index]))
              : scope;
}

void CompareMaps::activated(std::size_t index, MapCell cell) {
  const auto& views = model().views();
  if (views == nullptr || views->maps[index] == nullptr) return;
  if (const auto first = matchedCell(*views->maps[index], cell, *firstMap(views->maps)))
    model().selection().setCell(CellChoice{first->column, first->row});
  mark();  // without a match in the first map the previous mark is restored
}

void CompareMaps::mark() {
  const auto& views = model().views();
  if (views == nullptr) return;
  const std::vector<ComparedCell> cells = markedCells(*views);
  for (std::size_t i = 0; i < std::min(columns(), cells.size()); ++i)
    static_cast<PlasticityMapView*>(viewAt(i))->setMarked(cells[i].cell);
  retitle();
  const auto cell = markedCell(model());
  Q_EMIT placeChanged(cell ? cellPlace(*firstMap(views->maps), *cell) : QString());
}

}  // namespace plastiscope

#include "moc_compare_columns.cpp"
