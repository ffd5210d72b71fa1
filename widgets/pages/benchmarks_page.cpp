#include "widgets/pages/benchmarks_page.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QWidget>
#include <cmath>

#include "core/compare/benchmark_data.h"
#include "widgets/compare/chip_strip.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/list_table.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kViewWidth = 900, kSideWidth = 470;
constexpr int kChipText = 130, kLeastBox = 9;    // pixels, characters
const QString kAddScores = QStringLiteral("+");  // entry of the scores box that opens a file

}  // namespace

// Top bar: scores, group and predictor, and the user's analyses beside the thesis' models.
class BenchmarkBar : public QFrame {
  Q_OBJECT
 public:
  explicit BenchmarkBar(BenchmarkModel& model, QWidget* parent = nullptr) : QFrame(parent), m_model(model) {
    setObjectName(QStringLiteral("compareBar"));
    auto* row = rowIn(this, {}, {.margins = {8, 5, 8, 5}, .spacing = 6});
    m_scores = addBox(*row, "benchmarkScores", tr("&Benchmark"),
                      tr("Shipped scores, or a CSV file with the columns model, score; its column benchmark "
                         "adds them to shipped ones"));
    m_group = addBox(*row, "benchmarkGroup", tr("&Scores"),
                     tr("Suite, mode and length: only these may be compared with each other"));
    m_predictor = addBox(*row, "benchmarkPredictor", tr("&Predictor"), tr("What is drawn against the score"));
    for (const MetricInfo& metric : benchmarkPredictors())
      m_predictor->addItem(QString::fromStdString(metric.title), QString::fromStdString(metric.column));
    row->addStretch(1);
    auto* chips = new QWidget;
    m_own = rowIn(chips, {}, {.margins = {}, .spacing = 6});
    row->addWidget(new ChipStrip(chips, this));
    auto* add =
        smallButton(tr("&Own analyses …"),
                    tr("Add captures or analyses to the thesis' models: choose files, drop them here or "
                       "drag them from the library"),
                    this);
    add->setIcon(lineIcon(QStringLiteral("plus")));
    add->setObjectName(QStringLiteral("benchmarkAdd"));
    row->addWidget(add);
    connect(add, &QPushButton::clicked, this, &BenchmarkBar::addRequested);
    connect(m_scores, &QComboBox::activated, this, &BenchmarkBar::chooseScores);
    connect(m_group, &QComboBox::activated, this, [this] { choose(&BenchmarkChoices::group, *m_group); });
    connect(m_predictor, &QComboBox::activated, this,
            [this] { choose(&BenchmarkChoices::predictor, *m_predictor); });
    connect(&model, &BenchmarkModel::filesChanged, this, &BenchmarkBar::fillOwn);
    connect(&model, &BenchmarkModel::choicesChanged, this, &BenchmarkBar::fillScores);
    connect(&model, &BenchmarkModel::dataReady, this,
            [this](const std::shared_ptr<const BenchmarkData>& content) { showData(*content); });
  }

 Q_SIGNALS:
  void scoresRequested();  // the user wants to choose a CSV file
  void addRequested();     // the user wants to add analyses

 private:
  QComboBox* addBox(QHBoxLayout& row, const char* name, const QString& title, const QString& tip) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    explain(*box, QString(title).remove('&'), tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMinimumContentsLength(kLeastBox);
    auto* label = styledLabel(title, "muted", this);
    label->setBuddy(box);
    row.addWidget(label);
    row.addWidget(box);
    row.addSpacing(6);
    return box;
  }

  void chooseScores() {
    const QString name = m_scores->currentData().toString();
    if (name != kAddScores)
      return m_model.setChoices({fileOfText(name).string(), m_model.choices().predictor, {}});
    fillScores();  // restores the box until a file is chosen
    Q_EMIT scoresRequested();
  }

