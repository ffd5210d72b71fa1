// Head table with its filter; shares the selection, and fades excluded heads in the grid.
#include <QCheckBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <array>

#include "core/views/metric_info.h"
#include "widgets/models/head_table_model.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/group_list.h"
#include "widgets/panels/group_menu.h"
#include "widgets/panels/row_tables.h"
#include "widgets/panels/view_panel.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/word_completer.h"

namespace plastiscope {
namespace {

constexpr int kHeadRowHeight = 21, kStarWidth = 22, kNameWidth = 60, kNumberWidth = 51, kTextWidth = 62;
constexpr int kFilterDelayMilliseconds = 150;
constexpr int kMaxStretches = 300;  // selected ranges that are shaded: more are too slow in Qt
// Text columns offered besides the metrics.
constexpr std::array kTextColumns = {"taxonomy", "attention", "rope"};
// Standard columns that are hidden first, in this order, when space is short.
constexpr std::array kFirstToGive = {"r_k_a", "r_q_a"};
constexpr int kLeastText = 46;  // width of the last column, which takes the remaining space

class HeadTablePanel : public ViewPanel {
 public:
  HeadTablePanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_study(model),
        m_proxy(m_model, this),
        m_filter(named("headFilter", new QLineEdit(this))),
        m_choices(new QWidget(this)),
        m_all(named("selectMatching", smallButton(tr("Select all"),
                                                  tr("Select all heads that match the filter: the other "
                                                     "panels then show their mean"),
                                                  this))),
        m_group(named("groupMatching", smallButton(tr("New group"),
                                                   tr("Make a group of the heads that match the filter and "
                                                      "compare it with other heads"),
                                                   this))),
        m_only(named("onlySelected", new QCheckBox(tr("Selected only"), this))),
        m_count(named("headCount", styledLabel({}, "muted", this))),
        m_wrong(named("headFilterProblem", styledLabel({}, "bad", this))),
        m_table(named("headTable", new QTableView(this))) {
    m_model.setHeads(model.study()->analysis);
    buildFilter();
    buildMenu();
    buildTable();
    m_only->setToolTip(tr("List only the selected heads"));
    auto* line = rowOf({{m_filter, 1}, m_count}, {.margins = {6, 6, 8, 6}, .spacing = 10});
    rowIn(m_choices, {m_all, m_group, m_only, Stretch{}}, {.margins = {6, 0, 8, 6}, .spacing = 10});
    columnIn(this, {line, m_wrong, m_choices, {m_table, 1}}, {.margins = {}, .spacing = 0});
    connect(m_all, &QPushButton::clicked, this, [this] {
      const std::set<HeadName> heads = m_proxy.matchingHeads();
      m_study.selection().setSeveral({heads.begin(), heads.end()});
    });
    connect(m_group, &QPushButton::clicked, this, [this] {
      const std::set<HeadName> heads = m_proxy.matchingHeads();
      const std::string& filter = m_study.selection().value().filter;
      m_study.makeGroup(firstWord(filter), {heads.begin(), heads.end()}, filter);
    });
    connect(m_only, &QCheckBox::toggled, this, [this] { follow(m_study.selection().value()); });
    connect(&model.selection(), &Selection::changed, this, &HeadTablePanel::follow);
    connect(&model, &StudyModel::headNotesChanged, this, &HeadTablePanel::showNotes);
    connect(&model, &StudyModel::damageFound, this, [this] {
      m_model.setDamaged(m_study.damage().heads);
      sizeColumns();
      applyFilter();
    });
    connect(&model, &StudyModel::studyChanged, this, [this] {
      const std::vector<std::string> columns = m_model.columns();
      m_model.setHeads(m_study.study()->analysis);
      m_model.columns() == columns ? fitColumns() : sizeColumns();
      follow(m_study.selection().value());
    });
    connect(&model.selection(), &Selection::changed, this,
            [this](const ViewSelection& now, const ViewSelection& before) {
              if (now.groups != before.groups) {
                m_proxy.setGroups(now.groups);
                applyFilter();
              }
              if (now.plasticity != before.plasticity) showPlasticity();
            });
    m_proxy.setGroups(model.selection().value().groups);
    showPlasticity();
    applyFilter();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    ViewPanel::resizeEvent(event);
    fitColumns();
  }

