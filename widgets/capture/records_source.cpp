#include "widgets/capture/records_source.h"

#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QTableView>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/path_text.h"
#include "core/text/corpus_file.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr std::size_t kMaximum = 4;  // maximum number of data sets on the page
constexpr int kRowHeight = 22, kFiltersWidth = 210, kIdWidth = 110, kFieldWidth = 92;
constexpr int kFieldRole = Qt::UserRole, kValueRole = Qt::UserRole + 1;
constexpr int kSteps = 1000, kBarWidth = 240;

}  // namespace

// Start page: choice of records, the last error, and data sets found on this computer.
class RecordsStart : public QWidget {
  Q_OBJECT
 public:
  RecordsStart(Workers& workers, const QString& hint, QWidget* parent)
      : QWidget(parent),
        m_hint(hint),
        m_search(workers, WorkLength::Quick),
        m_text(named("recordsHint", new QLabel(hint, this))),
        m_choices(new QVBoxLayout) {
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_choices->setSpacing(4);
    columnIn(this, {Stretch(), m_text, Gap{4}, m_choices, Stretch()}, {.margins = {16, 8, 16, 8}});
    m_search.start([](Progress&) { return findRecords(); },
                   [this](JobResult<std::vector<FoundRecords>> found) {
                     if (found.ok()) offer(*found.value);
                   });
  }

  void say(const QString& sentence) {  // "" = the hint
    m_text->setText(sentence.isEmpty() ? m_hint : sentence);
    m_text->setProperty("bad", !sentence.isEmpty());
    m_text->style()->unpolish(m_text);
    m_text->style()->polish(m_text);
  }

 Q_SIGNALS:
  void chosen(const plastiscope::FoundRecords& records);

 private:
  void offer(const std::vector<FoundRecords>& found) {
    for (std::size_t i = 0; i < std::min(found.size(), kMaximum); ++i) {
      const FoundRecords records = found[i];
      auto* use = smallButton(tr("Use %1 from the Hugging Face cache")
                                  .arg(QString::fromStdString(records.name).replace('&', "&&")),
                              plainTip(fileText(records.place)), this);
      use->setIcon(lineIcon(QStringLiteral("open")));
      use->setObjectName(QStringLiteral("recordsFound%1").arg(i));
      m_choices->addWidget(use, 0, Qt::AlignHCenter);
      connect(use, &QPushButton::clicked, this, [this, records] { Q_EMIT chosen(records); });
    }
  }

  QString m_hint;
  JobRunner m_search;
  QLabel* m_text;
  QVBoxLayout* m_choices;
};

// Filters and the list of matching records.
class RecordsBrowser : public QWidget {
  Q_OBJECT
 public:
  explicit RecordsBrowser(RecordsModel& model, QWidget* parent = nullptr);
  void showList(const QString& name);  // the model has a new list
  void clear();
  bool hasCurrent() const;  // a record is selected for display

 Q_SIGNALS:
  void rowChosen(int row);
  void otherRequested();  // another file was requested

 private:
  QWidget* buildHead();
  void setUpFilters();
  void setUpTable();
  void fillFilters();
  void showFilterCounts();
  void filterChanged(QTreeWidgetItem* item);

  RecordsModel& m_model;
  QLabel* m_name;
  QTreeWidget* m_filters;
  QTableView* m_table;
};

RecordsBrowser::RecordsBrowser(RecordsModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_name(styledLabel({}, "muted", this)),
      m_filters(named("recordFilters", new QTreeWidget(this))),
      m_table(named("recordTable", new QTableView(this))) {
  setUpFilters();
  setUpTable();
  auto* both = new QSplitter(Qt::Horizontal, this);
  both->addWidget(m_filters);
  both->addWidget(m_table);
  both->setStretchFactor(1, 1);
  both->setSizes({kFiltersWidth, 2 * kFiltersWidth});
  columnIn(this, {buildHead(), {both, 1}}, {.margins = {}, .spacing = 2});
  connect(&m_model, &RecordsModel::choiceChanged, this, [this] {
    if (m_model.list() && m_filters->topLevelItemCount() > 0) showFilterCounts();
  });
}

QWidget* RecordsBrowser::buildHead() {
  auto* head = new QWidget(this);
  m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* other = named("recordsOther", smallButton(tr("Other records …"),
                                                  tr("Back to the choice of files and data sets"), head));
  rowIn(head, {{m_name, 1}, other}, {.margins = {4, 2, 0, 0}});
  connect(other, &QPushButton::clicked, this, &RecordsBrowser::otherRequested);
  return head;
}

void RecordsBrowser::setUpFilters() {
  m_filters->setAccessibleName(tr("Filters of the records"));
  m_filters->setColumnCount(2);
  m_filters->setHeaderHidden(true);
  m_filters->setIndentation(12);
  m_filters->setUniformRowHeights(true);
  m_filters->header()->setStretchLastSection(false);
  m_filters->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_filters->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  connect(m_filters, &QTreeWidget::itemChanged, this, &RecordsBrowser::filterChanged);
}

void RecordsBrowser::setUpTable() {
  m_table->setAccessibleName(tr("Records"));
  m_table->setModel(&m_model);
  showAsList(*m_table, kRowHeight);
  m_table->setWordWrap(false);
  m_table->horizontalHeader()->setDefaultSectionSize(kFieldWidth);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) { Q_EMIT rowChosen(now.row()); });
}

