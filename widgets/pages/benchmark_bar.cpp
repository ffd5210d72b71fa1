#include "widgets/pages/benchmark_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kChipText = 130, kLeastBox = 9;    // pixels, characters
const QString kAddScores = QStringLiteral("+");  // of the scores box: opens a file

}  // namespace

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
      tr("Put captures or analyses beside the thesis' models: choose files, drop them here or drag them "
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
    chip->setToolTip(plainTip(tr("Take %1 out").arg(fileText(file))));
    chip->setAccessibleName(tr("Take %1 out").arg(fileText(file)));
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

}  // namespace plastiscope
