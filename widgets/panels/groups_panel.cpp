// Groups of heads: their list, and the comparison of one of them with other heads over all metrics.
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/figures/figures.h"
#include "core/views/group_statistics.h"
#include "core/views/metric_info.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/group_list.h"
#include "widgets/panels/row_tables.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

QString probabilityText(double p) {
  constexpr double kLeast = 0.001;
  if (std::isnan(p)) return QStringLiteral("–");
  return p < kLeast ? QStringLiteral("< 0.001") : QString::fromStdString(fixedText(p, 3));
}

QString spanText(const GroupContrast& row) {
  if (std::isnan(row.interval.low) || std::isnan(row.interval.high)) return QStringLiteral("–");
  return QStringLiteral("%1 … %2").arg(QString::fromStdString(metricText(row.interval.low)),
                                       QString::fromStdString(metricText(row.interval.high)));
}

class ContrastTable : public ListTable<GroupContrast> {
 public:
  explicit ContrastTable(QObject* parent = nullptr) : ListTable(parent) {
    using Row = GroupContrast;
    const auto value = [](double Row::*of) {
      return [of](const Row& row) { return std::isnan(row.*of) ? QVariant() : QVariant(row.*of); };
    };
    const auto probability = [value](QString title, QString tip, double Row::*of) {
      return Column{std::move(title), std::move(tip), Qt::AlignRight,
                    [of](const Row& row) { return probabilityText(row.*of); }, value(of)};
    };
    setColumns(
        {{tr("Metric"), tr("A click makes it the metric of grid, sentence and plot"), Qt::AlignLeft,
          [](const Row& row) { return titleOf(row); }},
         {tr("Diff."), tr("Mean of the group minus mean of the other heads"), Qt::AlignRight,
          [](const Row& row) { return QString::fromStdString(metricText(row.difference)); },
          value(&Row::difference)},
         {tr("95 %"), tr("Interval of the difference, bootstrap over key heads"), Qt::AlignRight, spanText,
          [](const Row& row) { return row.interval.low; }},
         probability(tr("p key heads"),
                     tr("Permutation test of key heads with all their query heads, two-sided"),
                     &Row::pKeyHeads),
         probability(tr("q"),
                     tr("p over key heads, corrected for the number of metrics (false discovery rate)"),
                     &Row::q),
         probability(tr("p heads"), tr("Permutation test of heads, two-sided: counts heads as independent"),
                     &Row::p),
         {tr("Effect"), tr("Difference in standard deviations within the two sets"), Qt::AlignRight,
          [](const Row& row) { return QString::fromStdString(fixedText(row.effect, 2)); },
          value(&Row::effect)}});
    setRowTip([](const Row& row) {
      return tr("%1: %2 over %3 heads, %4 over %5 others")
          .arg(titleOf(row), QString::fromStdString(metricText(row.mean)), groupedText(row.heads),
               QString::fromStdString(metricText(row.otherMean)), groupedText(row.others));
    });
  }

  int rowOf(const std::string& metric) const {
    const auto found = std::ranges::find(rows(), metric, &GroupContrast::metric);
    return found == rows().end() ? -1 : static_cast<int>(found - rows().begin());
  }

 private:
  static QString titleOf(const GroupContrast& row) {
    return QString::fromStdString(describeMetric(row.metric).title);
  }
};

// The compared group and the other heads.
struct GroupComparison {
  HeadGroup group;
  GroupOptions options;
};

// The metrics with the largest effects.
std::vector<GroupContrast> largestEffects(std::vector<GroupContrast> contrasts) {
  constexpr std::size_t kPlotted = 8;
  std::erase_if(contrasts, [](const GroupContrast& each) { return !std::isfinite(each.effect); });
  std::ranges::stable_sort(contrasts, std::ranges::greater(),
                           [](const GroupContrast& each) { return std::abs(each.effect); });
  if (contrasts.size() > kPlotted) contrasts.resize(kPlotted);
  return contrasts;
}

