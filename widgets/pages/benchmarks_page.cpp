#include "widgets/pages/benchmarks_page.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/views/study_facts.h"
#include "widgets/compare/benchmark_table.h"
#include "widgets/plots/benchmark_view.h"
#include "widgets/state/dropped_files.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kSideWidth = 470;
const QString kAddScores = QStringLiteral("+");  // of the scores box: opens a file

QLabel* muted(const QString& text) {
  auto* label = new QLabel(text);
  label->setProperty("muted", true);
  return label;
}

QString paragraphs(const std::vector<std::string>& sentences) {
  QString text;
  for (const std::string& sentence : sentences)
    text += QStringLiteral("<li style=\"margin-bottom:4px\">%1</li>")
                .arg(QString::fromStdString(sentence).toHtmlEscaped());
  return QStringLiteral("<ul style=\"margin-left:-22px; margin-top:4px\">%1</ul>").arg(text);
}

// How much hangs on one model, and which own analyses found no score.
QString noteOf(const BenchmarkData& data) {
  QStringList notes;
  std::vector<double> others;
  for (const BenchmarkPoint& point : data.points) {
    if (std::isfinite(point.without)) others.push_back(point.without);
  }
  if (!others.empty()) {
    const auto [low, high] = std::minmax_element(others.begin(), others.end());
    notes.append(
        BenchmarksPage::tr("Without any one point <i>r</i> lies between %1 and %2.")
            .arg(QString::fromStdString(fixedText(*low, 2)), QString::fromStdString(fixedText(*high, 2))));
  }
  QStringList names;
  for (const std::string& name : data.withoutScore)
    names.append(QString::fromStdString(name).toHtmlEscaped());
  if (!names.empty())
    notes.append(
        BenchmarksPage::tr(
            "Without a score or value here: %1. Models are matched by their names; scores of your own "
            "come as a CSV file with the columns model and score.")
            .arg(names.join(QStringLiteral(", "))));
  return notes.join(QStringLiteral("<br>"));
}

}  // namespace

struct BenchmarksPage::Private {
  QComboBox *scores = nullptr, *group = nullptr, *predictor = nullptr;
  QHBoxLayout* own = nullptr;
  BenchmarkView* view = nullptr;
  BenchmarkTable* results = nullptr;
  QTableView* table = nullptr;
  QLabel *note = nullptr, *caveats = nullptr;
};

BenchmarksPage::BenchmarksPage(const SessionTab& start, Workers& workers, JobList& jobs, QWidget* parent)
    : QWidget(parent), m_model(workers, jobs), d(std::make_unique<Private>()) {
  setObjectName(QStringLiteral("benchmarksPage"));
  setAcceptDrops(true);
  d->view = new BenchmarkView(this);
  d->view->setObjectName(QStringLiteral("benchmarkView"));
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeBar());
  column->addWidget(splitter, 1);
  splitter->addWidget(d->view);
  splitter->addWidget(makeSide());
  splitter->setStretchFactor(0, 1);
  splitter->setChildrenCollapsible(false);
  splitter->setSizes({900, kSideWidth});
  connect(&m_model, &BenchmarkModel::filesChanged, this, [this] {
    fillOwn();
    Q_EMIT changed();
  });
  connect(&m_model, &BenchmarkModel::choicesChanged, this, [this] {
    fillScores();
    Q_EMIT changed();
  });
  connect(&m_model, &BenchmarkModel::dataReady, this, &BenchmarksPage::take);
  connect(&m_model, &BenchmarkModel::complained, this, &BenchmarksPage::complain);
  d->view->setMessage(tr("Reading the scores …"));
  m_model.setChoices(start.benchmark.value_or(BenchmarkChoices()));
  m_model.add(start.compared);
  fillOwn();
}

BenchmarksPage::~BenchmarksPage() = default;

