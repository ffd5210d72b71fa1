#include "widgets/panels/row_tables.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <cmath>
#include <cstdlib>

#include "core/base/error.h"
#include "core/views/metric_info.h"
#include "widgets/models/study_model.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kPairBefore = 10, kPairAfter = 14;  // characters around the token

QString numberText(double value, int decimals) {
  return QString::fromStdString(fixedText(value, decimals));
}

QString exampleName(const std::vector<std::string>& ids, std::int64_t example) {
  const auto at = static_cast<std::size_t>(example);
  return at < ids.size() ? QString::fromStdString(ids[at]) : QString::number(example);
}

}  // namespace

std::optional<QueryChoice> chosenQuery(const StudyModel& model) {
  const ViewSelection& now = model.selection().value();
  if (now.rows && !now.rows->query.empty()) return now.rows->query.front();
  if (model.askedToken() && now.head && isDenseHead(*model.study(), *now.head)) return *model.askedToken();
  return std::nullopt;
}

std::optional<TokenPlace> queryToken(const StudyModel& model) {
  const auto query = chosenQuery(model);
  if (!query) return std::nullopt;
  if (const auto* token = std::get_if<TokenPlace>(&*query)) return *token;
  const auto row = static_cast<std::size_t>(std::get<std::int64_t>(*query));
  if (!model.views() || row >= model.views()->plane->query.size()) return std::nullopt;
  const PlaneRows& queries = model.views()->plane->query;
  return TokenPlace{queries.example[row], queries.position[row]};
}

QString tokenInContext(const RowText& text, int before, int after) {
  if (text.empty()) return {};
  return QString::fromStdString(text.before).right(before) + QStringLiteral("[") +
         QString::fromStdString(text.token) + QStringLiteral("]") +
         QString::fromStdString(text.after).left(after);
}

RowsModel::RowsModel(RowTexts& texts, QObject* parent) : ListTable(parent) {
  using Row = std::pair<QueryOrKey, std::int64_t>;
  const auto rowsOf = [this](const Row& row) -> const PlaneRows& { return m_plane->rows(row.first); };
  const auto at = [](const Row& row) { return static_cast<std::size_t>(row.second); };
  const auto words = [rowsOf, at, &texts](std::string RowText::*part) {
    return [rowsOf, at, &texts, part](const Row& row) {
      const auto text = texts.at(rowsOf(row).example[at(row)], rowsOf(row).position[at(row)]);
      return text ? QString::fromStdString((*text).*part) : QString();
    };
  };
  const auto coordinate = [rowsOf, at](std::vector<float> PlaneRows::*of) {
    return [rowsOf, at, of](const Row& row) { return static_cast<double>((rowsOf(row).*of)[at(row)]); };
  };
  const auto coordinateText = [coordinate](std::vector<float> PlaneRows::*of) {
    return [value = coordinate(of)](const Row& row) { return numberText(value(row), 2); };
  };
  const auto position = [rowsOf, at](const Row& row) { return rowsOf(row).position[at(row)]; };
  const auto kind = [](const Row& row) { return row.first == QueryOrKey::Query ? tr("Q") : tr("K"); };
  const auto positionText = [position](const Row& row) { return groupedText(position(row)); };
  const auto example = [this, rowsOf, at](const Row& row) {
    return exampleName(m_plane->exampleIds, rowsOf(row).example[at(row)]);
  };
  setColumns({{{}, {}, Qt::AlignLeft, kind},
              {tr("Position"), {}, Qt::AlignRight, positionText, position},
              {tr("Before"), {}, Qt::AlignRight, words(&RowText::before)},
              {tr("Token"), {}, Qt::AlignHCenter, words(&RowText::token)},
              {tr("After"), {}, Qt::AlignLeft, words(&RowText::after)},
              {tr("Text"), {}, Qt::AlignLeft, example},
              {tr("a"), {}, Qt::AlignRight, coordinateText(&PlaneRows::x), coordinate(&PlaneRows::x)},
              {tr("b"), {}, Qt::AlignRight, coordinateText(&PlaneRows::y), coordinate(&PlaneRows::y)}});
  connect(&texts, &RowTexts::arrived, this, [this] { refresh(BeforeColumn, AfterColumn); });
}

void RowsModel::show(std::shared_ptr<const PlaneData> plane,
                     const std::shared_ptr<const SelectedRows>& rows) {
  std::vector<std::pair<QueryOrKey, std::int64_t>> shown;
  const auto add = [&](QueryOrKey kind, const std::vector<std::int64_t>& chosen) {
    for (const std::int64_t row : chosen) {
      if (row >= 0 && static_cast<std::size_t>(row) < plane->rows(kind).size()) shown.emplace_back(kind, row);
    }
  };
  if (plane && rows) {
    add(QueryOrKey::Query, rows->query);
    add(QueryOrKey::Key, rows->key);
  }
  setRows({});  // before their plane is destroyed
  m_plane = std::move(plane);
  setRows(std::move(shown));
}