class GroupsPanel : public ComputedPanel {
 public:
  GroupsPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent),
        m_plotRunner(model.workers(), WorkLength::Quick),
        m_list(named("groupList", new GroupListView(model, this))),
        m_against(named("groupAgainst", new QComboBox(this))),
        m_sentence(named("groupSentence", new QLabel(this))),
        m_view(
            addChoice("groupView", tr("Table of all metrics, plot of their differences, or the heads of all "
                                      "groups on the chosen metric"))),
        m_pages(new QStackedWidget(this)),
        m_table(named("groupContrasts", new ListView(m_contrasts, ContrastTable::kSortRole, {}, this))),
        m_plot(named("groupPlot", new FigureView(this))) {
    build();
    connect(&model.selection(), &Selection::changed, this, &GroupsPanel::follow);
    connect(&model, &StudyModel::studyChanged, this, &GroupsPanel::setStale);
    model.watch([this] { return m_plotRunner.running(); });
    fillAgainst();
    showParts();
    setStale();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    ViewPanel::resizeEvent(event);
    shareSpace();
  }

 private:
  enum View { kTable, kDifferences, kHeads };

  void build() {
    auto* create = menuButton("newGroupButton", tr("New group"), tr("Make a group of heads"),
                              [this](QMenu& menu) { m_list->fillNewMenu(menu); });
    auto* edit =
        menuButton("groupButton", tr("Group"), tr("Filter, name, colour of the chosen group; delete it"),
                   [this](QMenu& menu) { m_list->fillGroupMenu(menu); });
    explain(*m_against, tr("Heads that the group is compared with"));
    m_against->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_against->setMinimumContentsLength(10);
    m_against->setFocusPolicy(Qt::TabFocus);
    m_view->addItems({tr("Table"), tr("Differences"), tr("Heads")});
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setMargin(2);
    m_empty = named("groupsEmpty", styledLabel({}, "muted", this));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(12);
    m_empty->setText(
        tr("No groups yet. Select heads in the grid or filter the head table, then choose New group: it is "
           "compared with other heads over all metrics."));
    m_offer =
        named("groupOffer", smallButton({}, tr("Add the groups of another capture of this model"), this));
    connect(m_offer, &QPushButton::clicked, this, [this] {
      const std::vector<GroupOffer> offers = m_model.groupOffers();
      if (!offers.empty()) m_list->take(offers.front());
    });
    m_table->setAccessibleName(tr("Differences of the group, by metric"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({-16, 7, 17, 6, 6, 6, 5});
    m_plot->setAccessibleName(tr("Plot of the groups"));
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_plot);
    m_compared = new QWidget(this);
    auto* line = rowOf({styledLabel(tr("against"), "muted", this), {m_against, 1}}, {.spacing = 6});
    columnIn(m_compared, {line, m_sentence, {m_pages, 1}}, {.margins = {8, 4, 8, 0}, .spacing = 4});
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_list);
    parts->addWidget(m_compared);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 3);
    m_list->setMinimumHeight(kLeastList);
    parts->setSizes({2 * kLeastList, 5 * kLeastList});
    auto* bar = rowOf({create, edit, Stretch{}}, {.margins = {8, 6, 8, 6}, .spacing = 6});
    columnIn(this, {bar, m_empty, {m_offer, 0, Qt::AlignCenter}, {parts, 1}}, {.margins = {}, .spacing = 0});
    m_parts = parts;
    connect(m_list, &GroupListView::refused, this,
            [this](const QString& sentence) { m_sentence->setText(sentence); });
    connect(m_against, &QComboBox::activated, this,
            [this] { m_model.selection().setAgainst(m_against->currentData().toString().toStdString()); });
    connect(m_view, &QComboBox::currentIndexChanged, this, [this] {
      showParts();
      showContrasts();
    });
    connect(m_table, &ListView::choiceChanged, this, &GroupsPanel::takeMetric);
  }

  template <typename Fill>
  QPushButton* menuButton(const char* name, const QString& text, const QString& tip, Fill fill) {
    auto* button = named(name, smallButton(text, tip, this));
    auto* menu = new QMenu(button);
    button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [menu, fill] { fill(*menu); });
    return button;
  }

  void follow(const ViewSelection& now, const ViewSelection& before) {
    if (now.groups != before.groups || now.group != before.group) {
      fillAgainst();
      showParts();
    }
    if (now.against != before.against) fillAgainst();
    if (now.groups != before.groups || now.group != before.group || now.against != before.against)
      setStale();
    else if (now.metric != before.metric)
      showContrasts();
  }

  void fillAgainst() {
    const ViewSelection& now = m_model.selection().value();
    m_against->clear();
    m_against->addItem(tr("random heads of the same layers"),
                       QString::fromLatin1(nameOf(GroupAgainst::Layers)));
    m_against->addItem(tr("all other heads"), QString::fromLatin1(nameOf(GroupAgainst::Rest)));
    for (const HeadGroup& group : now.groups) {
      const QString name = QString::fromStdString(group.name);
      if (group.name != now.group) m_against->addItem(tr("group %1").arg(name), name);
    }
    select(*m_against, QString::fromStdString(now.against));
  }

  void showParts() {
    const ViewSelection& now = m_model.selection().value();
    m_empty->setVisible(now.groups.empty());
    if (!now.groups.empty()) {
      m_offer->hide();
    } else {
      const std::vector<GroupOffer> offers = m_model.groupOffers();
      m_offer->setVisible(!offers.empty());
      if (!offers.empty()) m_offer->setText(groupOfferText(offers.front()));
    }
    m_parts->setVisible(!now.groups.empty());
    m_compared->setVisible(now.findGroup(now.group) != nullptr);
    shareSpace();
  }

  // A plot needs the space of the list; in a low panel the sentence needs that of the table.
  void shareSpace() {
    const bool table = m_view->currentIndex() == kTable;
    m_list->setVisible(table || m_compared->isHidden());
    m_pages->setVisible(!table || height() >= kLow);
  }

  std::optional<GroupComparison> wanted() const {
    const ViewSelection& now = m_model.selection().value();
    const HeadGroup* group = now.findGroup(now.group);
    if (group == nullptr || m_model.study()->analysis->find("heads") == nullptr) return std::nullopt;
    GroupComparison wanted{*group, {}};
    if (const HeadGroup* other = now.findGroup(now.against)) {
      wanted.options.against = GroupAgainst::Group;
      wanted.options.other = *other;
    } else if (now.against == nameOf(GroupAgainst::Rest)) {
      wanted.options.against = GroupAgainst::Rest;
    }
    return wanted;
  }

  void compute() override {
    m_runner.drop();
    m_problem.clear();
    const auto comparison = wanted();
    if (!comparison) return;
    m_sentence->setText(tr("Comparing …"));
    m_runner.start(
        [study = m_model.study(), comparison = *comparison](Progress&) {
          return groupContrasts(*study->analysis->find("heads"), comparison.group, comparison.options);
        },
        [this](JobResult<std::vector<GroupContrast>> made) {
          if (made.stopped()) return;
          m_following = true;
          m_contrasts.setRows(made.ok() ? std::move(*made.value) : std::vector<GroupContrast>());
          m_following = false;
          m_problem = made.failure.sentence;
          showContrasts();
        });
  }

  // The sentence of the current metric, its row in the table, and the plot.
  void showContrasts() {
    const std::string& metric = m_model.selection().value().metric;
    const int row = m_contrasts.rowOf(metric);
    if (m_runner.running()) return;
    m_sentence->setText(!m_problem.isEmpty() ? m_problem
                        : row < 0            ? tr("The group has no value of this metric.")
                                  : QString::fromStdString(contrastSentence(m_contrasts.rowAt(row))));
    m_pages->setCurrentIndex(m_view->currentIndex() == kTable ? 0 : 1);
    showPlot();
    m_following = true;
    for (int i = 0; i < m_table->model()->rowCount(); ++i) {
      const QModelIndex index = m_table->model()->index(i, 0);
      if (m_table->sourceRow(index) != row) continue;
      m_table->selectRow(i);
      m_table->scrollTo(index, QAbstractItemView::PositionAtCenter);
    }
    m_following = false;
  }

  void showPlot() {
    const auto comparison = wanted();
    m_plotRunner.drop();
    if (!comparison || m_view->currentIndex() == kTable) return;
    if (m_view->currentIndex() == kDifferences) {
      const std::vector<GroupContrast> contrasts = largestEffects(m_contrasts.rows());
      if (contrasts.empty()) return m_plot->setMessage(tr("There is no difference to show."));
      return m_plot->setPlot(groupContrastsPlot({comparison->group}, contrasts));
    }
    GroupOptions options = comparison->options;
    options.metrics = {m_model.selection().value().metric};
    HeadGroups groups = {comparison->group};
    for (const HeadGroup& each : m_model.selection().value().drawnGroups()) {
      if (each.name != comparison->group.name && each != options.other) groups.push_back(each);
    }
    m_plotRunner.start(
        [study = m_model.study(), groups, options](Progress&) {
          return groupStripsPlot(makeGroupStrips(*study->analysis->find("heads"), groups, options));
        },
        [this](JobResult<Plot> made) {
          if (made.ok())
            m_plot->setPlot(std::move(*made.value));
          else if (!made.stopped())
            m_plot->setMessage(made.failure.sentence);
        });
  }

  void takeMetric() {
    const std::vector<int> rows = m_table->chosenRows();
    if (!m_following && rows.size() == 1)
      m_model.selection().setMetric(m_contrasts.rowAt(rows.front()).metric);
  }

  static constexpr int kLeastList = 64, kLow = 250;

  ContrastTable m_contrasts;
  QString m_problem;
  bool m_following = false;
  JobRunner m_plotRunner;
  GroupListView* m_list;
  QComboBox* m_against;
  QLabel *m_sentence, *m_empty = nullptr;
  QPushButton* m_offer = nullptr;
  QComboBox* m_view;
  QWidget *m_parts = nullptr, *m_compared = nullptr;
  QStackedWidget* m_pages;
  ListView* m_table;
  FigureView* m_plot;
};

}  // namespace

ViewPanel* makeGroupsPanel(StudyModel& model, QWidget* parent) {
  return new GroupsPanel(model, parent);
}

}  // namespace plastiscope