  void choose(std::string BenchmarkChoices::*part, const QComboBox& box) {
    BenchmarkChoices choices = m_model.choices();
    choices.*part = box.currentData().toString().toStdString();
    m_model.setChoices(choices);
  }

  // The shipped benchmarks, the current file, and an entry to choose another file.
  void fillScores() {
    const QString now = fileText(m_model.choices().scores);
    m_scores->clear();
    for (const std::string& name : benchmarkNames())
      m_scores->addItem(QString::fromStdString(loadBenchmark(name).title), QString::fromStdString(name));
    if (m_scores->findData(now) < 0) m_scores->addItem(fileText(fileOfText(now).filename()), now);
    m_scores->insertSeparator(m_scores->count());
    m_scores->addItem(tr("Add scores (CSV) …"), kAddScores);
    m_scores->setCurrentIndex(m_scores->findData(now));
  }

  void fillOwn() {
    while (QLayoutItem* item = m_own->takeAt(0)) {
      if (item->widget()) item->widget()->deleteLater();
      delete item;
    }
    for (const fs::path& file : m_model.files()) {
      const QString name = fileText(file.stem().stem());
      auto* chip = named("benchmarkOwn", new QToolButton(this));
      chip->setText(chip->fontMetrics().elidedText(name, Qt::ElideMiddle, kChipText));
      chip->setIcon(lineIcon(QStringLiteral("close")));
      chip->setIconSize({10, 10});
      chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
      explain(*chip, tr("Remove %1").arg(fileText(file)), plainTip(tr("Remove %1").arg(fileText(file))));
      connect(chip, &QToolButton::clicked, this, [this, file] { m_model.remove(file); });
      m_own->addWidget(chip);
    }
  }

  void showData(const BenchmarkData& content) {
    fillScores();
    m_group->clear();
    for (const ScoreGroup& group : content.groups)
      m_group->addItem(QString::fromStdString(group.title()), QString::fromStdString(group.text()));
    m_group->setCurrentIndex(m_group->findData(QString::fromStdString(content.group.text())));
    m_predictor->setCurrentIndex(m_predictor->findData(QString::fromStdString(m_model.choices().predictor)));
    m_predictor->setEnabled(!content.group.byLength);
  }

  BenchmarkModel& m_model;
  QHBoxLayout* m_own;
  QComboBox *m_scores, *m_group, *m_predictor;
};