bool RecordsBrowser::hasCurrent() const {
  return m_table->currentIndex().isValid();
}

void RecordsBrowser::clear() {
  m_filters->clear();
}

void RecordsBrowser::showList(const QString& name) {
  const std::int64_t count = m_model.list()->records.size();
  m_name->setText(tr("%1 · %2 records").arg(name, groupedText(count)));
  m_name->setToolTip(plainTip(m_name->text()));
  m_table->setColumnWidth(RecordsModel::IdColumn, kIdWidth);
  fillFilters();
}

void RecordsBrowser::fillFilters() {
  const QSignalBlocker quiet(m_filters);
  m_filters->clear();
  const auto& fields = m_model.list()->fields;
  for (int f = 0; f < std::ssize(fields); ++f) {
    auto* heading = new QTreeWidgetItem(m_filters, {fields[f].title});
    heading->setFlags(Qt::ItemIsEnabled);
    for (int v = 0; v < std::ssize(fields[f].values); ++v) {
      const QString value = QString::fromStdString(fields[f].values[v]);
      auto* item = new QTreeWidgetItem(heading, {value});
      item->setToolTip(0, plainTip(value));
      item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      item->setCheckState(0, Qt::Unchecked);
      item->setData(0, kFieldRole, f);
      item->setData(0, kValueRole, v);
    }
  }
  m_filters->expandAll();
  showFilterCounts();
}