PairsModel::PairsModel(RowTexts& texts, const std::vector<std::string>& exampleIds, QObject* parent)
    : ListTable(parent) {
  using Pair = InspectedPair;
  const auto counted = [](auto Pair::*of) {
    return [of](const Pair& pair) { return groupedText(std::llround(static_cast<double>(pair.*of))); };
  };
  const auto measured = [](double Pair::*of) {
    return [of](const Pair& pair) { return numberText(pair.*of, 3); };
  };
  const auto value = [](auto Pair::*of) {
    return [of](const Pair& pair) { return static_cast<double>(pair.*of); };
  };
  const auto words = [&texts](std::int64_t Pair::*example, std::int64_t Pair::*position) {
    return [&texts, example, position](const Pair& pair) {
      const auto text = texts.at(pair.*example, pair.*position);
      return text ? tokenInContext(*text, kPairBefore, kPairAfter) : QString();
    };
  };
  const auto examples = [exampleIds](const Pair& pair) {
    const QString earlier = exampleName(exampleIds, pair.earlierExample);
    return pair.earlierExample == pair.laterExample
               ? earlier
               : earlier + QStringLiteral(" · ") + exampleName(exampleIds, pair.laterExample);
  };
  setColumns({{tr("Query"), tr("Position of the queries' bin, tokens"), Qt::AlignRight, counted(&Pair::tau),
               value(&Pair::tau)},
              {tr("Key 1"), tr("Position of the earlier key, tokens"), Qt::AlignRight,
               counted(&Pair::earlier), value(&Pair::earlier)},
              {tr("Context 1"), tr("The earlier key's token and the text around it"), Qt::AlignLeft,
               words(&Pair::earlierExample, &Pair::earlier)},
              {tr("Key 2"), tr("Position of the later key, tokens"), Qt::AlignRight, counted(&Pair::later),
               value(&Pair::later)},
              {tr("Context 2"), tr("The later key's token and the text around it"), Qt::AlignLeft,
               words(&Pair::laterExample, &Pair::later)},
              {tr("PP"), tr("Pairwise plasticity 4 p (1 − p): 1 when either key may win"), Qt::AlignRight,
               measured(&Pair::pp), value(&Pair::pp)},
              {tr("z"), tr("Mean over standard deviation of the score difference, earlier minus later key"),
               Qt::AlignRight, measured(&Pair::z), value(&Pair::z)},
              {tr("Text"), tr("Text of the keys"), Qt::AlignLeft, examples}});
  connect(&texts, &RowTexts::arrived, this, [this] { refresh(EarlierTextColumn, LaterTextColumn); });
}

namespace {

constexpr int kListRowHeight = 21, kCellMargin = 14;

class CutDelegate : public QStyledItemDelegate {
 public:
  CutDelegate(std::set<int> cutLeft, QObject* parent)
      : QStyledItemDelegate(parent), m_cutLeft(std::move(cutLeft)) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = m_cutLeft.contains(index.column()) ? Qt::ElideLeft : Qt::ElideRight;
  }

 private:
  std::set<int> m_cutLeft;
};

}  // namespace

ListView::ListView(QAbstractItemModel& model, int sortRole, std::set<int> cutLeft, QWidget* parent)
    : QTableView(parent), m_proxy(new QSortFilterProxyModel(this)) {
  m_proxy->setSourceModel(&model);
  m_proxy->setSortRole(sortRole);
  setModel(m_proxy);
  setItemDelegate(new CutDelegate(std::move(cutLeft), this));
  showAsList(*this, kListRowHeight);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setWordWrap(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() - 0.75);
  setFont(small);
  horizontalHeader()->setFont(small);
  horizontalHeader()->setHighlightSections(false);
  verticalHeader()->setMinimumSectionSize(kListRowHeight);
  m_proxy->setDynamicSortFilter(false);
  setSortingEnabled(true);
  sortByColumn(-1, Qt::AscendingOrder);
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ListView::choiceChanged);
}

void ListView::setWidths(const std::vector<int>& characters) {
  m_characters = characters;
  horizontalHeader()->setMinimumSectionSize(24);
  shareWidth();
}

// The font is final here.
void ListView::showEvent(QShowEvent* event) {
  QTableView::showEvent(event);
  shareWidth();
}

void ListView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  shareWidth();
}

// Columns of known width are not cut; if they do not fit, the view scrolls.
void ListView::shareWidth() {
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  int left = viewport()->width();
  std::vector<int> widths, sharing;
  for (std::size_t i = 0; i < m_characters.size(); ++i) {
    const int column = static_cast<int>(i);
    const int wanted = std::abs(m_characters[i]) * digit + kCellMargin;
    widths.push_back(std::max(wanted, horizontalHeader()->sectionSizeHint(column)));
    left -= widths.back();
    if (m_characters[i] < 0) sharing.push_back(column);
  }
  for (const int column : sharing)
    widths[static_cast<std::size_t>(column)] += std::max(0, left) / static_cast<int>(sharing.size());
  for (std::size_t i = 0; i < widths.size(); ++i) setColumnWidth(static_cast<int>(i), widths[i]);
}

int ListView::sourceRow(const QModelIndex& index) const {
  return m_proxy->mapToSource(index).row();
}

std::vector<int> ListView::chosenRows() const {
  std::vector<int> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(sourceRow(index));
  return rows;
}

}  // namespace plastiscope

#include "moc_row_tables.cpp"
