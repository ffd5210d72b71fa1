// Keys before a chosen query ranked by score, and their positions.
#include <QSplitter>
#include <QStackedWidget>

#include "core/figures/figures.h"
#include "core/views/metric_info.h"
#include "core/views/query_keys.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/row_tables.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

// A key in the list.
struct ListedKey : RankedKey {
  std::int64_t example = 0;
};

// Scores of a query prepared in the background.
struct RankedScores {
  QueryScores scores;
  std::vector<ListedKey> keys;
  Plot plot;
};

RankedScores rankedScores(QueryScores scores) {
  constexpr std::size_t kListed = 2000;  // longer lists are not useful
  std::vector<ListedKey> keys;
  for (const RankedKey& key : rankedKeys(scores, kListed)) keys.push_back({key, scores.example});
  Plot plot = queryScoresPlot(scores);
  return {std::move(scores), std::move(keys), std::move(plot)};
}

constexpr int kKeyAfter = 20;  // characters after the token

class KeyTable : public ListTable<ListedKey> {
 public:
  enum { RankColumn, PositionColumn, TokenColumn };

  explicit KeyTable(RowTexts& texts, QObject* parent = nullptr) : ListTable(parent) {
    const auto words = [&texts](const ListedKey& row) {
      const auto text = texts.at(row.example, row.key.position);
      return text ? tokenInContext(*text, 0, kKeyAfter) : QString();
    };
    const auto number = [](auto of) {
      return [of](const ListedKey& row) { return QString::fromStdString(fixedText(of(row), 2)); };
    };
    const auto column = [number](QString title, QString tip, auto of) {
      return Column{std::move(title), std::move(tip), Qt::AlignRight, number(of),
                    [of](const ListedKey& row) { return of(row); }};
    };
    setColumns(
        {{tr("#"), tr("Rank by score"), Qt::AlignRight,
          [](const ListedKey& row) { return groupedText(row.rank); },
          [](const ListedKey& row) { return static_cast<qint64>(row.rank); }},
         {tr("At"), tr("Position of the key, tokens"), Qt::AlignRight,
          [](const ListedKey& row) { return groupedText(row.key.position); },
          [](const ListedKey& row) { return static_cast<qint64>(row.key.position); }},
         {tr("Key"), tr("The key's token and the text after it"), Qt::AlignLeft, words},
         column(
             tr("Score"),
             tr("q · k in logits: one logit more multiplies the attention weight by e before normalisation"),
             [](const ListedKey& row) { return row.key.score; }),
         column(tr("a"), tr("Part of the score on the position axis, minus its mean over these keys"),
                [](const ListedKey& row) { return row.a; }),
         column(tr("b"), tr("Part of the score on the separation axis, minus its mean over these keys"),
                [](const ListedKey& row) { return row.b; }),
         column(tr("Rest"), tr("Remaining part of the score (content), minus its mean over these keys"),
                [](const ListedKey& row) { return row.rest; })});
    connect(&texts, &RowTexts::arrived, this, [this] { refresh(TokenColumn, TokenColumn); });
  }
};