 private:
  void buildFilter() {
    m_filter->setAccessibleName(tr("Filter of the heads"));
    m_filter->setPlaceholderText(
        tr("Filter, e.g. %1 > 0.2 && layer < 10")
            .arg(QString::fromStdString(columnAs(m_study.plasticity().kind, "ap_drop"))));
    m_filter->addAction(lineIcon(QStringLiteral("filter"), QStringLiteral("muted")),
                        QLineEdit::LeadingPosition);
    m_filter->setClearButtonEnabled(true);
    m_filter->setToolTip(
        tr("<qt>Any column of heads.csv with &lt; &lt;= &gt; &gt;= == !=, + − × ÷, abs, min, max, &amp;&amp; "
           "|| ! and ( ).<br>"
           "Texts: <code>taxonomy == mixed</code>. Words: <code>L12</code>, <code>mixed</code>. "
           "Marked heads: <code>starred</code>. Heads of a group: <code>group:induction</code>.<br>A "
           "comparison with a missing value is false.</qt>"));
    new WordCompleter(*m_filter, [this] { return filterWords(); });
    m_wrong->setWordWrap(true);
    m_wrong->setContentsMargins(8, 0, 8, 6);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kFilterDelayMilliseconds);
    connect(m_filter, &QLineEdit::textEdited, &m_delay, qOverload<>(&QTimer::start));
    connect(m_filter, &QLineEdit::returnPressed, &m_delay, [this] {
      m_delay.stop();
      commitFilter();
    });
    connect(&m_delay, &QTimer::timeout, this, &HeadTablePanel::commitFilter);
  }

  // Words of filter expressions, for completion.
  QStringList filterWords() const {
    QStringList words = {QStringLiteral("starred"), QStringLiteral("abs("), QStringLiteral("min("),
                         QStringLiteral("max(")};
    if (const Table* heads = m_study.study()->analysis->find("heads"))
      for (const Column& column : heads->columns) words << QString::fromStdString(column.name);
    words.sort();
    return words;
  }

  void buildTable() {
    m_table->setAccessibleName(tr("Heads"));
    m_table->setModel(&m_proxy);
    m_table->setHorizontalHeader(new RichHeader(m_table));
    showAsList(*m_table, kHeadRowHeight);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    offerGroups(*m_table, m_study);
    m_table->setWordWrap(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setIconSize({13, 13});
    QFont font = m_table->font();
    font.setPointSizeF(font.pointSizeF() - 0.75);
    m_table->setFont(font);
    m_table->horizontalHeader()->setFont(font);
    m_table->verticalHeader()->setMinimumSectionSize(kHeadRowHeight);
    m_table->setSortingEnabled(true);
    sizeColumns();
    m_table->sortByColumn(HeadTableModel::NameColumn, Qt::AscendingOrder);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
      if (!m_following) takeRows();
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
      if (index.column() == HeadTableModel::StarColumn)
        m_study.selection().toggleMark(m_model.headAt(m_proxy.mapToSource(index).row()));
    });
  }

  // A single row selects its head; several rows, with Ctrl or Shift, select several heads.
  void takeRows() {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::vector<HeadName> heads;
    for (const QModelIndex& row : rows) heads.push_back(m_model.headAt(m_proxy.mapToSource(row).row()));
    const bool adding = QGuiApplication::keyboardModifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (heads.size() > 1 || adding)
      m_study.selection().setSeveral(heads);
    else if (heads.size() == 1)
      m_study.selection().setHead(heads.front());
  }

