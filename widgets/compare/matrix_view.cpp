#include "widgets/compare/matrix_view.h"

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/compare/comparison.h"
#include "core/figures/matrix_figures.h"
#include "core/figures/parts.h"
#include "widgets/compare/matrix_parts.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace plastiscope {

namespace {

constexpr int kTitleWidth = 162, kHeadHeight = 46, kNoteHeight = 17, kGap = 6;
constexpr int kLeastWidth = 184, kLeastRow = 112, kNumbersLine = 18;
constexpr std::size_t kManyColumns = 6, kLongestName = 22;  // shorten names from this number on

QString rich(const std::string& text) {
  return QString::fromStdString(text);
}

QScrollArea* stripArea(QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(new QWidget);
  return area;
}

// Marks common to all columns.
MatrixCursor cursorOf(const CompareViews& views, const ViewSelection& selection) {
  const CompareMatrix& matrix = *views.matrix;
  MatrixCursor cursor;
  if (selection.position) {
    const auto tokens = static_cast<double>(*selection.position);
    cursor.position =
        matrix.choice.tokens ? tokens : tokens / static_cast<double>(matrix.profiles.models.front().window);
  }
  const MapData* first = firstMap(matrix.maps);
  if (selection.cell && first != nullptr && selection.cell->distance < first->columns &&
      selection.cell->midpoint < first->rows)
    cursor.cell = MapCell{selection.cell->distance, selection.cell->midpoint};
  return cursor;
}

}  // namespace

