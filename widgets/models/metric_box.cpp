#include "widgets/models/metric_box.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <algorithm>
#include <functional>
#include <map>

#include "core/views/metric_export.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"
#include "widgets/state/word_match.h"

namespace plastiscope {
namespace {

constexpr std::size_t kMaxRecent = 4;
constexpr int kListWidth = 430, kListHeight = 460, kHeadingHeight = 24, kMetricHeight = 40, kSide = 8;
enum MetricRole { ColumnRole = Qt::UserRole, MeaningRole, UnitRole };

// Columns chosen last in any box, newest first.
std::vector<std::string>& recentMetrics() {
  static std::vector<std::string> recent;
  return recent;
}

void rememberMetric(const std::string& column) {
  auto& recent = recentMetrics();
  std::erase(recent, column);
  recent.insert(recent.begin(), column);
  if (recent.size() > kMaxRecent) recent.pop_back();
}

bool isHeading(const QModelIndex& index) {
  return !index.data(ColumnRole).isValid();
}

// Title and unit in one line, the meaning in a second.
class MetricDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    return {kListWidth / 2, isHeading(index) ? kHeadingHeight : kMetricHeight};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool chosen = option.state & QStyle::State_Selected;
    if (chosen) painter->fillRect(option.rect, option.palette.highlight());
    const QColor text =
        chosen ? option.palette.color(QPalette::HighlightedText) : option.palette.color(QPalette::Text);
    const QColor muted =
        chosen ? currentTheme()[QStringLiteral("row_text")] : currentTheme()[QStringLiteral("muted")];
    const QString title = index.data(Qt::DisplayRole).toString();
    QFont bold = option.font;
    bold.setBold(true);
    painter->save();
    if (isHeading(index)) {
      painter->setFont(bold);
      painter->setPen(muted);
      painter->drawText(option.rect.adjusted(kSide, 0, -kSide, 0), Qt::AlignLeft | Qt::AlignVCenter, title);
    } else {
      const QRect area = option.rect.adjusted(2 * kSide, 3, -kSide, -3);
      const QRect first(area.left(), area.top(), area.width(), area.height() / 2);
      const QRect second(area.left(), first.bottom(), area.width(), area.height() / 2);
      painter->setPen(muted);
      painter->drawText(first, Qt::AlignRight | Qt::AlignVCenter, index.data(UnitRole).toString());
      painter->drawText(
          second, Qt::AlignLeft | Qt::AlignVCenter,
          option.fontMetrics.elidedText(index.data(MeaningRole).toString(), Qt::ElideRight, second.width()));
      painter->setPen(text);
      painter->drawText(first, Qt::AlignLeft | Qt::AlignVCenter, title);
    }
    painter->restore();
  }
};

}  // namespace

// The list below a box, with a search field.
class MetricList : public QFrame {
 public:
  using Choose = std::function<void(const std::string& column)>;

