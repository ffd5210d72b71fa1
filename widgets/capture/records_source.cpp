#include "widgets/capture/records_source.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>
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
    if (progress.total > 0)
      m_bar->setValue(static_cast<int>(std::lround(kSteps * progress.done / progress.total)));
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
           tr("Records (*.json *.jsonl *.ndjson *.parquet);;All files (*)")},
          parent),
      m_reading(workers, WorkLength::Long),
      m_counting(workers, WorkLength::Long),
      m_previewing(workers, WorkLength::Long),
      m_stack(new QStackedWidget(this)),
      m_start(new RecordsStart(workers, words().emptyHint, m_stack)),
      m_page(new RecordsReading(m_stack)),
      m_browser(new RecordsBrowser(m_model, m_stack)) {
  for (QWidget* page :
       {static_cast<QWidget*>(m_start), static_cast<QWidget*>(m_page), static_cast<QWidget*>(m_browser)})
    m_stack->addWidget(page);
  columnIn(this, {m_stack}, {.margins = {}});
  connect(&m_model, &RecordsModel::choiceChanged, this, &RecordsSource::choiceChanged);
  connect(m_start, &RecordsStart::chosen, this, [this](const FoundRecords& found) {
    read({found.place}, fs::path(found.name).filename().string());
  });
  connect(m_page, &RecordsReading::cancelRequested, this, [this] {
    if (m_readTicket) m_readTicket->cancel();
  });
  connect(m_browser, &RecordsBrowser::rowChosen, this, &RecordsSource::previewRow);
  connect(m_browser, &RecordsBrowser::otherRequested, this, &RecordsSource::leave);
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
                  [this](JobResult<RecordList> list) { take(std::move(list)); }, m_readTicket.get());
}

void RecordsSource::take(JobResult<RecordList> list) {
  m_readProblem = list.ok() || list.stopped() ? QString() : list.failure.sentence;
  m_start->say(m_readProblem);
  m_counts = std::make_shared<RecordCounts>();
  m_model.setCounts(m_counts);
  m_stack->setCurrentWidget(list.ok() ? static_cast<QWidget*>(m_browser) : m_start);
  if (!list.ok()) return Q_EMIT changed();
  m_model.setList(std::make_shared<const RecordList>(std::move(*list.value)));
  m_browser->showList(QString::fromStdString(m_name));
}

void RecordsSource::leave() {
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
    if (wanted.size() == 1)
      label += " " + m_model.list()->fields[f].values[static_cast<std::size_t>(*wanted.begin())];
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