namespace {

constexpr int kSideRowHeight = 21, kLeastWidth = 300;

QString paragraphs(const std::vector<std::string>& sentences) {
  QString text;
  for (const std::string& sentence : sentences)
    text += QStringLiteral("<li style=\"margin-bottom:4px\">%1</li>")
                .arg(QString::fromStdString(sentence).toHtmlEscaped());
  return QStringLiteral("<ul style=\"margin-left:-22px; margin-top:4px\">%1</ul>").arg(text);
}

QString fixedNumber(double value, int decimals) {
  return QString::fromStdString(fixedText(value, decimals));
}

// "Leaving out one family, r is between -0.9 and 0.1."
void addRange(QStringList& notes, const QString& leftOut, const std::vector<double>& values) {
  const std::vector<double> sorted = sortedPresent(values);
  if (sorted.empty()) return;
  notes.append(BenchmarksPage::tr("Leaving out one %1, <i>r</i> is between %2 and %3.")
                   .arg(leftOut, fixedNumber(sorted.front(), 2), fixedNumber(sorted.back(), 2)));
}

// Models of one family are similar: the correlation with families as replicates.
void addFamilies(QStringList& notes, const FamilyCorrelation& byFamily) {
  addRange(notes, BenchmarksPage::tr("family"), byFamily.without);
  const QString families = QString::fromStdString(byFamily.countText());
  if (byFamily.interval.known())
    notes.append(
        BenchmarksPage::tr("Resampling %1: <i>r</i> from %2 to %3 (95 %).")
            .arg(families, fixedNumber(byFamily.interval.low, 2), fixedNumber(byFamily.interval.high, 2)));
  if (std::isfinite(byFamily.p))
    notes.append(BenchmarksPage::tr("Permuting %1 of equal size: <i>p</i> = %2.")
                     .arg(families, fixedNumber(byFamily.p, 3)));
  if (!byFamily.missing.empty())
    notes.append(BenchmarksPage::tr("Families as replicates: %1.")
                     .arg(QString::fromStdString(byFamily.missing).toHtmlEscaped()));
}

// Influence of single models or families, and analyses without a score.
QString noteOf(const BenchmarkData& data) {
  QStringList notes;
  std::vector<double> others;
  for (const BenchmarkPoint& point : data.points) others.push_back(point.without);
  addRange(notes, BenchmarksPage::tr("point"), others);
  addFamilies(notes, data.byFamily);
  if (data.group.byLength)
    notes.append(
        BenchmarksPage::tr("The lengths of one model are ordered and not a random sample: alone they have no "
                           "<i>p</i>, and with several models only families are replicates."));
  QStringList names;
  for (const std::string& name : data.withoutScore)
    names.append(QString::fromStdString(name).toHtmlEscaped());
  if (!names.empty())
    notes.append(
        BenchmarksPage::tr("No score or value for: %1. Models are matched by name; add your own scores "
                           "as a CSV file with the columns model and score.")
            .arg(names.join(QStringLiteral(", "))));
  return notes.join(QStringLiteral("<br>"));
}

QString caveatsOf(const BenchmarkData& data) {
  std::vector<std::string> caveats = data.caveats;
  caveats.push_back(
      BenchmarksPage::tr("With few models and %1 predictors a small p is expected by chance: "
                         "all are listed here, and \"p of all\" takes their number into account.")
          .arg(data.predictors.size())
          .toStdString());
  return QStringLiteral("<b>%1</b><br>%2.%3")
      .arg(QString::fromStdString(data.title).toHtmlEscaped(),
           QString::fromStdString(data.content).toHtmlEscaped(), paragraphs(caveats));
}

// r with its interval, rho, p and n.
std::vector<ListTable<PredictorResult>::Column> predictorColumns() {
  using Row = PredictorResult;
  const auto tr = [](const char* text) { return BenchmarksPage::tr(text); };
  return {
      {tr("Predictor"), tr("Mean over the heads of a model; click a row to draw it"), Qt::AlignLeft,
       [](const Row& row) { return QString::fromStdString(row.metric.title); }},
      {tr("r"), tr("Pearson's correlation with the score"), Qt::AlignRight,
       [](const Row& row) { return fixedNumber(row.result.pearson, 2); }},
      {tr("95 %"),
       tr("Interval of r by Fisher's z, as if models were independent; none for three models or fewer"),
       Qt::AlignRight,
       [](const Row& row) {
         const Interval& interval = row.result.pearsonInterval;
         if (!std::isfinite(interval.low)) return QStringLiteral("\u2013");
         return QStringLiteral("%1 … %2").arg(fixedNumber(interval.low, 2), fixedNumber(interval.high, 2));
       }},
      {tr("\u03c1"), tr("Spearman's rank correlation"), Qt::AlignRight,
       [](const Row& row) { return fixedNumber(row.result.spearman, 2); }},
      {tr("p"),
       tr("Two-sided, by permutation of the models' scores; not corrected for the number of predictors"),
       Qt::AlignRight, [](const Row& row) { return fixedNumber(row.result.permutationP, 3); }},
      {tr("p of all"),
       tr("Share of the permutations of the models' scores in which the strongest of all predictors is as "
          "strong: corrected for their number (max-T)"),
       Qt::AlignRight, [](const Row& row) { return fixedNumber(row.adjustedP, 3); }},
      {tr("n"), tr("Models with a value and a score"), Qt::AlignRight,
       [](const Row& row) { return QString::number(row.result.n); }}};
}

}  // namespace

