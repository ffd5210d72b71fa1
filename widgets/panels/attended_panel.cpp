// Panel of what a head looks at: its attention by groups of keys, over position, and queries as examples.
#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>

#include "core/base/option.h"
#include "core/figures/figures.h"
#include "core/jobs/attended_job.h"
#include "core/text/token_types.h"
#include "core/views/metric_info.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/row_tables.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kLeastChoice = 48;  // pixels: four in one row

QString percentOf(double share) {
  return QStringLiteral("%1 %").arg(QString::number(100 * share, 'f', 0));
}

class ExampleTable : public ListTable<AttendedExample> {
 public:
  static constexpr int kBefore = 22, kAfter = 8;  // characters around the query's token

  explicit ExampleTable(const std::vector<std::string>& texts, QObject* parent = nullptr)
      : ListTable(parent) {
    const auto looksAt = [](const AttendedExample& row) {
      QStringList keys;
      for (std::size_t i = 0; i < row.keys.size(); ++i)
        keys += QString::fromStdString(row.keys[i].empty() ? withCommas(row.query.strongest[i].position)
                                                           : tokenTitle(row.keys[i].token)) +
                QStringLiteral(" ") + percentOf(row.query.strongest[i].weight);
      return keys.join(QStringLiteral(", "));
    };
    setColumns(
        {{tr("Agrees"),
          tr("How much of its attention the query puts where the queries of its fifth do on average, by "
             "type and distance of the keys: 1 is all"),
          Qt::AlignRight,
          [](const AttendedExample& row) {
            return QString::fromStdString(fixedText(row.query.agreement, 2));
          },
          [](const AttendedExample& row) { return row.query.agreement; }},
         {tr("At"), tr("Position of the query, tokens"), Qt::AlignRight,
          [](const AttendedExample& row) { return groupedText(row.query.position); },
          [](const AttendedExample& row) { return static_cast<qint64>(row.query.position); }},
         {tr("Query"), tr("The query's token in its text; click to show it in the text view"), Qt::AlignLeft,
          [](const AttendedExample& row) { return tokenInContext(row.words, kBefore, kAfter); }},
         {tr("Looks at"), tr("The keys with the most attention"), Qt::AlignLeft, looksAt}});
    setRowTip([looksAt, texts](const AttendedExample& row) {
      return QStringLiteral("<b>%1</b>, %2<br>%3<br>%4")
          .arg(QString::fromStdString(exampleLabel(texts, static_cast<std::int32_t>(row.query.text)))
                   .toHtmlEscaped(),
               groupedText(row.query.position), tokenInContext(row.words, 60, 60).toHtmlEscaped(),
               looksAt(row).toHtmlEscaped());
    });
  }
};