  void sizeColumns() {
    QHeaderView* header = m_table->horizontalHeader();
    header->setStretchLastSection(true);
    header->setMinimumSectionSize(20);
    for (int i = 0; i < m_model.columnCount(); ++i) {
      const int alignment = m_model.headerData(i, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
      const int width = i == HeadTableModel::StarColumn   ? kStarWidth
                        : i == HeadTableModel::NameColumn ? nameWidth()
                        : (alignment & Qt::AlignRight)    ? std::max(kNumberWidth, titleWidth(i))
                                                          : kTextWidth;
      header->resizeSection(i, width);
    }
    fitColumns();
  }

  // Hides columns instead of scrolling sideways; a wider panel shows all.
  void fitColumns() {
    QHeaderView* header = m_table->horizontalHeader();
    const bool standard = m_model.columns() == HeadTableModel::standardColumns(m_study.plasticity().kind);
    const int last = m_model.columnCount() - 1;
    int needed = kLeastText;
    for (int i = 0; i < last; ++i) {
      header->setSectionHidden(i, false);
      needed += header->sectionSize(i);
    }
    const int room = width() - m_table->verticalScrollBar()->sizeHint().width() - 2 * m_table->frameWidth();
    int hidden = 0;
    for (const char* column : kFirstToGive) {
      if (!standard || needed <= room) break;
      const auto place = std::ranges::find(m_model.columns(), column) - m_model.columns().begin();
      const int section = HeadTableModel::FirstValueColumn + static_cast<int>(place);
      needed -= header->sectionSize(section);
      header->setSectionHidden(section, true);
      ++hidden;
    }
    m_gear->setToolTip(hidden > 0 ? tr("Columns (%1 more in a wider panel)").arg(hidden) : tr("Columns"));
  }

  // Includes the marks of damaged heads.
  int nameWidth() const {
    return kNameWidth + (m_study.damage().heads.empty() ? 0 : m_table->iconSize().width() + 4);
  }

  int titleWidth(int column) const {
    const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const bool rich = m_model.headerData(column, Qt::Horizontal, HeadTableModel::RichTitleRole) != title;
    const int margins = rich ? 16 : 28;  // the style's are wider
    return std::min(150, m_table->horizontalHeader()->fontMetrics().horizontalAdvance(title) + margins);
  }

  void buildMenu() {
    m_gear = addButton(QStringLiteral("gear"), tr("Columns"));
    QToolButton* gear = m_gear;
    gear->setPopupMode(QToolButton::InstantPopup);
    gear->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    auto* menu = new QMenu(gear);
    gear->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillColumnMenu(menu); });
  }

  void fillColumnMenu(QMenu* menu) {
    menu->clear();
    std::map<std::string, QMenu*> groups;
    for (const char* column : kTextColumns) addColumnAction(menu, column, QString::fromLatin1(column));
    for (const MetricInfo& metric : metricsOf(*m_model.heads())) {
      QMenu*& group = groups[metric.group];
      if (!group)
        group = menu->addMenu(metric.group.empty() ? tr("Other") : QString::fromStdString(metric.group));
      addColumnAction(group, metric.column, QString::fromStdString(metric.title));
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Standard columns")), &QAction::triggered, this,
            [this] { useColumns(HeadTableModel::standardColumns(m_study.plasticity().kind)); });
  }

  void addColumnAction(QMenu* menu, const std::string& column, const QString& title) {
    const auto& shown = m_model.columns();
    QAction* action = menu->addAction(title);
    action->setCheckable(true);
    action->setChecked(std::find(shown.begin(), shown.end(), column) != shown.end());
    connect(action, &QAction::toggled, this, [this, column](bool on) {
      std::vector<std::string> columns = m_model.columns();
      if (on)
        columns.push_back(column);
      else
        std::erase(columns, column);
      useColumns(columns);
    });
  }

  void useColumns(const std::vector<std::string>& columns) {
    m_model.setColumns(columns);
    sizeColumns();
    follow(m_study.selection().value());
  }

  // Changes AP columns to the shown kind.
  void showPlasticity() {
    std::vector<std::string> columns = m_model.columns();
    for (std::string& column : columns) column = columnAs(m_study.plasticity().kind, column);
    useColumns(columns);
  }

  void commitFilter() { m_study.selection().setFilter(m_filter->text().toStdString()); }

  // Applies the filter of the selection; an invalid one is marked and the previous one stays.
  void applyFilter() {
    const std::string wanted = m_study.selection().value().filter;
    if (m_filter->text().toStdString() != wanted && !m_filter->hasFocus())
      m_filter->setText(QString::fromStdString(wanted));
    QString wrong;
    try {
      m_proxy.setExpression(wanted);
    } catch (const FilterError& error) {
      wrong = tr("Character %1: %2").arg(error.position + 1).arg(sanitizedText(error.what()));
    }
    m_filter->setProperty("wrong", !wrong.isEmpty());
    m_filter->style()->unpolish(m_filter);
    m_filter->style()->polish(m_filter);
    m_wrongText = wrong;
    showCount();
    m_applied = wanted;
    m_all->setVisible(m_proxy.filtering());
    m_group->setVisible(m_proxy.filtering());
    showChoices();
    m_study.setShownHeads(m_proxy.filtering() ? std::optional(m_proxy.matchingHeads()) : std::nullopt);
  }

  void showCount() {
    const QString& wrong = m_wrongText;
    const bool fewer = m_proxy.rowCount() < m_model.rowCount() || m_proxy.filtering();
    QString count = fewer
                        ? tr("%1 of %2").arg(groupedText(m_proxy.rowCount()), groupedText(m_model.rowCount()))
                        : tr("%1 heads").arg(groupedText(m_model.rowCount()));
    const StudyDamage& damage = m_study.damage();
    if (!damage.heads.empty()) count += tr(" · %1 damaged").arg(damage.heads.size());
    m_wrong->setText(wrong);
    m_wrong->setVisible(!wrong.isEmpty());
    m_count->setText(wrong.isEmpty() ? count : tr("invalid filter"));
    m_count->setToolTip(plainTip(wrong.isEmpty() ? QString::fromStdString(damageText(damage)) : wrong));
    m_count->setProperty("bad", !wrong.isEmpty() || !damage.heads.empty());
    m_count->style()->unpolish(m_count);
    m_count->style()->polish(m_count);
  }

  // On a separate line, to leave space for the filter.
  void showChoices() { m_choices->setVisible(!m_all->isHidden() || !m_only->isHidden()); }

  void showNotes() { m_model.setNotes(m_study.headNotes()); }

  void follow(const ViewSelection& now) {
    m_following = true;
    m_model.setMarked(now.marked);
    if (now.filter != m_applied) applyFilter();
    m_only->setVisible(!now.several.empty());
    showChoices();
    m_proxy.setOnly(m_only->isChecked() && !now.several.empty() ? std::optional(now.several) : std::nullopt);
    showCount();
    showSelected(now);
    m_following = false;
  }

  void showSelected(const ViewSelection& now) {
    const auto placeOf = [this](HeadName head) {
      const int row = m_model.rowOf(head);
      return row < 0 ? QModelIndex() : m_proxy.mapFromSource(m_model.index(row, HeadTableModel::NameColumn));
    };
    const QModelIndex place = now.head ? placeOf(*now.head) : QModelIndex();
    std::set<int> chosen;
    for (const HeadName& head : now.several) chosen.insert(placeOf(head).row());
    if (place.isValid()) chosen.insert(place.row());
    chosen.erase(-1);
    QItemSelection rows;
    for (auto first = chosen.begin(); first != chosen.end() && rows.size() < kMaxStretches;) {
      auto last = first;
      while (std::next(last) != chosen.end() && *std::next(last) == *last + 1) ++last;
      rows.select(m_proxy.index(*first, 0), m_proxy.index(*last, 0));
      first = std::next(last);
    }
    QItemSelectionModel& selection = *m_table->selectionModel();
    selection.setCurrentIndex(place, QItemSelectionModel::NoUpdate);
    selection.select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    const bool seen = m_table->viewport()->rect().contains(m_table->visualRect(place));
    if (place.isValid() && !seen) m_table->scrollTo(place, QAbstractItemView::PositionAtCenter);
  }

  StudyModel& m_study;
  HeadTableModel m_model;
  HeadTableProxy m_proxy;
  QLineEdit* m_filter;
  QWidget* m_choices;
  QPushButton *m_all, *m_group;
  QCheckBox* m_only;
  QLabel *m_count, *m_wrong;
  QTableView* m_table;
  QToolButton* m_gear = nullptr;
  QTimer m_delay;
  std::string m_applied;
  QString m_wrongText;
  bool m_following = false;
};

}  // namespace

ViewPanel* makeHeadTablePanel(StudyModel& model, QWidget* parent) {
  return new HeadTablePanel(model, parent);
}

}  // namespace plastiscope
