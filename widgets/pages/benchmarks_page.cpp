#include "widgets/pages/benchmarks_page.h"

#include <QDragEnterEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include "widgets/pages/benchmark_bar.h"
#include "widgets/pages/benchmark_side.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/dropped_files.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {
constexpr int kViewWidth = 900, kSideWidth = 470;
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
  for (QWidget* panel : std::initializer_list<QWidget*>{bar, m_view, m_side}) m_entered.watch(panel);
  connect(&m_entered, &EnteredPanel::entered, this,
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
