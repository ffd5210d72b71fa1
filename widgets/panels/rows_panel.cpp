// Rows selected in the plane, and key pairs of a map cell.
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>

#include "core/base/error.h"
#include "core/jobs/inspect_job.h"
#include "core/views/metric_info.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/row_tables.h"
#include "widgets/panels/view_panel.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr std::int64_t kMaxPairs = 500;  // maximum number listed for a cell

class RowsPanel : public ComputedPanel {
 public:
  RowsPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent),
        m_rows(model.texts()),
        m_pairs(model.texts(), model.facts().exampleIds) {
    build();
    connect(&model, &StudyModel::headReady, this, [this] {
      showRows();
      setStale();
    });
    connect(&model.selection(), &Selection::changed, this, &RowsPanel::follow);
    showRows();
    describe();
  }

 private:
  enum Page { kRowsPage, kPairsPage, kEmptyPage };

  void build() {
    m_rowsButton = pageButton(QStringLiteral("rowsButton"), kRowsPage);
    m_pairsButton = pageButton(QStringLiteral("pairsButton"), kPairsPage);
    m_note = named("rowsNote", new ElidedLabel(QWIDGETSIZE_MAX, this));
    m_note->setProperty("muted", true);
    auto* line = rowOf({m_rowsButton, m_pairsButton, {m_note, 1000}, Stretch{}},
                       {.margins = {6, 6, 8, 6}, .spacing = 6});
    m_rowsList =
        named("rowsList", new ListView(m_rows, RowsModel::kSortRole, {RowsModel::BeforeColumn}, this));
    m_rowsList->setAccessibleName(tr("Selected rows"));
    m_rowsList->setWidths({2, 7, -18, 9, -18, 8, 6, 6});
    m_pairsList = named("pairsList", new ListView(m_pairs, PairsModel::kSortRole, {}, this));
    m_pairsList->setAccessibleName(tr("Key pairs of the cell"));
    m_pairsList->setWidths({7, 7, -24, 7, -24, 5, 6, 8});
    m_empty = styledLabel({}, "muted", this);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(16);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_rowsList);
    m_pages->addWidget(m_pairsList);
    m_pages->addWidget(m_empty);
    columnIn(this, {line, {m_pages, 1}}, {.margins = {}, .spacing = 0});
    m_rowsButton->setChecked(true);
    connect(m_rowsList, &ListView::choiceChanged, this, &RowsPanel::pointAtRows);
    connect(m_pairsList, &ListView::choiceChanged, this, &RowsPanel::pointAtPairs);
  }

  QPushButton* pageButton(const QString& name, Page page) {
    auto* button = smallButton({}, {}, this);
    button->setObjectName(name);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    connect(button, &QPushButton::clicked, this, [this, page] {
      showPage(page);
      describe();
    });
    return button;
  }

  void follow(const ViewSelection& now, const ViewSelection& before) {
    if (now.rows != before.rows) {
      showRows();
      if (now.rows) showPage(kRowsPage);
    }
    if (now.cell != before.cell) {
      if (now.cell) showPage(kPairsPage);
      setStale();
    }
    describe();
  }

  void showPage(Page page) {
    m_page = page;
    for (ListView* list : {m_rowsList, m_pairsList}) list->clearSelection();  // clears the highlight
    (page == kRowsPage ? m_rowsButton : m_pairsButton)->setChecked(true);
  }

  void showRows() {
    m_rows.show(m_model.views() ? m_model.views()->plane : nullptr, m_model.selection().value().rows);
    describe();
  }

  void compute() override {
    const ViewSelection& now = m_model.selection().value();
    m_runner.drop();
    m_cell = {};
    m_problem.clear();
    m_pairs.setRows({});
    describe();
    if (!now.cell || !now.head || !m_model.study()->capture) return;
    m_runner.start(
        [study = m_model.study(), head = *now.head, cell = *now.cell](Progress& progress) {
          AnalysisSettings settings = settingsOf(*study->analysis);
          settings.pairs = 0;  // every pair, as in the window's map
          settings.prefix = "start";
          return inspectCell(*study->capture, head, settings, {cell.distance, cell.midpoint, kMaxPairs},
                             progress);
        },
        [this](JobResult<CellPairs> cell) {
          if (cell.ok()) {
            m_cell = std::move(*cell.value);
            m_pairs.setRows(m_cell.listed);
          } else if (!cell.stopped()) {
            m_problem = cell.failure.sentence;
          }
          describe();
        });
  }

  // Titles of the two lists, and messages while they are empty.
  void describe() {
    const ViewSelection& now = m_model.selection().value();
    m_rowsButton->setText(tr("Rows %1").arg(groupedText(m_rows.rowCount())));
    const bool some = m_cell.pairs > std::ssize(m_cell.listed);
    m_pairsButton->setText(
        some ? tr("Key pairs %1 of %2").arg(groupedText(std::ssize(m_cell.listed)), groupedText(m_cell.pairs))
             : tr("Key pairs %1").arg(groupedText(m_cell.pairs)));
    m_note->setName(m_page == kPairsPage && now.cell ? cellBrief(*now.cell) : QString());
    m_note->setToolTip(now.cell ? cellText(*now.cell) : QString());
    m_empty->setText(emptyText(now));
    const bool empty = m_page == kRowsPage ? m_rows.rowCount() == 0 : m_pairs.rowCount() == 0;
    m_pages->setCurrentIndex(empty ? kEmptyPage : m_page);
  }

  QString emptyText(const ViewSelection& now) const {
    if (!m_model.study()->capture)
      return tr("This view needs the rows of the capture, but only its analysis was found.");
    if (!m_problem.isEmpty()) return m_problem;
    if (m_page == kRowsPage)
      return tr(
          "Select points in the {a, b} plane: hold Shift and draw around them, or use the lasso in its title "
          "bar.");
    if (!now.cell) return tr("Click a cell of the plasticity map: its key pairs are listed here.");
    return m_runner.running() ? tr("Looking for the pairs …") : tr("The cell has no pairs of this head.");
  }

  QString cellBrief(const CellChoice& cell) const {
    const std::int64_t size = mapCell(), d = cell.distance * size;
    QString text = tr("%1–%2 apart").arg(groupedText(d), groupedText(d + size));
    if (m_cell.pairs > 0) text += tr(" · mean PP %1").arg(QString::fromStdString(fixedText(m_cell.pp, 3)));
    return text;
  }

  QString cellText(const CellChoice& cell) const {
    const std::int64_t size = mapCell(), d = cell.distance * size, m = cell.midpoint * size;
    QString text = tr("keys %1–%2 apart, query %3–%4 from their midpoint")
                       .arg(groupedText(d), groupedText(d + size), groupedText(m), groupedText(m + size));
    if (m_cell.pairs > 0) text += tr(" · mean PP %1").arg(QString::fromStdString(fixedText(m_cell.pp, 3)));
    if (m_cell.pairs > static_cast<std::int64_t>(m_cell.listed.size()))
      text += tr(" · %1 listed, evenly over the queries").arg(groupedText(std::ssize(m_cell.listed)));
    return text;
  }

  std::int64_t mapCell() const {
    const auto& views = m_model.views();
    return views && views->map.data ? views->map.data->cell : 0;
  }

  void pointAtRows() {
    std::vector<qint64> queries, keys;
    for (const int row : m_rowsList->chosenRows()) {
      const auto [kind, number] = m_rows.rowAt(row);
      (kind == QueryOrKey::Query ? queries : keys).push_back(number);
    }
    m_model.pointAt(queries, keys);
  }

  void pointAtPairs() {
    if (!m_model.views()) return;
    const PlaneRows& keys = m_model.views()->plane->key;
    std::set<std::pair<std::int64_t, std::int64_t>> wanted;  // example, position
    for (const int row : m_pairsList->chosenRows()) {
      const InspectedPair& pair = m_pairs.rowAt(row);
      wanted.insert({pair.earlierExample, pair.earlier});
      wanted.insert({pair.laterExample, pair.later});
    }
    std::vector<qint64> rows;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (wanted.contains({keys.example[i], keys.position[i]})) rows.push_back(static_cast<qint64>(i));
    }
    m_model.pointAt({}, rows);
  }

  RowsModel m_rows;
  PairsModel m_pairs;
  CellPairs m_cell;
  QString m_problem;
  Page m_page = kRowsPage;
  QPushButton *m_rowsButton = nullptr, *m_pairsButton = nullptr;
  ElidedLabel* m_note = nullptr;
  QLabel* m_empty = nullptr;
  QStackedWidget* m_pages = nullptr;
  ListView *m_rowsList = nullptr, *m_pairsList = nullptr;
};

}  // namespace

ViewPanel* makeRowsPanel(StudyModel& model, QWidget* parent) {
  return new RowsPanel(model, parent);
}

}  // namespace plastiscope