void RecordsBrowser::showFilterCounts() {
  const QSignalBlocker quiet(m_filters);
  for (int f = 0; f < m_filters->topLevelItemCount(); ++f) {
    const auto counts = countsOf(*m_model.list(), m_model.choice(), f);
    QTreeWidgetItem* heading = m_filters->topLevelItem(f);
    for (int v = 0; v < heading->childCount(); ++v) {
      const std::int64_t count = counts[v];
      heading->child(v)->setText(1, groupedText(count));
      heading->child(v)->setForeground(
          0, palette().brush(count > 0 ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    }
  }
}

void RecordsBrowser::filterChanged(QTreeWidgetItem* item) {
  if (!item->parent()) return;
  m_model.setWanted(item->data(0, kFieldRole).toInt(), item->data(0, kValueRole).toInt(),
                    item->checkState(0) == Qt::Checked);
}

// Page while a file is read: progress and a stop button.
class RecordsReading : public QWidget {
  Q_OBJECT
 public:
  explicit RecordsReading(QWidget* parent)
      : QWidget(parent), m_note(new QLabel(this)), m_bar(new QProgressBar(this)) {
    auto* cancel = named("recordsCancel", smallButton(tr("Cancel"), tr("Stop reading the records"), this));
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(kBarWidth);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setAlignment(Qt::AlignCenter);
    columnIn(this, {Stretch(), m_note, rowOf({Stretch(), m_bar, cancel, Stretch()}), Stretch()});
    connect(cancel, &QPushButton::clicked, this, &RecordsReading::cancelRequested);
  }

  void begin(const QString& name) {
    m_note->setText(tr("Reading %1 …").arg(name));
    m_bar->setAccessibleName(m_note->text());
    m_bar->setRange(0, 0);
  }
  void report(const ProgressState& progress) {
    m_bar->setRange(0, progress.total > 0 ? kSteps : 0);
    if (progress.total > 0) m_bar->setValue(std::lround(kSteps * progress.done / progress.total));
  }

 Q_SIGNALS:
  void cancelRequested();

 private:
  QLabel* m_note;
  QProgressBar* m_bar;
};

RecordsSource::RecordsSource(Workers& workers, QWidget* parent)
    : TextSource(
          {tr("&LongBench-Pro"),
           tr("Choose a local copy of LongBench-Pro (longbench_pro.json), or another file or folder of "
              "records (.json, .jsonl, .parquet), and filter it by language, length or task."),
           tr("Records (*.json *.jsonl *.jsonl.gz *.jsonl.zst *.ndjson *.parquet *.arrow *.csv);;All files "
              "(*)")},
          parent),
      m_reading(workers, WorkLength::Long),
      m_counting(workers, WorkLength::Long),
      m_previewing(workers, WorkLength::Long),
      m_stack(new QStackedWidget(this)),
      m_start(new RecordsStart(workers, words().emptyHint, m_stack)),
      m_page(new RecordsReading(m_stack)),
      m_browser(new RecordsBrowser(m_model, m_stack)) {
  for (QWidget* page : std::initializer_list<QWidget*>{m_start, m_page, m_browser}) m_stack->addWidget(page);
  columnIn(this, {m_stack}, {.margins = {}});
  connect(&m_model, &RecordsModel::choiceChanged, this, &RecordsSource::choiceChanged);
  connect(m_start, &RecordsStart::chosen, this, [this](const FoundRecords& found) {
    read({found.place}, fs::path(found.name).filename().string());
  });
  connect(m_page, &RecordsReading::cancelRequested, this, [this] {
    if (m_readTicket) m_readTicket->cancel();
  });
  connect(m_browser, &RecordsBrowser::rowChosen, this, &RecordsSource::previewRow);
  connect(m_browser, &RecordsBrowser::otherRequested, this, &RecordsSource::showStart);
}

void RecordsSource::addPaths(const std::vector<fs::path>& paths) {
  if (!paths.empty()) read(paths, pathText(paths.front().stem()));
}

void RecordsSource::read(const std::vector<fs::path>& places, const std::string& name) {
  m_name = name;
  m_readProblem.clear();
  m_counting.drop();
  m_browser->clear();
  m_model.setList(nullptr);
  m_page->begin(QString::fromStdString(name));
  m_stack->setCurrentWidget(m_page);
  m_readTicket = std::make_unique<JobHandle>(QString());
  connect(m_readTicket.get(), &JobHandle::changed, this,
          [this] { m_page->report(m_readTicket->progress()); });
  m_reading.start([places](Progress& progress) { return readRecordList(places, progress); },
                  [this](JobResult<RecordList> list) { showList(std::move(list)); }, m_readTicket.get());
}

void RecordsSource::showList(JobResult<RecordList> list) {
  m_readProblem = list.ok() || list.stopped() ? QString() : list.failure.sentence;
  m_start->say(m_readProblem);
  m_counts = std::make_shared<RecordCounts>();
  m_model.setCounts(m_counts);
  m_stack->setCurrentWidget(list.ok() ? static_cast<QWidget*>(m_browser) : m_start);
  if (!list.ok()) return Q_EMIT changed();
  m_model.setList(std::make_shared<const RecordList>(std::move(*list.value)));
  m_browser->showList(QString::fromStdString(m_name));
}

void RecordsSource::showStart() {
  m_name = "records";
  m_readProblem.clear();
  m_start->say({});
  m_browser->clear();
  m_model.setList(nullptr);
  m_stack->setCurrentWidget(m_start);
  Q_EMIT changed();
}

void RecordsSource::choiceChanged() {
  count();
  Q_EMIT changed();
}

void RecordsSource::countAnew() {
  m_counts = std::make_shared<RecordCounts>();
  m_model.setCounts(m_counts);
  count();
}

// Counts the chosen records that are not counted yet.
void RecordsSource::count() {
  m_counting.drop();
  m_counted = false;
  m_countProblem.clear();
  if (!tokenizer() || !m_model.list() || m_model.taken() == 0) return;
  m_countTicket = std::make_unique<JobHandle>(QString());
  connect(m_countTicket.get(), &JobHandle::changed, this, [this] {
    m_model.countsChanged();
    Q_EMIT changed();
  });
  m_counting.start(
      [tokenizer = tokenizer(), corpus = corpus({}), total = m_model.taken(), counts = m_counts](
          Progress& progress) { return countRecords(*tokenizer, corpus, total, *counts, progress); },
      [this](JobResult<TextCount> first) {
        if (first.stopped()) return;
        m_counted = first.ok();
        if (!first.ok()) m_countProblem = first.failure.sentence;
        m_model.countsChanged();
        if (first.ok() && !m_browser->hasCurrent()) {  // keeps a chosen record
          m_first = std::move(*first.value);
          showPreview();
        }
        Q_EMIT changed();
      },
      m_countTicket.get());
}

CorpusOptions RecordsSource::corpus(const fs::path&) const {
  CorpusOptions options = this->options();
  if (!m_model.list() || m_model.taken() == 0) return options;
  options.files = m_model.list()->files;
  options.select = m_model.selection();
  return options;
}

std::string RecordsSource::label() const {
  std::string label = m_name;
  if (!m_model.list()) return label;
  for (std::size_t f = 0; f < m_model.choice().wanted.size(); ++f) {
    const auto& wanted = m_model.choice().wanted[f];
    if (wanted.size() == 1) label += " " + m_model.list()->fields[f].values[*wanted.begin()];
  }
  return label;
}

void RecordsSource::showPreview() {
  if (!m_first.lengths.empty()) Q_EMIT previewChanged(QString::fromStdString(m_first.firstId), m_first);
}

void RecordsSource::previewRow(int row) {
  if (row < 0 || row >= m_model.rowCount() || !tokenizer() || m_model.list()->idField.empty()) return;
  CorpusOptions one = options();
  one.files = m_model.list()->files;
  one.select = {{m_model.list()->idField, m_model.recordAt(row).id}};
  one.maxExamples = 1;
  m_previewing.start(
      [tokenizer = tokenizer(), one](Progress& progress) { return countText(*tokenizer, one, progress); },
      [this](JobResult<TextCount> count) {
        if (!count.ok()) return;
        m_first = std::move(*count.value);
        showPreview();
      });
}

}  // namespace plastiscope

#include "records_source.moc"

#include "moc_records_source.cpp"