// Side panel: all predictors in a table, influence of single models, and caveats.
class BenchmarkSide : public QWidget {
  Q_OBJECT
 public:
  explicit BenchmarkSide(QWidget* parent = nullptr)
      : QWidget(parent),
        m_table(named("benchmarkTable", new QTableView(this))),
        m_note(named("benchmarkNote", new QLabel(this))),
        m_caveats(new QLabel) {
    setMinimumWidth(kLeastWidth);
    setUpTable();
    auto* heading = new QLabel(tr("&All predictors"), this);
    heading->setProperty("strong", true);
    heading->setBuddy(m_table);
    m_note->setWordWrap(true);
    m_caveats->setObjectName(QStringLiteral("benchmarkCaveats"));
    m_caveats->setWordWrap(true);
    m_caveats->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_caveats->setMargin(8);
    m_caveats->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_caveats);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("Caveats"));
    constexpr int kUpToItsHeight = 1000;
    columnIn(this, {heading, {m_table, kUpToItsHeight}, m_note, {scroll, 1}},
             {.margins = {8, 8, 8, 8}, .spacing = 8});
  }

  void setData(const std::shared_ptr<const BenchmarkData>& content) {
    m_results.setRows(content->predictors);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int row = 0; row < m_results.rowCount(); ++row) {
      if (m_results.rowAt(row).metric.column == content->predictor.column) m_table->selectRow(row);
    }
    m_table->setMaximumHeight(m_table->horizontalHeader()->sizeHint().height() +
                              m_results.rowCount() * kSideRowHeight + 4);
    m_note->setText(noteOf(*content));
    m_note->setVisible(!m_note->text().isEmpty());
    m_caveats->setText(caveatsOf(*content));
  }

 Q_SIGNALS:
  void predictorChosen(const std::string& column);  // by mouse or keyboard

 private:
  void setUpTable() {
    m_table->setAccessibleName(tr("All predictors"));
    m_results.setColumns(predictorColumns());
    m_results.setRowTip(
        [](const PredictorResult& row) { return QString::fromStdString(row.metric.meaning); });
    m_table->setModel(&m_results);
    showAsList(*m_table, kSideRowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
              if (now.isValid()) Q_EMIT predictorChosen(m_results.rowAt(now.row()).metric.column);
            });
  }

  ListTable<PredictorResult> m_results;  // all predictors beside each other
  QTableView* m_table;
  QLabel *m_note, *m_caveats;
};

BenchmarksPage::BenchmarksPage(const SessionTab& start, Workers& workers, JobList& jobs, QWidget* parent)
    : QWidget(parent),
      m_model(workers, jobs),
      m_view(named("benchmarkView", new BenchmarkView(this))),
      m_side(named("benchmarkSide", new BenchmarkSide(this))) {
  setObjectName(QStringLiteral("benchmarksPage"));
  setAcceptDrops(true);
  m_view->setMessage(tr("Reading the scores …"));
  auto* bar = new BenchmarkBar(m_model, this);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(m_view);
  splitter->addWidget(m_side);
  splitter->setStretchFactor(0, 1);
  splitter->setChildrenCollapsible(false);
  splitter->setSizes({kViewWidth, kSideWidth});
  columnIn(this, {bar, {splitter, 1}}, {.margins = {}, .spacing = 0});
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
  connect(&m_model, &BenchmarkModel::dataReady, this, &BenchmarksPage::showData);
  connect(&m_model, &BenchmarkModel::complained, this, &BenchmarksPage::complain);
}

void BenchmarksPage::choosePredictor(const std::string& column) {
  BenchmarkChoices choices = m_model.choices();
  if (column == choices.predictor || m_model.data() == nullptr || m_model.data()->group.byLength) return;
  choices.predictor = column;
  m_model.setChoices(choices);
}

void BenchmarksPage::showData(const std::shared_ptr<const BenchmarkData>& content) {
  m_view->setData(content);
  m_side->setData(content);
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

#include "moc_benchmarks_page.cpp"