class AttendedPanel : public ComputedPanel {
 public:
  AttendedPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent), m_examples(model.facts().exampleIds) {
    build();
    connect(&model, &StudyModel::headReady, this, &AttendedPanel::setStale);
    connect(&model.selection(), &Selection::changed, this,
            [this](const ViewSelection& now, const ViewSelection& before) {
              showChoices();
              if (now.head != before.head) m_runner.drop();  // headReady follows
              if (now.attended != before.attended) setStale();
              if (now.attendedPart != before.attendedPart) show();
            });
    setStale();
  }

 protected:
  // Leaves short panels to the plot.
  void resizeEvent(QResizeEvent* event) override {
    ViewPanel::resizeEvent(event);
    m_sentence->setVisible(height() >= kRoomForWords);
  }

 private:
  static constexpr int kRoomForWords = 250;

  QComboBox* choice(const char* name, const QString& title, const QString& tip) {
    auto* box = named(name, new QComboBox(this));
    explain(*box, title, tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(5);
    box->setMinimumWidth(kLeastChoice);
    box->setFocusPolicy(Qt::TabFocus);
    connect(box, &QComboBox::activated, this, [this] {
      const auto text = [](const QComboBox& from) { return from.currentData().toString().toStdString(); };
      m_model.selection().setAttended(static_cast<AttendedPart>(m_part->currentIndex()),
                                      {text(*m_text), text(*m_fifth), text(*m_type)});
    });
    return box;
  }

  void build() {
    m_part = choice("attendedPart", tr("Part"), tr("Groups of keys, or what changes with position"));
    m_part->addItems({tr("Places"), tr("Types"), tr("Distance"), tr("Tokens"), tr("Entropy, sink, scores"),
                      tr("Example queries")});
    m_fifth = choice("attendedFifth", tr("Queries by position"), tr("Only queries of a fifth of the window"));
    m_fifth->addItem(tr("all positions"), QString());
    for (std::int64_t i = 0, window = m_model.facts().window; i < 5; ++i)
      m_fifth->addItem(
          QStringLiteral("%1–%2 %").arg(20 * i).arg(20 * (i + 1)),
          QStringLiteral("%1..%2").arg((i * window + 4) / 5).arg(((i + 1) * window + 4) / 5 - 1));
    m_type = choice("attendedType", tr("Queries by type"), tr("Only queries whose token has this type"));
    m_type->addItem(tr("all types"), QString());
    for (std::size_t i = 0; i < namesOf(TokenType()).size(); ++i)
      m_type->addItem(QString::fromLatin1(titlesOf(TokenType())[i]),
                      QString::fromLatin1(namesOf(TokenType())[i]));
    m_text = choice("attendedText", tr("Text"), tr("Only queries of this text"));
    m_text->addItem(tr("all texts"), QString());
    for (const std::string& id : m_model.facts().exampleIds)
      m_text->addItem(QString::fromStdString(id), QString::number(m_text->count() - 1));
    m_sentence = named("attendedSentence", styledLabel({}, nullptr, this));
    m_sentence->setWordWrap(true);
    m_view = named("attendedView", new FigureView(this));
    m_view->setAccessibleName(tr("What this head looks at"));
    m_list = named("attendedList", new ListView(m_examples, ExampleTable::kSortRole, {}, this));
    m_list->setAccessibleName(tr("Queries where the head acts as usual, then those where it does not"));
    m_list->setWidths({5, 5, -16, -12});
    const auto open = [this](const QModelIndex& index) {
      const AttendedQuery& query = m_examples.rowAt(m_list->sourceRow(index)).query;
      m_model.showQueryInText({query.text, query.position});
    };
    connect(m_list, &QAbstractItemView::clicked, this, open);
    connect(m_list, &QAbstractItemView::activated, this, open);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_view);
    m_pages->addWidget(m_list);
    auto* bar =
        rowOf({{m_part, 3}, {m_fifth, 2}, {m_type, 2}, {m_text, 2}}, {.margins = {8, 6, 8, 4}, .spacing = 6});
    auto* words = rowOf({{m_sentence, 1}}, {.margins = {8, 0, 8, 2}});
    columnIn(this, {bar, words, {m_pages, 1}}, {.margins = {}, .spacing = 0});
    showChoices();
    m_view->setMessage(tr("Loading …"));
  }

  void showChoices() {
    const ViewSelection& now = m_model.selection().value();
    m_part->setCurrentIndex(static_cast<int>(now.attendedPart));
    for (const auto& [box, value] : {std::pair(m_text, now.attended.examples),
                                     {m_fifth, now.attended.positions},
                                     {m_type, now.attended.tokenTypes}})
      selectOrAdd(*box, QString::fromStdString(value), QString::fromStdString(value));
  }

  void compute() override {
    const ViewSelection& now = m_model.selection().value();
    m_runner.drop();
    if (!m_model.study()->capture)
      return fail(tr("This view needs the rows of the capture, but only its analysis was found."));
    if (!now.head) return;
    if (!m_data || m_data->head != *now.head) fail(tr("Loading …"));
    m_runner.start(
        [study = m_model.study(), head = *now.head, chosen = now.attended](Progress& progress) {
          return std::make_shared<const AttendedData>(makeAttended(*study, head, chosen, progress));
        },
        [this](JobResult<std::shared_ptr<const AttendedData>> made) {
          if (made.stopped()) return;
          if (!made.ok()) return fail(made.failure.sentence);
          m_data = std::move(*made.value);
          show();
        });
  }

  void fail(const QString& sentence) {
    m_data = nullptr;
    m_examples.setRows({});
    m_sentence->clear();
    m_pages->setCurrentWidget(m_view);
    m_view->setMessage(sentence);
  }

  void show() {
    if (!m_data) return;
    const AttendedPart part = m_model.selection().value().attendedPart;
    m_sentence->setText(QString::fromStdString(attendedSentence(*m_data)));
    Q_EMIT noteChanged(QString::fromStdString(scopeText(*m_data)));
    std::vector<AttendedExample> rows = m_data->typical;
    rows.insert(rows.end(), m_data->untypical.rbegin(), m_data->untypical.rend());
    const bool listed = part == AttendedPart::Queries && !rows.empty();
    m_examples.setRows(std::move(rows));
    if (listed) return m_pages->setCurrentWidget(m_list);
    m_pages->setCurrentWidget(m_view);
    if (part == AttendedPart::Queries)
      return m_view->setMessage(tr("No two queries see 16 captured keys or more."));
    if (part != AttendedPart::Measures && m_data->groups[static_cast<std::size_t>(part)].empty())
      return m_view->setMessage(QString::fromUtf8(kNoWords));
    m_view->setPlot(attendedPlot(*m_data, part));
  }

  ExampleTable m_examples;
  std::shared_ptr<const AttendedData> m_data;
  QComboBox *m_part = nullptr, *m_fifth = nullptr, *m_type = nullptr, *m_text = nullptr;
  QLabel* m_sentence = nullptr;
  FigureView* m_view = nullptr;
  ListView* m_list = nullptr;
  QStackedWidget* m_pages = nullptr;
};

}  // namespace

ViewPanel* makeAttendedPanel(StudyModel& model, QWidget* parent) {
  return new AttendedPanel(model, parent);
}

}  // namespace plastiscope
