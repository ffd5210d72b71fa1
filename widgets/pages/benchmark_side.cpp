#include "widgets/pages/benchmark_side.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr int kSideRowHeight = 21, kLeastWidth = 300;

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
        BenchmarkSide::tr("Without any one point <i>r</i> lies between %1 and %2.")
            .arg(QString::fromStdString(fixedText(*low, 2)), QString::fromStdString(fixedText(*high, 2))));
  }
  QStringList names;
  for (const std::string& name : data.withoutScore)
    names.append(QString::fromStdString(name).toHtmlEscaped());
  if (!names.empty())
    notes.append(
        BenchmarkSide::tr(
            "Without a score or value here: %1. Models are matched by their names; scores of your own "
            "come as a CSV file with the columns model and score.")
            .arg(names.join(QStringLiteral(", "))));
  return notes.join(QStringLiteral("<br>"));
}

QString caveatsOf(const BenchmarkData& data) {
  std::vector<std::string> caveats = data.caveats;
  caveats.push_back(BenchmarkSide::tr("With few models and %1 predictors a small p is expected by chance: "
                                      "all stand here beside each other.")
                        .arg(data.predictors.size())
                        .toStdString());
  return QStringLiteral("<b>%1</b><br>%2.%3")
      .arg(QString::fromStdString(data.title).toHtmlEscaped(),
           QString::fromStdString(data.content).toHtmlEscaped(), paragraphs(caveats));
}

QString fixedNumber(double value, int decimals) {
  return QString::fromStdString(fixedText(value, decimals));
}

// r with its interval, rho, p and n.
std::vector<ListTable<PredictorResult>::Column> predictorColumns() {
  using Row = PredictorResult;
  const auto tr = [](const char* text) { return BenchmarkSide::tr(text); };
  return {
      {tr("Predictor"), tr("Mean over the heads of a model; click a row to draw it"), Qt::AlignLeft,
       [](const Row& row) { return QString::fromStdString(row.metric.title); }},
      {tr("r"), tr("Pearson's correlation with the score"), Qt::AlignRight,
       [](const Row& row) { return fixedNumber(row.result.pearson, 2); }},
      {tr("95 %"), tr("Interval of r by Fisher's z; none for three models or fewer"), Qt::AlignRight,
       [](const Row& row) {
         const Interval& interval = row.result.pearsonInterval;
         if (!std::isfinite(interval.low)) return QStringLiteral("\u2013");
         return QStringLiteral("%1 … %2").arg(fixedNumber(interval.low, 2), fixedNumber(interval.high, 2));
       }},
      {tr("\u03c1"), tr("Spearman's rank correlation"), Qt::AlignRight,
       [](const Row& row) { return fixedNumber(row.result.spearman, 2); }},
      {tr("p"), tr("Two-sided, by permutation; not corrected for the number of predictors"), Qt::AlignRight,
       [](const Row& row) { return fixedNumber(row.result.permutationP, 3); }},
      {tr("n"), tr("Models with a value and a score"), Qt::AlignRight,
       [](const Row& row) { return QString::number(row.result.n); }}};
}

}  // namespace

BenchmarkSide::BenchmarkSide(QWidget* parent)
    : QWidget(parent), m_table(new QTableView(this)), m_note(new QLabel(this)), m_caveats(new QLabel) {
  setMinimumWidth(kLeastWidth);
  setUpTable();
  auto* heading = new QLabel(tr("&All predictors"), this);
  heading->setProperty("strong", true);
  heading->setBuddy(m_table);
  m_note->setObjectName(QStringLiteral("benchmarkNote"));
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
  scroll->setAccessibleName(tr("What a reader must know"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(8);
  column->addWidget(heading);
  column->addWidget(m_table, 1000);  // up to its height
  column->addWidget(m_note);
  column->addWidget(scroll, 1);
}

void BenchmarkSide::setUpTable() {
  m_table->setObjectName(QStringLiteral("benchmarkTable"));
  m_table->setAccessibleName(tr("All predictors"));
  m_results.setColumns(predictorColumns());
  m_results.setRowTip([](const PredictorResult& row) { return QString::fromStdString(row.metric.meaning); });
  m_table->setModel(&m_results);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setTabKeyNavigation(false);
  m_table->setAlternatingRowColors(true);
  m_table->setShowGrid(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(kSideRowHeight);
  m_table->horizontalHeader()->setHighlightSections(false);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) Q_EMIT predictorChosen(m_results.rowAt(now.row()).metric.column);
          });
}

void BenchmarkSide::setData(const std::shared_ptr<const BenchmarkData>& data) {
  m_results.setRows(data->predictors);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (int row = 0; row < m_results.rowCount(); ++row) {
    if (m_results.rowAt(row).metric.column == data->predictor.column) m_table->selectRow(row);
  }
  m_table->setMaximumHeight(m_table->horizontalHeader()->sizeHint().height() +
                            m_results.rowCount() * kSideRowHeight + 4);
  m_note->setText(noteOf(*data));
  m_note->setVisible(!m_note->text().isEmpty());
  m_caveats->setText(caveatsOf(*data));
}

}  // namespace plastiscope
