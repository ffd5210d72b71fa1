#include "widgets/pages/benchmarks_page.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/pages/benchmark_side.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kViewWidth = 900, kSideWidth = 470;
constexpr int kChipText = 130, kLeastBox = 9;    // pixels, characters
const QString kAddScores = QStringLiteral("+");  // of the scores box: opens a file

}  // namespace

// The top of the tab: scores, group and predictor, and the own analyses beside the thesis' models.
class BenchmarkBar : public QFrame {
  Q_OBJECT
 public:
  explicit BenchmarkBar(BenchmarkModel& model, QWidget* parent = nullptr);

 Q_SIGNALS:
  void scoresRequested();  // a person wants to choose a CSV file
  void addRequested();     // ... own analyses

 private:
  QComboBox* addBox(QHBoxLayout& row, const char* name, const QString& title, const QString& tip);
  void chooseScores();
  void choose(std::string BenchmarkChoices::*part, const QComboBox& box);
  void fillScores();
  void fillOwn();
  void take(const BenchmarkData& data);

  BenchmarkModel& m_model;
  QHBoxLayout* m_own;
  QComboBox *m_scores, *m_group, *m_predictor;
};

BenchmarkBar::BenchmarkBar(BenchmarkModel& model, QWidget* parent)
    : QFrame(parent), m_model(model), m_own(new QHBoxLayout) {
  setObjectName(QStringLiteral("compareBar"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 5, 8, 5);
  row->setSpacing(6);
  m_scores = addBox(*row, "benchmarkScores", tr("&Benchmark"),
                    tr("Shipped scores, or a CSV file with the columns model, score; its column benchmark "
                       "adds them to shipped ones"));
  m_group = addBox(*row, "benchmarkGroup", tr("&Scores"),
                   tr("Suite, mode and length: only these may be compared with each other"));
  m_predictor = addBox(*row, "benchmarkPredictor", tr("&Predictor"), tr("What is drawn against the score"));
  for (const MetricInfo& metric : benchmarkPredictors())
    m_predictor->addItem(QString::fromStdString(metric.title), QString::fromStdString(metric.column));
  row->addStretch(1);
  m_own->setSpacing(6);
  row->addLayout(m_own);
  auto* add = new QPushButton(lineIcon(QStringLiteral("plus")), tr("&Own analyses …"), this);
  add->setObjectName(QStringLiteral("benchmarkAdd"));
  add->setProperty("small", true);
  add->setToolTip(
      tr("Add captures or analyses to the thesis' models: choose files, drop them here or drag them "
         "from the library"));
  row->addWidget(add);
  connect(add, &QPushButton::clicked, this, &BenchmarkBar::addRequested);
  connect(m_scores, &QComboBox::activated, this, &BenchmarkBar::chooseScores);
  connect(m_group, &QComboBox::activated, this, [this] { choose(&BenchmarkChoices::group, *m_group); });
  connect(m_predictor, &QComboBox::activated, this,
          [this] { choose(&BenchmarkChoices::predictor, *m_predictor); });
  connect(&model, &BenchmarkModel::filesChanged, this, &BenchmarkBar::fillOwn);
  connect(&model, &BenchmarkModel::choicesChanged, this, &BenchmarkBar::fillScores);
  connect(&model, &BenchmarkModel::dataReady, this,
          [this](const std::shared_ptr<const BenchmarkData>& data) { take(*data); });
}

QComboBox* BenchmarkBar::addBox(QHBoxLayout& row, const char* name, const QString& title,
                                const QString& tip) {
  auto* box = new QComboBox(this);
  box->setObjectName(QLatin1String(name));
  box->setToolTip(tip);
  box->setAccessibleName(QString(title).remove('&'));
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  box->setMinimumContentsLength(kLeastBox);
  auto* label = new QLabel(title, this);
  label->setProperty("muted", true);
  label->setBuddy(box);
  row.addWidget(label);
  row.addWidget(box);
  row.addSpacing(6);
  return box;
}

void BenchmarkBar::chooseScores() {
  const QString name = m_scores->currentData().toString();
  if (name != kAddScores)
    return m_model.setChoices({fileOfText(name).string(), m_model.choices().predictor, {}});
  fillScores();  // until a file is chosen nothing changes
  Q_EMIT scoresRequested();
}

void BenchmarkBar::choose(std::string BenchmarkChoices::*part, const QComboBox& box) {
  BenchmarkChoices choices = m_model.choices();
  choices.*part = box.currentData().toString().toStdString();
  m_model.setChoices(choices);
}

// The shipped benchmarks, the file in use, and a way to another file.
void BenchmarkBar::fillScores() {
  const QString now = fileText(m_model.choices().scores);
  m_scores->clear();
  for (const std::string& name : benchmarkNames())
    m_scores->addItem(QString::fromStdString(loadBenchmark(name).title), QString::fromStdString(name));
  if (m_scores->findData(now) < 0) m_scores->addItem(fileText(fileOfText(now).filename()), now);
  m_scores->insertSeparator(m_scores->count());
  m_scores->addItem(tr("Add scores (CSV) …"), kAddScores);
  m_scores->setCurrentIndex(m_scores->findData(now));
}

void BenchmarkBar::fillOwn() {
  while (QLayoutItem* item = m_own->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  for (const fs::path& file : m_model.files()) {
    const QString name = fileText(file.stem().stem());
    auto* chip = new QToolButton(this);
    chip->setObjectName(QStringLiteral("benchmarkOwn"));
    chip->setText(chip->fontMetrics().elidedText(name, Qt::ElideMiddle, kChipText));
    chip->setIcon(lineIcon(QStringLiteral("close")));
    chip->setIconSize({10, 10});
    chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    chip->setToolTip(plainTip(tr("Remove %1").arg(fileText(file))));
    chip->setAccessibleName(tr("Remove %1").arg(fileText(file)));
    connect(chip, &QToolButton::clicked, this, [this, file] { m_model.remove(file); });
    m_own->addWidget(chip);
  }
}

void BenchmarkBar::take(const BenchmarkData& data) {
  fillScores();
  m_group->clear();
  for (const ScoreGroup& group : data.groups)
    m_group->addItem(QString::fromStdString(group.title()), QString::fromStdString(group.text()));
  m_group->setCurrentIndex(m_group->findData(QString::fromStdString(data.group.text())));
  m_predictor->setCurrentIndex(m_predictor->findData(QString::fromStdString(m_model.choices().predictor)));
  m_predictor->setEnabled(!data.group.byLength);
}

BenchmarksPage::BenchmarksPage(const SessionTab& start, Workers& workers, JobList& jobs, QWidget* parent)
    : QWidget(parent),
      m_model(workers, jobs),
      m_view(new BenchmarkView(this)),
      m_side(new BenchmarkSide(this)) {
  setObjectName(QStringLiteral("benchmarksPage"));
  setAcceptDrops(true);
  m_view->setObjectName(QStringLiteral("benchmarkView"));
  m_view->setMessage(tr("Reading the scores …"));
  m_side->setObjectName(QStringLiteral("benchmarkSide"));
  auto* bar = new BenchmarkBar(m_model, this);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(m_view);
  splitter->addWidget(m_side);
  splitter->setStretchFactor(0, 1);
  splitter->setChildrenCollapsible(false);
  splitter->setSizes({kViewWidth, kSideWidth});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar);
  column->addWidget(splitter, 1);
  connect(bar, &BenchmarkBar::scoresRequested, this, &BenchmarksPage::scoresRequested);
  connect(bar, &BenchmarkBar::addRequested, this, &BenchmarksPage::addRequested);
  connect(m_side, &BenchmarkSide::predictorChosen, this, &BenchmarksPage::choosePredictor);
  for (QWidget* panel : std::initializer_list<QWidget*>{bar, m_view, m_side}) m_active.watch(panel);
  connect(&m_active, &ActivePanel::entered, this,
          [this](const QWidget* panel) { Q_EMIT viewEntered(panel->objectName()); });
  connectModel();
  m_model.setChoices(start.benchmark.value_or(BenchmarkChoices()));
  m_model.add(start.compared);
}

BenchmarksPage::~BenchmarksPage() = default;

void BenchmarksPage::connectModel() {
  connect(&m_model, &BenchmarkModel::filesChanged, this, &BenchmarksPage::changed);
  connect(&m_model, &BenchmarkModel::choicesChanged, this, &BenchmarksPage::changed);
  connect(&m_model, &BenchmarkModel::dataReady, this, &BenchmarksPage::take);
  connect(&m_model, &BenchmarkModel::complained, this, &BenchmarksPage::complain);
}

void BenchmarksPage::choosePredictor(const std::string& column) {
  BenchmarkChoices choices = m_model.choices();
  if (column == choices.predictor || m_model.data() == nullptr || m_model.data()->group.byLength) return;
  choices.predictor = column;
  m_model.setChoices(choices);
}

void BenchmarksPage::take(const std::shared_ptr<const BenchmarkData>& data) {
  m_view->setData(data);
  m_side->setData(data);
  Q_EMIT changed();
}

void BenchmarksPage::complain(const QString& sentence) {
  if (m_model.data() == nullptr) m_view->setMessage(sentence);
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
    if (fileText(file.extension()).toLower() == QStringLiteral(".csv"))
      m_model.setChoices({file.string(), m_model.choices().predictor, {}});
    else
      own.push_back(file);
  }
  m_model.add(own);
}

QPixmap BenchmarksPage::currentPicture() const {
  return m_view->grab();
}

void BenchmarksPage::dragEnterEvent(QDragEnterEvent* event) {
  acceptNumbers(*event);
}

void BenchmarksPage::dropEvent(QDropEvent* event) {
  add(takeFiles(*event));
}

}  // namespace plastiscope

#include "benchmarks_page.moc"