  MetricList(const std::vector<MetricInfo>& metrics, const QString& none, const std::string& current,
             Choose choose, QWidget* parent)
      : QFrame(parent, Qt::Popup),
        m_metrics(metrics),
        m_none(none),
        m_choose(std::move(choose)),
        m_search(named("metricSearch", new QLineEdit(this))),
        m_list(named("metricList", new QListView(this))),
        m_model(new QStandardItemModel(this)) {
    setFrameShape(QFrame::StyledPanel);
    m_search->setPlaceholderText(MetricBox::tr("Search metrics"));
    m_search->addAction(lineIcon(QStringLiteral("search"), QStringLiteral("muted")),
                        QLineEdit::LeadingPosition);
    explain(*m_search, MetricBox::tr("Search metrics"), MetricBox::tr("Words of a title, meaning or column"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new MetricDelegate(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setFocusPolicy(Qt::NoFocus);
    columnIn(this, {m_search, {m_list, 1}}, {.margins = {4, 4, 4, 4}, .spacing = 4});
    connect(m_search, &QLineEdit::textChanged, this, [this] { fill({}); });
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { accept(index); });
    m_search->installEventFilter(this);
    setFocusProxy(m_search);
    fill(current);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched != m_search || event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
      case Qt::Key_Down:
        return move(1);
      case Qt::Key_Up:
        return move(-1);
      case Qt::Key_Return:
      case Qt::Key_Enter:
        accept(m_list->currentIndex());
        return true;
      case Qt::Key_Escape:
        close();
        return true;
      default:
        return false;
    }
  }

 private:
  void addHeading(const std::string& text) {
    auto* item = new QStandardItem(QString::fromStdString(text));
    item->setFlags(Qt::NoItemFlags);
    m_model->appendRow(item);
  }

  void add(const QString& title, const std::string& column, const QString& meaning = {},
           const QString& unit = {}, const QString& tip = {}) {
    auto* item = new QStandardItem(title);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setData(QString::fromStdString(column), ColumnRole);
    item->setData(meaning, MeaningRole);
    item->setData(unit, UnitRole);
    item->setToolTip(tip);
    m_model->appendRow(item);
  }

  void add(const MetricInfo& metric) {
    add(QString::fromStdString(metric.title), metric.column, QString::fromStdString(metric.meaning),
        QString::fromStdString(plainLabel(metric.unit)),
        QString::fromStdString(metric.meaning + (metric.caveat.empty() ? "" : " " + metric.caveat)));
  }

  // Everything by group below the recent ones; or what matches the search, best first.
  void fill(const std::string& current) {
    m_model->clear();
    const QString typed = m_search->text().trimmed();
    if (typed.isEmpty()) {
      if (!m_none.isEmpty()) add(m_none, "");
      addRecent();
      const std::string* group = nullptr;
      for (const MetricInfo& metric : m_metrics) {
        if (group == nullptr || metric.group != *group) addHeading(metric.group);
        group = &metric.group;
        add(metric);
      }
    } else {
      addMatches(typed);
    }
    if (m_model->rowCount() == 0) addHeading(MetricBox::tr("Nothing found").toStdString());
    int row = 0;
    for (int i = 0; i < m_model->rowCount() && !current.empty(); ++i)
      if (m_model->index(i, 0).data(ColumnRole).toString().toStdString() == current) row = i;
    m_list->setCurrentIndex(m_model->index(row, 0));
    if (isHeading(m_list->currentIndex())) move(1);
    m_list->scrollTo(m_list->currentIndex(), QAbstractItemView::PositionAtCenter);
  }

  void addRecent() {
    bool first = true;
    for (const std::string& column : recentMetrics()) {
      const auto found = std::ranges::find(m_metrics, column, &MetricInfo::column);
      if (found == m_metrics.end()) continue;
      if (std::exchange(first, false)) addHeading(MetricBox::tr("Recent").toStdString());
      add(*found);
    }
  }

  void addMatches(const QString& typed) {
    std::vector<std::pair<int, const MetricInfo*>> hits;
    for (const MetricInfo& metric : m_metrics) {
      const int score =
          wordScore(typed, QString::fromStdString(metric.title),
                    QString::fromStdString(metric.column + " " + metric.group + " " + metric.meaning));
      if (score >= 0) hits.emplace_back(-score, &metric);
    }
    std::ranges::stable_sort(hits, {}, [](const auto& hit) { return hit.first; });
    for (const auto& hit : hits) add(*hit.second);
  }

  bool move(int step) {
    for (int row = m_list->currentIndex().row() + step; row >= 0 && row < m_model->rowCount(); row += step) {
      if (isHeading(m_model->index(row, 0))) continue;
      m_list->setCurrentIndex(m_model->index(row, 0));
      break;
    }
    return true;
  }

  void accept(const QModelIndex& index) {
    if (!index.isValid() || isHeading(index)) return;
    const std::string column = index.data(ColumnRole).toString().toStdString();
    close();
    m_choose(column);
  }

  const std::vector<MetricInfo>& m_metrics;
  QString m_none;
  Choose m_choose;
  QLineEdit* m_search;
  QListView* m_list;
  QStandardItemModel* m_model;
};

MetricBox::MetricBox(const char* name, QWidget* parent) : QComboBox(parent) {
  setObjectName(QLatin1String(name));
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setFocusPolicy(Qt::TabFocus);
}

MetricBox::~MetricBox() = default;

void MetricBox::setMetrics(const std::vector<MetricInfo>& metrics, const QString& none) {
  std::map<std::string, std::size_t> order;  // of the groups
  for (const MetricInfo& metric : metrics) order.emplace(metric.group, order.size());
  m_metrics = metrics;
  m_none = none;
  std::ranges::stable_sort(m_metrics, {},
                           [&order](const MetricInfo& metric) { return order.at(metric.group); });
  clear();
  if (!none.isEmpty()) addItem(none, QString());
  for (const MetricInfo& metric : m_metrics)
    addItem(QString::fromStdString(metric.title), QString::fromStdString(metric.column));
}

void MetricBox::showPopup() {
  m_list = std::make_unique<MetricList>(
      m_metrics, m_none, currentData().toString().toStdString(),
      [this](const std::string& column) { choose(column); }, this);
  const QRect there(mapToGlobal(QPoint(0, height() + 2)), QSize(std::max(kListWidth, width()), kListHeight));
  m_list->setGeometry(withinScreen(there, screen()->availableGeometry()));
  m_list->show();
  m_list->setFocus();
}

void MetricBox::hidePopup() {
  if (m_list) m_list->close();
  QComboBox::hidePopup();
}

void MetricBox::choose(const std::string& column) {
  const int index = findData(QString::fromStdString(column));
  if (index < 0) return;
  if (!column.empty()) rememberMetric(column);
  setCurrentIndex(index);
  Q_EMIT activated(index);
}

}  // namespace plastiscope

#include "moc_metric_box.cpp"