QWidget* BenchmarksPage::makeBar() {
  auto* bar = new QFrame(this);
  bar->setObjectName(QStringLiteral("compareBar"));
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 5, 8, 5);
  row->setSpacing(6);
  const auto box = [&](QComboBox*& into, const char* name, const QString& title, const QString& tip) {
    into = new QComboBox(bar);
    into->setObjectName(QLatin1String(name));
    into->setToolTip(tip);
    into->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(muted(title));
    row->addWidget(into);
    row->addSpacing(6);
  };
  box(d->scores, "benchmarkScores", tr("Benchmark"),
      tr("Shipped scores, or a CSV file with the columns model, score"));
  box(d->group, "benchmarkGroup", tr("Scores"),
      tr("Suite, mode and length: only these may be compared with each other"));
  box(d->predictor, "benchmarkPredictor", tr("Predictor"), tr("What is drawn against the score"));
  for (const MetricInfo& metric : benchmarkPredictors())
    d->predictor->addItem(QString::fromStdString(metric.title), QString::fromStdString(metric.column));
  row->addStretch(1);
  d->own = new QHBoxLayout;
  d->own->setSpacing(6);
  row->addLayout(d->own);
  auto* add = new QPushButton(lineIcon(QStringLiteral("plus")), tr("Own analyses …"), bar);
  add->setObjectName(QStringLiteral("benchmarkAdd"));
  add->setProperty("small", true);
  add->setToolTip(
      tr("Put captures or analyses beside the thesis' models: choose files, drop them here or drag them "
         "from the library"));
  row->addWidget(add);
  connect(add, &QPushButton::clicked, this, &BenchmarksPage::addRequested);
  connect(d->scores, &QComboBox::activated, this, [this] {
    const QString name = d->scores->currentData().toString();
    if (name == kAddScores) {
      fillScores();  // until a file is chosen nothing changes
      Q_EMIT scoresRequested();
      return;
    }
    choose({name.toStdString(), m_model.choices().predictor, {}});
  });
  connect(d->group, &QComboBox::activated, this, [this] {
    BenchmarkChoices choices = m_model.choices();
    choices.group = d->group->currentData().toString().toStdString();
    choose(choices);
  });
  connect(d->predictor, &QComboBox::activated, this, [this] {
    BenchmarkChoices choices = m_model.choices();
    choices.predictor = d->predictor->currentData().toString().toStdString();
    choose(choices);
  });
  return bar;
}

QWidget* BenchmarksPage::makeSide() {
  auto* side = new QWidget(this);
  side->setMinimumWidth(300);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(8);
  d->results = new BenchmarkTable(this);
  d->table = new QTableView(side);
  d->table->setObjectName(QStringLiteral("benchmarkTable"));
  d->table->setModel(d->results);
  d->table->setSelectionBehavior(QAbstractItemView::SelectRows);
  d->table->setSelectionMode(QAbstractItemView::SingleSelection);
  d->table->setAlternatingRowColors(true);
  d->table->setShowGrid(false);
  d->table->verticalHeader()->hide();
  d->table->verticalHeader()->setDefaultSectionSize(21);
  d->table->horizontalHeader()->setHighlightSections(false);
  connect(d->table, &QTableView::clicked, this, [this](const QModelIndex& index) {
    BenchmarkChoices choices = m_model.choices();
    if (m_model.data() == nullptr || m_model.data()->group.byLength) return;
    choices.predictor = d->results->predictorAt(index.row());
    choose(choices);
  });
  d->note = new QLabel(side);
  d->note->setObjectName(QStringLiteral("benchmarkNote"));
  d->note->setWordWrap(true);
  d->caveats = new QLabel;
  d->caveats->setObjectName(QStringLiteral("benchmarkCaveats"));
  d->caveats->setWordWrap(true);
  d->caveats->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  d->caveats->setMargin(8);
  d->caveats->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* scroll = new QScrollArea(side);
  scroll->setWidget(d->caveats);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* heading = new QLabel(tr("All predictors"), side);
  heading->setProperty("strong", true);
  column->addWidget(heading);
  column->addWidget(d->table, 1000);  // up to its height
  column->addWidget(d->note);
  column->addWidget(scroll, 1);
  return side;
}

void BenchmarksPage::choose(const BenchmarkChoices& choices) {
  m_model.setChoices(choices);
}