MatrixView::MatrixView(CompareModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_corner(styledLabel({}, "muted", this)),
      m_values(named("matrixValues", smallButton(tr("Values"), tr("Every row shows values"), this))),
      m_less(named(
          "matrixDifferences",
          smallButton(tr("Differences"), tr("Every row shows its difference from the baseline"), this))),
      m_heads(stripArea(this)),
      m_titles(stripArea(this)),
      m_body(stripArea(this)),
      m_slices(*this, [this] { return fillNext(); }) {
  setObjectName(QStringLiteral("compareMatrix"));
  setAccessibleName(tr("Matrix of the compared captures"));
  m_heads->setFixedHeight(kHeadHeight);
  m_titles->setFixedWidth(kTitleWidth);
  auto* corner = new QWidget(this);
  corner->setFixedWidth(kTitleWidth);
  columnIn(corner, {m_corner, rowOf({m_values, m_less, Stretch()}, {.spacing = 0})},
           {.margins = {8, 0, 0, 0}, .spacing = 1});
  for (QPushButton* button : {m_values, m_less}) {
    button->setCheckable(true);
    connect(button, &QPushButton::clicked, this, [this, button] { setAllDifferences(button == m_less); });
  }
  m_body->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  m_body->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  m_body->setFocusPolicy(Qt::StrongFocus);
  for (QScrollArea* area : {m_heads, m_titles, m_body}) area->viewport()->installEventFilter(this);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(2, 4, 2, 2);
  grid->setSpacing(2);
  grid->addWidget(corner, 0, 0);
  grid->addWidget(m_heads, 0, 1);
  grid->addWidget(m_titles, 1, 0);
  grid->addWidget(m_body, 1, 1);
  connect(m_body->horizontalScrollBar(), &QScrollBar::valueChanged, m_heads->horizontalScrollBar(),
          &QScrollBar::setValue);
  connect(m_body->verticalScrollBar(), &QScrollBar::valueChanged, m_titles->verticalScrollBar(),
          &QScrollBar::setValue);
  for (const MatrixRow row : kMatrixRows) {
    auto* title = new MatrixRowTitle(row, m_titles->widget());
    connect(&title->less(), &QPushButton::clicked, this,
            [this, row](bool wanted) { setDifferences(row, wanted); });
    m_rowTitles[row] = title;
    title->hide();
  }
  connect(&model.selection(), &Selection::changed, this,
          [this](const ViewSelection& now, const ViewSelection& before) {
            if (m_views == nullptr) return;
            if (now.cell != before.cell) fillRow(MatrixRow::Map);
            if (now.position == before.position) return;
            for (const MatrixRow row : {MatrixRow::Profile, MatrixRow::Quintiles, MatrixRow::Loss})
              fillRow(row);
          });
}

MatrixView::~MatrixView() = default;

FigureView* MatrixView::cellAt(MatrixRow row, std::size_t column) const {
  const auto found = m_cells.find(row);
  return found == m_cells.end() || column >= found->second.size() ? nullptr : found->second[column].view;
}

QString MatrixView::numbersAt(std::size_t column) const {
  const auto found = m_cells.find(MatrixRow::Numbers);
  const bool made =
      found != m_cells.end() && column < found->second.size() && found->second[column].note != nullptr;
  return made ? found->second[column].note->text() : QString();
}

void MatrixView::setViews(std::shared_ptr<const CompareViews> views) {
  const std::shared_ptr<const CompareViews> before = std::move(m_views);
  m_views = views != nullptr && views->matrix != nullptr ? std::move(views) : nullptr;
  if (before != nullptr && m_views != nullptr) forgetZooms(*before->matrix, *m_views->matrix);
  m_waiting.clear();
  if (m_views == nullptr) return;
  build();
  arrange();
  fill();
}

MatrixView::Cell MatrixView::makeCell(MatrixRow row, std::size_t column) {
  Cell cell;
  cell.note = styledLabel({}, "muted", m_body->widget());
  cell.note->setTextFormat(Qt::RichText);
  if (row == MatrixRow::Numbers) {
    cell.note->setObjectName(QStringLiteral("matrixNumbers%1").arg(column));
    cell.note->setProperty("muted", false);
    cell.note->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    cell.note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return cell;
  }
  cell.view = new FigureView(m_body->widget());
  cell.view->setObjectName(
      QStringLiteral("matrix-%1-%2").arg(QString::fromStdString(nameOf(row))).arg(column));
  connect(cell.view, &FigureView::pointActivated, this,
          [this, row, column](QPointF place) { activated(row, column, place); });
  cell.view->setZoomKeys(Qt::ControlModifier);  // the wheel alone scrolls the matrix
  connect(
      cell.view, &PlotView::zoomed, this,
      [this, row, view = cell.view](const std::optional<ViewRange>& range) { zoomRow(row, *view, range); });
  if (row == MatrixRow::Grid)
    connect(cell.view, &FigureView::menuAskedAt, this,
            [this, row, column](QPointF place) { activated(row, column, place); });
  m_model.pointFrom(*cell.view, column);
  Q_EMIT cellMade(cell.view);
  return cell;
}

void MatrixView::build() {
  const CompareMatrix& matrix = *m_views->matrix;
  const std::size_t columns = matrix.columns.size();
  while (m_columnHeads.size() > columns) {
    delete m_columnHeads.back();
    m_columnHeads.pop_back();
  }
  while (m_columnHeads.size() < columns) {
    auto* head = new MatrixColumnHead(m_heads->widget());
    const std::size_t index = m_columnHeads.size();
    connect(&head->pin(), &QToolButton::clicked, this, [this, index] { m_model.pin(index); });
    connect(&head->close(), &QToolButton::clicked, this, [this, index] { m_model.removeCompared(index); });
    m_columnHeads.push_back(head);
    head->show();
  }
  for (const MatrixRow row : kMatrixRows) {
    m_rowTitles[row]->setVisible(matrix.shows(row));
    std::vector<Cell>& cells = m_cells[row];
    const std::size_t wanted = matrix.shows(row) ? columns : 0;
    while (cells.size() > wanted) {
      delete cells.back().note;
      delete cells.back().view;
      cells.pop_back();
    }
    cells.resize(wanted);
  }
}

void MatrixView::fill() {
  const CompareMatrix& matrix = *m_views->matrix;
  const std::vector<QIcon> marks = seriesIcons(*m_views->comparison);
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  std::vector<std::string> names;
  for (const ComparedName& column : matrix.columns) names.push_back(column.name);
  std::vector<std::string> shown =
      names.size() < kManyColumns ? withoutOwners(names) : shortNames(names, kLongestName);
  for (std::size_t i = 0; i < m_columnHeads.size(); ++i) {
    QString note = rich(matrix.notes[i]);
    // A change is shown first, since names are cut at the end.
    const std::string& change = m_views->comparison->models[i].change;
    if (!change.empty() && shown[i].ends_with(" (" + change + ")")) {
      note.prepend(rich(shown[i].substr(0, shown[i].size() - change.size() - 3) + " \u00b7 "));
      shown[i] = change;
    }
    if (names.size() >= kManyColumns) note.remove(tr(" tokens"));
    m_columnHeads[i]->show(
        {marks[i], QColor(currentTheme().dark ? styles[i].colour.dark : styles[i].colour.light)},
        {rich(shown[i]), rich(names[i] + "\n" + matrix.notes[i]), note}, i == 0);
  }
  m_corner->setText(tr("%1 captures, %2")
                        .arg(matrix.columns.size())
                        .arg(matrix.matching == HeadMatching::SameHead ? tr("by name") : tr("by depth")));
  m_corner->setToolTip(rich(headMatchingText(matrix.matching)));
  std::size_t values = 0, differences = 0;
  for (const MatrixRow row : kMatrixRows) {
    if (!matrix.shows(row)) continue;
    if (choosesDifferences(row)) ++(matrix.differs(row) ? differences : values);
    const QString what =
        row == MatrixRow::Numbers ? matrixNumberTitles(matrix) : rich(matrixRowText(matrix, row));
    m_rowTitles[row]->show({what, rich(matrixAxesText(matrix, row))}, matrix.differs(row),
                           matrixScale(matrix, row));
    fillRow(row);
  }
  m_values->setChecked(differences == 0);
  m_less->setChecked(values == 0);
}

void MatrixView::fillRow(MatrixRow row) {
  std::erase_if(m_waiting, [row](const CellPlace& place) { return place.row == row; });
  for (std::size_t column = 0; column < m_cells[row].size(); ++column) m_waiting.push_back({row, column});
  m_slices.start();
}

bool MatrixView::fillNext() {
  auto next = std::ranges::find_if(m_waiting, [this](const CellPlace& place) { return isSeen(place); });
  if (next == m_waiting.end()) next = m_waiting.begin();
  if (next == m_waiting.end()) return false;
  const CellPlace place = *next;
  m_waiting.erase(next);
  fillCell(place);
  return !m_waiting.empty();
}

bool MatrixView::isSeen(const CellPlace& place) const {
  const QRect seen(-m_body->widget()->pos(), m_body->viewport()->size());
  return seen.intersects(rectOf(place));
}

void MatrixView::fillCell(const CellPlace& place) {
  const CompareMatrix& matrix = *m_views->matrix;
  const auto [row, column] = place;
  Cell& cell = m_cells[row][column];
  if (cell.note == nullptr) {
    cell = makeCell(row, column);
    putInPlace(place);
    cell.note->show();
    if (cell.view != nullptr) cell.view->show();
  }
  if (row == MatrixRow::Numbers) return cell.note->setText(matrixNumbersText(matrix, column));
  MatrixCell content = matrixCell(matrix, row, column, cursorOf(*m_views, m_model.selection().value()));
  cell.note->setText(rich(content.note));
  cell.view->setAccessibleName(
      QStringLiteral("%1, %2").arg(rich(titleOf(row)), rich(matrix.columns[column].name)));
  if (!content.missing.empty()) return cell.view->setMessage(rich(content.missing));
  cell.view->setPlot(std::move(content.plot));
  zoomCell(row, *cell.view);
}

void MatrixView::zoomRow(MatrixRow row, const FigureView& by, const std::optional<ViewRange>& range) {
  const auto whole = by.wholeRange();
  m_zooms.erase(row);
  if (range && whole) {
    const double width = whole->xHigh - whole->xLow, height = whole->yHigh - whole->yLow;
    m_zooms[row] = {(range->xLow - whole->xLow) / width, (range->xHigh - whole->xLow) / width,
                    (range->yLow - whole->yLow) / height, (range->yHigh - whole->yLow) / height};
  }
  for (const Cell& cell : m_cells[row]) {
    if (cell.view != nullptr && cell.view != &by) zoomCell(row, *cell.view);
  }
}

void MatrixView::zoomCell(MatrixRow row, FigureView& view) const {
  const auto whole = view.wholeRange();
  const auto part = m_zooms.find(row);
  if (!whole || part == m_zooms.end()) return view.setZoom({});
  const auto [xLow, xHigh, yLow, yHigh] = part->second;
  view.setZoom(
      ViewRange{std::lerp(whole->xLow, whole->xHigh, xLow), std::lerp(whole->xLow, whole->xHigh, xHigh),
                std::lerp(whole->yLow, whole->yHigh, yLow), std::lerp(whole->yLow, whole->yHigh, yHigh)});
}

// Resets zooms of axes with a new meaning. As in single views, the zoom of a plane is for its head only.
void MatrixView::forgetZooms(const CompareMatrix& before, const CompareMatrix& now) {
  std::erase_if(m_zooms, [&](const auto& zoom) {
    const MatrixRow row = zoom.first;
    return before.differs(row) != now.differs(row) || before.choice.tokens != now.choice.tokens ||
           (row == MatrixRow::Plane && before.heads != now.heads);
  });
}

void MatrixView::putInPlace(const CellPlace& place) {
  const Cell& cell = m_cells[place.row][place.column];
  const QRect rect = rectOf(place);
  if (cell.note == nullptr) return;
  if (cell.view == nullptr) return cell.note->setGeometry(rect.adjusted(0, 2, 0, 4));
  cell.note->setGeometry(rect.x() + kGap, rect.y(), rect.width() - kGap, kNoteHeight);
  cell.view->setGeometry(rect.adjusted(0, kNoteHeight, 0, 0));
}

QRect MatrixView::rectOf(const CellPlace& place) const {
  const auto [top, height] = m_rowPlaces.at(place.row);
  return {static_cast<int>(place.column) * (m_columnWidth + kGap), top, m_columnWidth, height};
}

// Divides width and height among the cells; scrolls if they do not fit.
void MatrixView::arrange() {
  if (m_views == nullptr) return;
  const CompareMatrix& matrix = *m_views->matrix;
  const int columns = static_cast<int>(m_columnHeads.size());
  const QSize room = m_body->viewport()->size();
  const int numbersHeight = (static_cast<int>(matrix.numbers.size()) + 3) * kNumbersLine;
  int pictures = 0;
  for (const MatrixRow row : kMatrixRows) pictures += matrix.shows(row) && row != MatrixRow::Numbers ? 1 : 0;
  const int left = room.height() - (matrix.shows(MatrixRow::Numbers) ? numbersHeight + kGap : 0);
  const int width = std::max(kLeastWidth, (room.width() - (columns - 1) * kGap) / std::max(1, columns));
  const int height = std::max(kLeastRow, left / std::max(1, pictures) - kGap);
  m_columnWidth = width;
  int y = 0;
  for (const MatrixRow row : kMatrixRows) {
    if (!matrix.shows(row)) continue;
    const int high = row == MatrixRow::Numbers ? numbersHeight : height;
    m_rowTitles[row]->setGeometry(0, y, kTitleWidth, high);
    m_rowPlaces[row] = {y, high};
    for (std::size_t i = 0; i < m_cells[row].size(); ++i) putInPlace({row, i});
    y += high + kGap;
  }
  const int whole = columns * (width + kGap) - kGap;
  m_body->widget()->setFixedSize(whole, y);
  // Includes the scroll bars of the body, so that titles can follow to its end.
  m_heads->widget()->setFixedSize(whole + 40, kHeadHeight);
  m_titles->widget()->setFixedSize(kTitleWidth, y + 40);
  for (int i = 0; i < columns; ++i)
    m_columnHeads[static_cast<std::size_t>(i)]->setGeometry(i * (width + kGap), 0, width, kHeadHeight - 2);
}

void MatrixView::activated(MatrixRow row, std::size_t column, QPointF place) {
  if (m_views == nullptr) return;
  const CompareMatrix& matrix = *m_views->matrix;
  const auto window = static_cast<double>(matrix.profiles.models.front().window);
  const auto setShare = [&](double share) {
    m_model.selection().setPosition(static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * (window - 1)));
  };
  switch (row) {
    case MatrixRow::Grid:
      if (const auto head = headAt(*matrix.grids.grids[column], place.x(), place.y()))
        m_model.selectHeadOf(column, *head);
      return;
    case MatrixRow::Map: {
      const MapData& map = *matrix.maps[column];
      const auto index = [&map](double at) { return static_cast<std::int64_t>(at) / map.cell; };
      const MapCell cell{index(place.x()), index(place.y())};
      if (const auto first = matchedCell(map, cell, *firstMap(matrix.maps)))
        m_model.selection().setCell(CellChoice{first->column, first->row});
      return;
    }
    case MatrixRow::Profile:
      return setShare(matrix.choice.tokens ? place.x() / window : place.x());
    case MatrixRow::Quintiles:
      return setShare((place.x() + 0.5) / 5);
    default:
      return;
  }
}

void MatrixView::setDifferences(MatrixRow row, bool wanted) {
  CompareChoices choices = m_model.choices();
  const std::string name = nameOf(row);
  if (wanted)
    choices.differences.insert(name);
  else
    choices.differences.erase(name);
  m_model.setChoices(choices);
}

void MatrixView::setAllDifferences(bool wanted) {
  CompareChoices choices = m_model.choices();
  m_values->setChecked(!wanted);
  m_less->setChecked(wanted);
  choices.differences.clear();
  for (const MatrixRow row : kMatrixRows) {
    if (wanted && choosesDifferences(row)) choices.differences.insert(nameOf(row));
  }
  m_model.setChoices(choices);
}

void MatrixView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

bool MatrixView::eventFilter(QObject* object, QEvent* event) {
  const bool ofBody = object == m_body->viewport();
  if (ofBody && event->type() == QEvent::Resize) arrange();
  if (!ofBody && event->type() == QEvent::Wheel)  // scrolls titles with the cells
    return QCoreApplication::sendEvent(m_body->viewport(), event);
  return QWidget::eventFilter(object, event);
}

void MatrixView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_views != nullptr) fill();
}

}  // namespace plastiscope

#include "moc_matrix_view.cpp"
