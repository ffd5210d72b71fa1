#include "widgets/compare/drift_panel.h"

#include <QComboBox>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>

#include "core/base/error.h"
#include "core/jobs/compare_job.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kDriftRowHeight = 21;

QString fileNameOf(const Study& study) {
  return QString::fromStdString(std::filesystem::path(study.file).filename().string());
}

QString measureTitle(const DriftMeasure& measure) {
  const QString title = QString::fromStdString(measure.title);
  return measure.unit.empty() ? title
                              : QStringLiteral("%1 (%2)").arg(title, QString::fromStdString(measure.unit));
}

}  // namespace

DriftModel::DriftModel(QObject* parent) : ListTable(parent) {
  using Row = HeadDrift;
  const auto name = [](const Row& row) {
    return QString::fromStdString(HeadName{row.layer, row.head}.text());
  };
  const auto place = [](const Row& row) { return static_cast<qlonglong>(row.layer * 100000 + row.head); };
  const auto kind = [](const Row& row) { return row.kind == "query" ? tr("queries") : tr("keys"); };
  const auto rowsText = [](const Row& row) { return groupedText(row.rows); };
  const auto rows = [](const Row& row) { return static_cast<qlonglong>(row.rows); };
  std::vector<Column> columns = {{tr("Head"), {}, Qt::AlignLeft, name, place},
                                 {tr("Of"), {}, Qt::AlignLeft, kind},
                                 {tr("Rows"), {}, Qt::AlignRight, rowsText, rows}};
  for (const DriftMeasure& measure : driftMeasures()) {
    const auto text = [&measure](const Row& row) {
      return QString::fromStdString(metricText(measure.of(row)));
    };
    const auto value = [&measure](const Row& row) { return measure.of(row); };
    columns.push_back({measureTitle(measure), {}, Qt::AlignRight, text, value});
  }
  setColumns(std::move(columns));
}

