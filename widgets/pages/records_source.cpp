#include "widgets/pages/records_source.h"

#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/error.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kRowHeight = 22, kSteps = 1000, kFiltersWidth = 210, kIdWidth = 110, kFieldWidth = 92;
constexpr int kFieldRole = Qt::UserRole, kValueRole = Qt::UserRole + 1;

}  // namespace

RecordsSource::RecordsSource(Workers& workers, QWidget* parent)
    : TextSource(parent),
      m_reading(workers, WorkLength::Long),
      m_counting(workers, WorkLength::Long),
      m_previewing(workers, WorkLength::Long),
      m_stack(new QStackedWidget(this)),
      m_hint(new QLabel(emptyHint(), this)),
      m_readNote(new QLabel(this)),
      m_readBar(new QProgressBar(this)),
      m_filters(new QTreeWidget(this)),
      m_table(new QTableView(this)) {
  m_hint->setObjectName(QStringLiteral("recordsHint"));
  m_hint->setAlignment(Qt::AlignCenter);
  m_hint->setWordWrap(true);
  m_hint->setMargin(16);
  m_stack->insertWidget(Empty, m_hint);
  m_stack->insertWidget(Reading, buildReading());
  m_stack->insertWidget(List, buildList());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_stack);
  connect(&m_model, &RecordsModel::choiceChanged, this, &RecordsSource::choiceChanged);
}

QWidget* RecordsSource::buildReading() {
  auto* page = new QWidget(this);
  auto* cancel = new QPushButton(tr("Cancel"), page);
  cancel->setObjectName(QStringLiteral("recordsCancel"));
  cancel->setAutoDefault(false);
  cancel->setProperty("small", true);
  m_readBar->setTextVisible(false);
  m_readBar->setMaximumWidth(240);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(m_readBar);
  row->addWidget(cancel);
  row->addStretch(1);
  m_readNote->setAlignment(Qt::AlignCenter);
  auto* column = new QVBoxLayout(page);
  column->addStretch(1);
  column->addWidget(m_readNote);
  column->addLayout(row);
  column->addStretch(1);
  connect(cancel, &QPushButton::clicked, this, [this] {
    if (m_readTicket) m_readTicket->cancel();
  });
  return page;
}

QWidget* RecordsSource::buildList() {
  m_filters->setObjectName(QStringLiteral("recordFilters"));
  m_filters->setColumnCount(2);
  m_filters->setHeaderHidden(true);
  m_filters->setIndentation(12);
  m_filters->setUniformRowHeights(true);
  m_filters->header()->setStretchLastSection(false);
  m_filters->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_filters->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  m_table->setObjectName(QStringLiteral("recordTable"));
  m_table->setModel(&m_model);
  m_table->setShowGrid(false);
  m_table->setAlternatingRowColors(true);
  m_table->setWordWrap(false);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
  m_table->horizontalHeader()->setDefaultSectionSize(kFieldWidth);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* both = new QSplitter(Qt::Horizontal, this);
  both->addWidget(m_filters);
  both->addWidget(m_table);
  both->setStretchFactor(1, 1);
  both->setSizes({kFiltersWidth, 2 * kFiltersWidth});
  connect(m_filters, &QTreeWidget::itemChanged, this, &RecordsSource::filterChanged);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) { previewRow(now.row()); });
  return both;
}

QString RecordsSource::emptyHint() const {
  return tr(
      "Choose a local copy of LongBench-Pro (longbench_pro.json), or another file or folder of records "
      "(.json, .jsonl, .parquet), and filter it by language, length or task.");
}

QString RecordsSource::fileFilter() const {
  return tr("Records (*.json *.jsonl *.ndjson *.parquet);;All files (*)");
}

void RecordsSource::addPaths(const std::vector<fs::path>& paths) {
  if (paths.empty()) return;
  m_places = paths;
  m_counting.drop();
  m_filters->clear();
  m_model.setList(nullptr);
  m_readNote->setText(tr("Reading %1 …").arg(QString::fromStdString(paths.front().filename().string())));
  m_readBar->setRange(0, 0);
  m_stack->setCurrentIndex(Reading);
  m_readTicket = std::make_unique<JobTicket>(QString());
  connect(m_readTicket.get(), &JobTicket::changed, this, [this] {
    const ProgressState& now = m_readTicket->progress();
    m_readBar->setRange(0, now.total > 0 ? kSteps : 0);
    if (now.total > 0) m_readBar->setValue(static_cast<int>(std::lround(kSteps * now.done / now.total)));
  });
  m_reading.start([paths](Progress& progress) { return readRecordList(paths, progress); },
                  [this](Outcome<RecordList> list) { take(std::move(list)); }, m_readTicket.get());
}

void RecordsSource::take(Outcome<RecordList> list) {
  m_problem = list.ok() || list.stopped() ? QString() : list.failure.sentence;
  m_hint->setText(m_problem.isEmpty() ? emptyHint() : m_problem);
  m_stack->setCurrentIndex(list.ok() ? List : Empty);
  m_counts = std::make_shared<RecordCounts>();
  m_model.setCounts(m_counts);
  if (!list.ok()) return Q_EMIT changed();
  m_model.setList(std::make_shared<const RecordList>(std::move(*list.value)));
  m_table->setColumnWidth(RecordsModel::IdColumn, kIdWidth);
  fillFilters();
}