// The shipped benchmarks, the file in use, and a way to another file.
void BenchmarksPage::fillScores() {
  const QString now = QString::fromStdString(m_model.choices().scores);
  d->scores->clear();
  for (const std::string& name : benchmarkNames())
    d->scores->addItem(QString::fromStdString(loadBenchmark(name).title), QString::fromStdString(name));
  if (d->scores->findData(now) < 0)
    d->scores->addItem(QString::fromStdString(fs::path(now.toStdString()).filename().string()), now);
  d->scores->insertSeparator(d->scores->count());
  d->scores->addItem(tr("Add scores (CSV) …"), kAddScores);
  d->scores->setCurrentIndex(d->scores->findData(now));
}

void BenchmarksPage::fillOwn() {
  while (QLayoutItem* item = d->own->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  for (const fs::path& file : m_model.files()) {
    const QString name = QString::fromStdString(file.stem().stem().string());
    auto* chip = new QToolButton(this);
    chip->setObjectName(QStringLiteral("benchmarkOwn"));
    chip->setText(chip->fontMetrics().elidedText(name, Qt::ElideMiddle, 130));
    chip->setIcon(lineIcon(QStringLiteral("close")));
    chip->setIconSize({10, 10});
    chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    chip->setToolTip(tr("Take %1 out").arg(QString::fromStdString(file.string())));
    chip->setAccessibleName(chip->toolTip());
    connect(chip, &QToolButton::clicked, this, [this, file] { m_model.remove(file); });
    d->own->addWidget(chip);
  }
}

void BenchmarksPage::take(const std::shared_ptr<const BenchmarkData>& benchmark) {
  fillScores();
  d->group->clear();
  for (const ScoreGroup& group : benchmark->groups)
    d->group->addItem(QString::fromStdString(group.title()), QString::fromStdString(group.text()));
  d->group->setCurrentIndex(d->group->findData(QString::fromStdString(benchmark->group.text())));
  d->predictor->setCurrentIndex(d->predictor->findData(QString::fromStdString(m_model.choices().predictor)));
  d->predictor->setEnabled(!benchmark->group.byLength);
  d->view->setData(benchmark);
  d->results->setData(benchmark);
  d->table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  d->table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  if (const int row = d->results->rowOf(benchmark->predictor.column); row >= 0) d->table->selectRow(row);
  const int rows = d->results->rowCount() * d->table->verticalHeader()->defaultSectionSize();
  d->table->setMaximumHeight(d->table->horizontalHeader()->sizeHint().height() + rows + 4);
  d->note->setText(noteOf(*benchmark));
  d->note->setVisible(!d->note->text().isEmpty());
  std::vector<std::string> caveats = benchmark->caveats;
  caveats.emplace_back(tr("With few models and %1 predictors a small p is expected by chance: all stand here "
                          "beside each other.")
                           .arg(benchmark->predictors.size())
                           .toStdString());
  d->caveats->setText(QStringLiteral("<b>%1</b><br>%2%3")
                          .arg(QString::fromStdString(benchmark->title).toHtmlEscaped(),
                               QString::fromStdString(benchmark->content).toHtmlEscaped() + QLatin1Char('.'),
                               paragraphs(caveats)));
  Q_EMIT changed();
}

void BenchmarksPage::complain(const QString& sentence) {
  if (m_model.data() == nullptr) d->view->setMessage(sentence);
  Q_EMIT complained(sentence);
}

SessionTab BenchmarksPage::sessionTab() const {
  SessionTab tab;
  tab.compared = m_model.files();
  tab.benchmark = m_model.choices();
  return tab;
}

void BenchmarksPage::add(const std::vector<fs::path>& files) {
  std::vector<fs::path> own;
  for (const fs::path& file : files) {
    if (QString::fromStdString(file.extension().string()).toLower() == QStringLiteral(".csv"))
      choose({file.string(), m_model.choices().predictor, {}});
    else
      own.push_back(file);
  }
  m_model.add(own);
}

QPixmap BenchmarksPage::currentPicture() const {
  return d->view->grab();
}

void BenchmarksPage::dragEnterEvent(QDragEnterEvent* event) {
  acceptFiles(*event);
}

void BenchmarksPage::dropEvent(QDropEvent* event) {
  add(takeFiles(*event));
}

}  // namespace plastiscope