DriftPanel::DriftPanel(CompareModel& model, Workers& workers, JobList& jobs, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_jobs(jobs),
      m_runner(workers, WorkLength::Long),
      m_kind(named("driftKind", new QComboBox(this))),
      m_measure(named("driftMeasure", new QComboBox(this))),
      m_grid(named("driftGrid", new HeadGridView(this))),
      m_table(named("driftTable", new QTableView(this))),
      m_perplexity(named("driftPerplexity", new ElidedLabel(QWIDGETSIZE_MAX, this))) {
  m_kind->addItem(tr("queries"), QStringLiteral("query"));
  m_kind->addItem(tr("keys"), QStringLiteral("key"));
  explain(*m_kind, tr("Drift of"), tr("Vectors whose drift colours the grid"));
  explain(*m_measure, tr("Measure of drift"), tr("Which number colours the grid"));
  for (const DriftMeasure& measure : driftMeasures())
    m_measure->addItem(QString::fromStdString(measure.title), QString::fromStdString(measure.column));
  auto* sorted = new QSortFilterProxyModel(this);
  sorted->setSourceModel(&m_drift);
  sorted->setSortRole(DriftModel::kSortRole);
  m_table->setAccessibleName(tr("Drift by head"));
  m_table->setModel(sorted);
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(DriftModel::FirstMeasure, Qt::DescendingOrder);
  showAsList(*m_table, kDriftRowHeight);
  m_table->setWordWrap(false);
  auto* both = new QSplitter(Qt::Horizontal, this);
  both->addWidget(m_grid);
  both->addWidget(m_table);
  both->setStretchFactor(0, 1);
  both->setStretchFactor(1, 1);
  m_perplexity->setProperty("muted", true);
  auto* foot = rowOf({{m_perplexity, 1}}, {.margins = {8, 3, 8, 4}});
  foot->setAlignment(m_perplexity, Qt::AlignLeft);
  columnIn(this, {{both, 1}, foot}, {.margins = {}, .spacing = 0});
  for (QComboBox* box : {m_kind, m_measure}) connect(box, &QComboBox::activated, this, &DriftPanel::showGrid);
  connect(m_grid, &HeadGridView::headActivated, this, [this](HeadName head) {
    if (m_kind->currentIndex() == 0) m_model.selection().setHead(head);
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this, sorted](const QModelIndex& now) {
            if (!now.isValid()) return;
            const HeadDrift& drift = m_drift.rowAt(sorted->mapToSource(now).row());
            if (drift.kind == "query") m_model.selection().setHead({drift.layer, drift.head});
          });
  connect(&model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { setViews(*views); });
  say({});
}

void DriftPanel::setViews(const CompareViews& views) {
  const auto studies = m_model.studies();
  const auto &first = studies.front(), &other = studies[std::min(views.against, studies.size() - 1)];
  if (first != m_first || other != m_other) {
    m_runner.drop();
    m_first = first;
    m_other = other;
    m_done = false;
    m_drift.setRows({});
    say({});
    if (m_seen) measureNow();
  }
  const auto& losses = views.losses.models;
  const std::string change =
      perplexityChange(losses.front(), losses[std::min(views.against, losses.size() - 1)]);
  m_perplexity->setName(change.empty() ? tr("No perplexity: both captures need losses (--loss).")
                                       : QString::fromStdString(change));
  m_perplexity->setToolTip(QString::fromStdString(change));
  if (m_done && m_kind->currentIndex() == 0) m_grid->setSelectedHead(views.heads.front());
}

void DriftPanel::setSeen(bool seen) {
  m_seen = seen;
  if (seen) measureNow();
}

void DriftPanel::measureNow() {
  if (m_done || m_runner.running() || m_first == nullptr) return;
  m_done = true;
  for (const auto& study : {m_first, m_other}) {
    if (study->capture == nullptr)
      return say(
          tr("Drift needs the vectors of both captures: %1 has only its analysis.").arg(fileNameOf(*study)));
  }
  say(tr("Comparing the rows …"));
  m_handle = std::make_unique<JobHandle>(tr("Drift of %1").arg(fileNameOf(*m_other)));
  m_runner.start(
      [first = m_first->capture->path(), other = m_other->capture->path()](Progress& progress) {
        return measureDrift(first, other, 0, progress);
      },
      [this](JobResult<std::vector<HeadDrift>> drift) {
        if (drift.ok()) {
          m_drift.setRows(std::move(*drift.value));
          m_table->resizeColumnsToContents();
          showGrid();
        } else {
          m_done = !drift.stopped();
          say(drift.stopped()
                  ? tr("Stopped. Show this panel again to compare the rows.")
                  : tr("The rows of the two captures do not match. %1").arg(drift.failure.sentence));
        }
      },
      m_handle.get());
  m_jobs.add(m_handle.get());
}

void DriftPanel::showGrid() {
  if (m_drift.rows().empty()) return;
  const StudyFacts facts = factsOf(*m_first);
  const DriftChoice choice{m_kind->currentData().toString().toStdString(),
                           m_measure->currentData().toString().toStdString()};
  const bool queries = choice.kind == "query";
  const std::int64_t heads = queries ? facts.queryHeads : facts.keyHeads;
  m_grid->setTransposed(heads > 2 * facts.layers);
  m_grid->setData(
      std::make_shared<const HeadGridData>(driftGrid(m_drift.rows(), choice, facts.layers, heads)));
  m_grid->setSelectedHead(queries ? m_model.selection().value().head : std::nullopt);
  std::int64_t rows = 0;
  for (const HeadDrift& head : m_drift.rows()) rows += head.rows;
  m_table->show();
  Q_EMIT noteChanged(
      tr("%1 − %2, %3 rows").arg(fileNameOf(*m_other), fileNameOf(*m_first), groupedText(rows)));
}

void DriftPanel::say(const QString& sentence) {
  m_grid->setMessage(sentence.isEmpty()
                         ? tr("This panel compares two captures of the same texts and positions.")
                         : sentence);
  m_table->hide();
  Q_EMIT noteChanged({});
}

}  // namespace plastiscope

#include "moc_drift_panel.cpp"