class StrongestKeysPanel : public ComputedPanel {
 public:
  StrongestKeysPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent), m_keys(model.texts()) {
    build();
    connect(&model, &StudyModel::headReady, this, &StrongestKeysPanel::setStale);
    connect(&model.texts(), &RowTexts::arrived, this, [this] { describe(); });
    const auto follow = [this] {
      if (chosenQuery(m_model) != m_query) setStale();
    };
    connect(&model.selection(), &Selection::changed, this, follow);
    connect(&model, &StudyModel::askedTokenChanged, this, follow);
    setStale();
  }

 protected:
  // Hides the plot instead of the list when space is short.
  void resizeEvent(QResizeEvent* event) override {
    ViewPanel::resizeEvent(event);
    m_plot->setVisible(height() >= kRoomForBoth);
  }

 private:
  static constexpr int kRoomForBoth = 210;

  void build() {
    m_title = named("strongestTitle", new ElidedLabel(QWIDGETSIZE_MAX, this));
    m_title->setToolTip(
        tr("The query and its position, the keys at or before it, and the mean of their scores"));
    m_list = named("strongestList", new ListView(m_keys, KeyTable::kSortRole, {}, this));
    m_list->setAccessibleName(tr("Keys by score"));
    m_list->setWidths({2, 5, -10, 6, 5, 5, 5});
    m_plot = named("strongestPlot", new FigureView(this));
    m_empty = styledLabel({}, "muted", this);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(16);
    auto* both = new QSplitter(Qt::Vertical, this);
    both->addWidget(m_list);
    both->addWidget(m_plot);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    both->setChildrenCollapsible(false);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(both);
    m_pages->addWidget(m_empty);
    auto* head = rowOf({{m_title, 1}}, {.margins = {8, 6, 8, 4}});
    columnIn(this, {head, {m_pages, 1}}, {.margins = {}, .spacing = 0});
    connect(m_list, &ListView::choiceChanged, this, [this] {
      std::vector<qint64> rows;
      for (const int row : m_list->chosenRows()) {
        if (const qint64 key = m_keys.rowAt(row).key.row; key >= 0) rows.push_back(key);
      }
      m_model.pointAt({}, rows);
    });
  }

  void compute() override {
    const ViewSelection& now = m_model.selection().value();
    m_runner.drop();
    m_scores.reset();
    m_keys.setRows({});
    m_problem.clear();
    m_query = chosenQuery(m_model);
    if (!m_query || !now.head || !m_model.study()->capture) return describe();
    m_runner.start([study = m_model.study(), head = *now.head, query = *m_query](
                       Progress&) { return rankedScores(makeQueryScores(*study, head, query)); },
                   [this](JobResult<RankedScores> ranked) {
                     if (ranked.stopped()) return;
                     if (ranked.ok())
                       showScores(std::move(*ranked.value));
                     else
                       m_problem = ranked.failure.sentence;
                     describe();
                   });
    describe();
  }

  void showScores(RankedScores ranked) {
    m_keys.setRows(std::move(ranked.keys));
    m_plot->setPlot(std::move(ranked.plot));
    m_scores = std::move(ranked.scores);
  }

  void describe() {
    m_pages->setCurrentIndex(m_scores && !m_scores->keys.empty() ? 0 : 1);
    m_title->setVisible(m_scores.has_value());
    if (m_scores) {
      const auto text = m_model.texts().at(m_scores->example, m_scores->position);
      const QString word = text ? QString::fromStdString(text->token).trimmed() : QString();
      const QString said = m_scores->everyKey ? tr("%1 at %2 · all %3 keys · mean %4")
                                              : tr("%1 at %2 · %3 captured keys · mean %4");
      m_title->setName(said.arg(word.isEmpty() ? tr("query") : tr("“%1”").arg(word),
                                groupedText(m_scores->position), groupedText(std::ssize(m_scores->keys)),
                                QString::fromStdString(fixedText(m_scores->mean.score, 2))));
    }
    m_empty->setText(emptyText());
  }

  QString emptyText() const {
    if (!m_model.study()->capture)
      return tr("This view needs the rows of the capture, but only its analysis was found.");
    if (!m_problem.isEmpty()) return m_problem;
    if (m_runner.running()) return tr("Loading …");
    if (m_scores) return tr("No key was captured before this query.");
    return tr(
        "Click a coloured token of the text, or a query in the {a, b} plane: the keys before it are "
        "listed by their scores.");
  }

  KeyTable m_keys;
  std::optional<QueryChoice> m_query;  // the shown query
  std::optional<QueryScores> m_scores;
  QString m_problem;
  ElidedLabel* m_title = nullptr;
  ListView* m_list = nullptr;
  FigureView* m_plot = nullptr;
  QLabel* m_empty = nullptr;
  QStackedWidget* m_pages = nullptr;
};

}  // namespace

ViewPanel* makeStrongestKeysPanel(StudyModel& model, QWidget* parent) {
  return new StrongestKeysPanel(model, parent);
}

}  // namespace plastiscope
