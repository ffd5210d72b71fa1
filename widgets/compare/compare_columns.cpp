#include "widgets/compare/compare_columns.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/compare/comparison.h"
#include "core/views/metric_info.h"
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
          [this](const std::shared_ptr<const CompareViews>& views) { setViews(*views); });
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

void CompareColumns::setViews(const CompareViews& views) {
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

// ---- Texts on compared views

namespace {

// AP of the head if one is shown, else of the mean, in the bin nearest to a position.
double nearestAp(const ComparedProfile& profile, double tokens) {
  const std::vector<double>& values = profile.head ? profile.headAp : profile.mean;
  double nearest = std::numeric_limits<double>::infinity(), ap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t bin = 0; bin < values.size(); ++bin) {
    const double away = std::fabs(profile.tokens[bin] - tokens);
    if (away >= nearest) continue;
    nearest = away;
    ap = values[bin];
  }
  return ap;
}

}  // namespace

QString profilesAt(const CompareViews& views, std::int64_t position) {
  const auto& models = views.profiles.models;
  const double share = static_cast<double>(position) / static_cast<double>(models.front().window);
  std::vector<std::string> names;
  for (const ComparedProfile& profile : models) names.push_back(profile.model.name);
  names = withoutCommonStart(withoutOwners(names));
  QStringList parts;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const ComparedProfile& profile = models[m];
    const double tokens =
        views.choices.tokens ? static_cast<double>(position) : share * static_cast<double>(profile.window);
    const double ap = tokens <= static_cast<double>(profile.window)
                          ? nearestAp(profile, tokens)
                          : std::numeric_limits<double>::quiet_NaN();
    parts.append(QStringLiteral("%1 %2").arg(QString::fromStdString(names[m]),
                                             QString::fromStdString(fixedText(ap, 3))));
  }
  return parts.join(QStringLiteral(" · "));
}

std::optional<MapCell> markedCell(const CompareModel& model) {
  const auto& chosen = model.selection().value().cell;
  if (!chosen || model.views() == nullptr) return std::nullopt;
  const MapData* first = firstMap(model.views()->maps);
  return first != nullptr ? matchedCell(*first, {chosen->distance, chosen->midpoint}, *first) : std::nullopt;
}

QString cellValue(const ComparedCell& cell) {
  if (!cell.cell) return CompareColumns::tr("not in this window");
  if (cell.pairs == 0) return CompareColumns::tr("no pairs");
  return CompareColumns::tr("PP %1").arg(QString::fromStdString(fixedText(cell.mean, 3)));
}

QString cellPlace(const MapData& map, MapCell cell) {
  return CompareColumns::tr("keys %1 to %2 tokens apart, query to midpoint %3 to %4 tokens")
      .arg(groupedText(cell.column * map.cell), groupedText((cell.column + 1) * map.cell),
           groupedText(cell.row * map.cell), groupedText((cell.row + 1) * map.cell));
}

QString cellTip(const CompareViews& views, std::size_t index, MapCell cell) {
  const MapData *first = firstMap(views.maps), *own = views.maps[index].get();
  const auto there = own != nullptr ? matchedCell(*own, cell, *first) : std::nullopt;
  if (!there) return {};
  const auto cells = compareCell(views.maps, *there);
  QString rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (views.maps[i] == nullptr) continue;
    const QString name = QString::fromStdString(views.comparison->models[i].name).toHtmlEscaped();
    QString value = cellValue(cells[i]);
    if (cells[i].pairs > 0) value += CompareColumns::tr(" · %1 pairs").arg(groupedText(cells[i].pairs));
    rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                .arg(i == index ? QStringLiteral("<b>%1</b>").arg(name) : name, value);
  }
  return QStringLiteral("<table>%1</table>").arg(rows);
}

// ---- Difference of two models

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
  connect(m_map, &PlasticityMapView::cellActivated, this,
          [this](qint64 column, qint64 row) { m_model.selection().setCell(CellChoice{column, row}); });
  m_map->setTipAddition([this](qint64 column, qint64 row) {
    return m_model.views() != nullptr ? cellTip(*m_model.views(), 0, {column, row}) : QString();
  });
  connect(&model.selection(), &Selection::changed, this, &CompareDifference::mark);
  for (QComboBox* box : {m_what, m_against})
    connect(box, &QComboBox::activated, this, &CompareDifference::choose);
  connect(&model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { setViews(*views); });
}

void CompareDifference::choose() {
  CompareChoices choices = m_model.choices();
  choices.mapDifference = m_what->currentData().toBool();
  choices.against = m_against->currentData().toInt();
  m_model.setChoices(choices);
}

void CompareDifference::setViews(const CompareViews& views) {
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

#include "moc_compare_columns.cpp"