void RecordsSource::fillFilters() {
  const QSignalBlocker quiet(m_filters);
  m_filters->clear();
  const auto& fields = m_model.list()->fields;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    auto* heading = new QTreeWidgetItem(m_filters, {fields[f].title});
    heading->setFlags(Qt::ItemIsEnabled);
    for (std::size_t v = 0; v < fields[f].values.size(); ++v) {
      const QString value = QString::fromStdString(fields[f].values[v]);
      auto* item = new QTreeWidgetItem(heading, {value});
      item->setToolTip(0, value);
      item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      item->setCheckState(0, Qt::Unchecked);
      item->setData(0, kFieldRole, static_cast<int>(f));
      item->setData(0, kValueRole, static_cast<int>(v));
    }
  }
  m_filters->expandAll();
  showFilterCounts();
}

void RecordsSource::showFilterCounts() {
  const QSignalBlocker quiet(m_filters);
  for (int f = 0; f < m_filters->topLevelItemCount(); ++f) {
    const auto counts = countsOf(*m_model.list(), m_model.choice(), f);
    QTreeWidgetItem* heading = m_filters->topLevelItem(f);
    for (int v = 0; v < heading->childCount(); ++v) {
      const std::int64_t count = counts[static_cast<std::size_t>(v)];
      heading->child(v)->setText(1, QString::fromStdString(withCommas(count)));
      heading->child(v)->setForeground(
          0, palette().brush(count > 0 ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    }
  }
}

void RecordsSource::filterChanged(QTreeWidgetItem* item) {
  if (!item->parent()) return;
  m_model.setWanted(item->data(0, kFieldRole).toInt(), item->data(0, kValueRole).toInt(),
                    item->checkState(0) == Qt::Checked);
}

void RecordsSource::choiceChanged() {
  if (m_model.list() && m_filters->topLevelItemCount() > 0) showFilterCounts();
  count();
  Q_EMIT changed();
}

void RecordsSource::setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) {
  m_tokenizer = std::move(tokenizer);
  m_counts = std::make_shared<RecordCounts>();
  m_model.setCounts(m_counts);
  count();
}

void RecordsSource::setOptions(const CorpusOptions& options) {
  const bool same = options.textField == m_options.textField && options.idField == m_options.idField &&
                    options.maxExamples == m_options.maxExamples;
  m_options = options;
  if (!same) setTokenizer(m_tokenizer);
}

// Counts what is chosen; what was counted before is not counted again.
void RecordsSource::count() {
  m_counting.drop();
  m_counted = false;
  m_problem.clear();
  if (!m_tokenizer || !m_model.list() || m_model.taken() == 0) return;
  m_countTicket = std::make_unique<JobTicket>(QString());
  connect(m_countTicket.get(), &JobTicket::changed, this, [this] {
    m_model.countsChanged();
    Q_EMIT changed();
  });
  m_counting.start(
      [tokenizer = m_tokenizer, corpus = corpus({}), total = m_model.taken(), counts = m_counts](
          Progress& progress) { return countRecords(*tokenizer, corpus, total, *counts, progress); },
      [this](Outcome<TextCount> first) {
        if (first.stopped()) return;
        m_counted = first.ok();
        if (!first.ok()) m_problem = first.failure.sentence;
        m_model.countsChanged();
        if (first.ok() && !m_table->currentIndex().isValid()) {  // a chosen record stays
          m_first = std::move(*first.value);
          showPreview();
        }
        Q_EMIT changed();
      },
      m_countTicket.get());
}

CorpusOptions RecordsSource::corpus(const fs::path&) const {
  CorpusOptions options = m_options;
  if (!m_model.list() || m_model.taken() == 0) return options;
  options.files = m_model.list()->files;
  options.select = m_model.selection();
  return options;
}

std::string RecordsSource::label() const {
  if (m_places.empty()) return "records";
  std::string label = m_places.front().stem().string();
  if (!m_model.list()) return label;
  for (std::size_t f = 0; f < m_model.choice().wanted.size(); ++f) {
    const auto& wanted = m_model.choice().wanted[f];
    if (wanted.size() == 1)
      label += " " + m_model.list()->fields[f].values[static_cast<std::size_t>(*wanted.begin())];
  }
  return label;
}

void RecordsSource::showPreview() {
  if (!m_first.lengths.empty()) Q_EMIT previewChanged(QString::fromStdString(m_first.firstId), m_first);
}

void RecordsSource::previewRow(int row) {
  if (row < 0 || row >= m_model.rowCount() || !m_tokenizer || m_model.list()->idField.empty()) return;
  CorpusOptions one = m_options;
  one.files = m_model.list()->files;
  one.select = {{m_model.list()->idField, m_model.recordAt(row).id}};
  one.maxExamples = 1;
  m_previewing.start(
      [tokenizer = m_tokenizer, one](Progress& progress) { return countText(*tokenizer, one, progress); },
      [this](Outcome<TextCount> count) {
        if (!count.ok()) return;
        m_first = std::move(*count.value);
        showPreview();
      });
}

}  // namespace plastiscope
