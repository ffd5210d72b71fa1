// Text of the captured rows as a document, and the scores of a chosen query with the keys before it.
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>

#include "core/base/error.h"
#include "core/base/option.h"
#include "core/jobs/inspect_job.h"
#include "core/views/text_data.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/row_tables.h"
#include "widgets/panels/text_view.h"
#include "widgets/panels/view_panel.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

struct LoadedText {
  std::shared_ptr<const Study> study;  // study of the content
  std::shared_ptr<const TextDocument> text;
  std::shared_ptr<const TokenWidths> widths;
  std::shared_ptr<const HeadText> head;
  std::shared_ptr<const RowPlasticities> plasticity;  // null: not computed for the head
};

// Search field, narrow while unused; Esc clears it and returns to the text.
class FindField : public QLineEdit {
 public:
  FindField(QWidget& text, QWidget* parent) : QLineEdit(parent), m_text(text) { share(); }

 protected:
  void focusInEvent(QFocusEvent* event) override {
    QLineEdit::focusInEvent(event);
    share();
  }
  void focusOutEvent(QFocusEvent* event) override {
    QLineEdit::focusOutEvent(event);
    share();
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() != Qt::Key_Escape) return QLineEdit::keyPressEvent(event);
    clear();
    m_text.setFocus(Qt::OtherFocusReason);
  }

 private:
  static constexpr int kNarrow = 56, kWide = 180;

  void share() {
    const bool used = hasFocus() || !text().isEmpty();
    setMinimumWidth(used ? std::clamp(parentWidget()->width() / 3, kNarrow, kWide) : kNarrow);
  }

  QWidget& m_text;
};

class TextPanel : public ComputedPanel {
 public:
  TextPanel(StudyModel& model, QWidget* parent) : ComputedPanel(model, parent) {
    m_view = named("textView", new TextView(this));
    m_view->setMessage(tr("Loading …"));
    build();
    connect(&model, &StudyModel::headReady, this, &TextPanel::setStale);
    connect(&model.selection(), &Selection::changed, this, &TextPanel::follow);
    connect(&model, &StudyModel::linkedTokensChanged, this, &TextPanel::followLink);
    connect(&model, &StudyModel::askedTokenChanged, this, &TextPanel::followQuery);
    connect(&model, &StudyModel::shownTextChanged, this, &TextPanel::followShown);
    connect(m_view, &TextView::tokenActivated, this, &TextPanel::choose);
    connect(m_view, &TextView::rowStepped, this, &TextPanel::step);
    connect(m_view, &TextView::seenChanged, this, &TextPanel::describe);
  }

 private:
  void build() {
    m_texts = named("textChoice", new QComboBox(this));
    explain(*m_texts, tr("Which text of the capture"));
    for (const std::string& id : m_model.facts().exampleIds) m_texts->addItem(QString::fromStdString(id));
    m_measure = named("textMeasure", new QComboBox(this));
    explain(*m_measure, tr("Colour of the tokens"));
    for (const TokenMeasureInfo& info : tokenMeasures()) {
      m_measure->addItem(QString::fromStdString(nameOf(info.measure)), static_cast<int>(info.measure));
      m_measure->setItemData(m_measure->count() - 1, QString::fromUtf8(info.help), Qt::ToolTipRole);
    }
    m_kind = named("textKind", new QComboBox(this));
    explain(*m_kind, tr("Rows that colour the tokens"));
    m_kind->addItems({tr("queries"), tr("keys")});
    m_find = named("textFind", new FindField(*m_view, this));
    m_find->setPlaceholderText(tr("Find"));
    m_find->setClearButtonEnabled(true);
    explain(*m_find, tr("Find"),
            tr("Words of the text, or the number of a token; Enter goes to the next match"));
    m_status = named("textStatus", new ElidedLabel(QWIDGETSIZE_MAX, this));
    m_status->setProperty("muted", true);
    m_status->setToolTip(tr("Visible tokens, and how many of their queries and keys were captured"));
    for (QComboBox* choice : {m_texts, m_measure, m_kind}) {
      choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
      choice->setMinimumContentsLength(choice == m_texts ? 7 : choice == m_kind ? 4 : 2);
    }
    auto* bar = rowOf({{m_texts, 4}, {m_measure, 1}, {m_kind, 1}, {m_find, 1}},
                      {.margins = {8, 6, 8, 6}, .spacing = 6});
    m_status->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_strip = new ColourStrip(this);
    auto* foot = rowOf({{m_status, 1}, m_strip}, {.margins = {8, 3, 8, 4}, .spacing = 8});
    foot->setAlignment(m_status, Qt::AlignLeft | Qt::AlignVCenter);
    columnIn(this, {bar, {m_view, 1}, foot}, {.margins = {}, .spacing = 0});
    connect(m_texts, &QComboBox::activated, this, &TextPanel::setStale);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &TextPanel::chooseMeasure);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &TextPanel::present);
    connect(m_find, &QLineEdit::textChanged, this, &TextPanel::find);
    connect(m_find, &QLineEdit::returnPressed, this, &TextPanel::findNext);
  }

  TokenMeasure measure() const { return static_cast<TokenMeasure>(m_measure->currentData().toInt()); }
  // Kind of rows that a click and the arrow keys select. Scores belong to keys, for a query.
  QueryOrKey kind() const {
    const bool queries = isOfQuery(measure()) || m_kind->currentIndex() == 0;
    return queries ? QueryOrKey::Query : QueryOrKey::Key;
  }
  bool awaitsQuery() const { return isOfQuery(measure()) && m_loaded.head && !m_loaded.head->scoredBy; }
  QueryOrKey coloured() const { return isOfQuery(measure()) ? QueryOrKey::Key : kind(); }

  void chooseMeasure() {
    m_kind->setEnabled(!isOfQuery(measure()));
    if (measure() == TokenMeasure::Plasticity && !m_loaded.plasticity) return setStale();
    present();
  }

  void compute() override {
    const ViewSelection& now = m_model.selection().value();
    m_runner.drop();
    m_query = chosenQuery(m_model);
    if (!m_model.study()->capture) {
      return m_view->setMessage(tr("The text is in the capture, but only its analysis was opened"));
    }
    if (!now.head || m_texts->count() == 0) return;
    m_view->ensurePolished();  // for its font
    m_runner.start(
        [font = m_view->font(), study = m_model.study(), head = *now.head, example = m_texts->currentIndex(),
         query = m_query, id = m_texts->currentText().toStdString(), known = m_loaded,
         wantsPlasticity = measure() == TokenMeasure::Plasticity](Progress& progress) {
          LoadedText loaded;
          loaded.text = known.text && known.text->id == id
                            ? known.text
                            : std::make_shared<const TextDocument>(
                                  makeTextDocument(id, study->capture->tokenTexts(example)));
          loaded.widths = known.text == loaded.text && known.widths->font == font
                              ? known.widths
                              : std::make_shared<const TokenWidths>(measureTokens(*loaded.text, font));
          HeadText text = makeHeadText(*study, head, example);
          if (text.missing.empty() && wantsPlasticity) {
            const bool same = known.study == study && known.head && known.head->head == head;
            loaded.plasticity = same && known.plasticity
                                    ? known.plasticity
                                    : std::make_shared<const RowPlasticities>(inspectRows(
                                          *study->capture, head, settingsOf(*study->analysis), progress));
            addPlasticity(text, *loaded.plasticity);
          }
          if (text.missing.empty() && query) addScores(text, makeQueryScores(*study, head, *query));
          loaded.study = study;
          loaded.head = std::make_shared<const HeadText>(std::move(text));
          return loaded;
        },
        [this](JobResult<LoadedText> loaded) {
          if (loaded.stopped()) return;
          if (!loaded.ok()) return m_view->setMessage(loaded.failure.sentence);
          m_loaded = std::move(*loaded.value);
          present();
        });
  }

  void present() {
    if (!m_loaded.text) return;
    if (m_loaded.text->size() == 0) return m_view->setMessage(QString::fromUtf8(kNoWords));
    if (!m_loaded.head->missing.empty())
      return m_view->setMessage(QString::fromStdString(m_loaded.head->missing));
    m_view->setPage({m_loaded.text, m_loaded.head, coloured(), measure(), m_loaded.widths});
    m_strip->setScale(coloured(), m_view->range());
    m_strip->setVisible(!awaitsQuery());
    if (!m_find->text().isEmpty()) find();
    mark();
    if (m_begin) m_view->showFirst(*std::exchange(m_begin, {}));
    describe();
  }

  // Marks the selected rows in this text.
  void mark() {
    const auto& rows = m_model.selection().value().rows;
    const auto positions = [this](const std::vector<std::int64_t>& chosen, QueryOrKey of) {
      std::vector<std::int64_t> found;
      if (!m_loaded.head) return found;
      const TokenRows& here = m_loaded.head->rows(of);
      for (std::size_t i = 0; i < here.row.size(); ++i) {
        if (std::ranges::binary_search(chosen, here.row[i])) found.push_back(here.position[i]);
      }
      return found;
    };
    std::vector<std::int64_t> query, key;
    if (rows) {
      query = positions(rows->query, QueryOrKey::Query);
      key = positions(rows->key, QueryOrKey::Key);
    }
    if (const auto asked = askedPosition()) query = {*asked};
    const LinkedTokens& linked = m_model.linkedTokens();
    const bool here = linked.example == m_texts->currentIndex();
    m_view->setLinked(here ? linked.positions : std::vector<std::int64_t>());
    if (here && !linked.positions.empty()) m_view->show(linked.positions.front());
    // Scrolls to a new selection; an unchanged one leaves the scroll position.
    Marked marked{m_texts->currentIndex(), query, key};
    if (query.size() + key.size() == 1 && marked != m_marked)
      m_view->show(query.empty() ? key.front() : query.front());
    m_marked = std::move(marked);
    m_view->setSelected(std::move(query), std::move(key));
    describe();
  }

  void follow(const ViewSelection& now, const ViewSelection& before) {
    if (now.rows == before.rows) return;
    showTextOf(now);
    followQuery();
  }

  void followQuery() {
    if (chosenQuery(m_model) != m_query)
      setStale();
    else
      mark();
  }

  // Shows the text of a single row that was selected elsewhere.
  void showTextOf(const ViewSelection& now) {
    if (!now.rows || !m_model.views() || now.rows->query.size() + now.rows->key.size() != 1) return;
    const QueryOrKey of = now.rows->query.empty() ? QueryOrKey::Key : QueryOrKey::Query;
    const auto row =
        static_cast<std::size_t>((of == QueryOrKey::Query ? now.rows->query : now.rows->key).front());
    const PlaneRows& rows = m_model.views()->plane->rows(of);
    if (row >= rows.size() || rows.example[row] == m_texts->currentIndex()) return;
    m_texts->setCurrentIndex(rows.example[row]);
    setStale();
  }

  // Shows the text of the characters selected in another tab.
  void followLink() {
    const LinkedTokens& linked = m_model.linkedTokens();
    if (linked.positions.empty() || linked.example == m_texts->currentIndex()) return mark();
    m_texts->setCurrentIndex(static_cast<int>(linked.example));
    setStale();
  }

  ShownText shown() const { return {m_texts->currentIndex(), m_view->seen().first, measure(), coloured()}; }

  // Stores the first visible token and the colouring, for figures of the text.
  void tell() {
    if (m_loaded.text && m_loaded.head && !m_begin) m_model.setShownText(shown());
  }

  // Restores the state of a reopened figure.
  void followShown() {
    const auto& wanted = m_model.shownText();
    if (!wanted || *wanted == shown()) return;
    const QSignalBlocker quietTexts(m_texts), quietMeasure(m_measure), quietKind(m_kind);
    m_texts->setCurrentIndex(static_cast<int>(wanted->example));
    m_measure->setCurrentIndex(m_measure->findData(static_cast<int>(wanted->measure)));
    m_kind->setEnabled(!isOfQuery(wanted->measure));
    if (!isOfQuery(wanted->measure)) m_kind->setCurrentIndex(wanted->coloured == QueryOrKey::Query ? 0 : 1);
    m_begin = wanted->first;
    setStale();
  }

  // Selects a captured token, preferring the coloured kind.
  void choose(qint64 position) {
    if (!m_loaded.head) return;
    const QueryOrKey first = kind(),
                     second = first == QueryOrKey::Query ? QueryOrKey::Key : QueryOrKey::Query;
    for (const QueryOrKey of : {first, second}) {
      const TokenRows& rows = m_loaded.head->rows(of);
      const auto place = rows.at(position);
      const bool sampled = place && rows.row[*place] >= 0;
      if (place && !sampled && of == QueryOrKey::Query) return ask(position);
      if (!sampled) continue;
      const std::int64_t row = rows.row[*place];
      return of == QueryOrKey::Query ? m_model.selection().setRows({row}, {})
                                     : m_model.selection().setRows({}, {row});
    }
    m_model.selection().setRows({}, {});
  }

  // For a head captured at every position: requests a token that is not a sampled row.
  void ask(qint64 position) {
    m_model.selection().setRows({}, {});
    m_model.ask(TokenPlace{m_texts->currentIndex(), position});
  }

  std::optional<std::int64_t> askedPosition() const {
    const auto query = chosenQuery(m_model);
    const auto* token = query ? std::get_if<TokenPlace>(&*query) : nullptr;
    return token && token->example == m_texts->currentIndex() ? std::optional(token->position) : std::nullopt;
  }

  // Index of the only selected row of a kind, or of the requested token.
  std::optional<std::size_t> chosenPlace(const TokenRows& rows) const {
    if (const auto asked = askedPosition(); asked && kind() == QueryOrKey::Query) return rows.at(*asked);
    const auto& now = m_model.selection().value().rows;
    if (!now) return std::nullopt;
    const std::vector<std::int64_t>& chosen = kind() == QueryOrKey::Query ? now->query : now->key;
    const auto found = chosen.size() == 1 ? std::ranges::find(rows.row, chosen.front()) : rows.row.end();
    if (found == rows.row.end()) return std::nullopt;
    return static_cast<std::size_t>(found - rows.row.begin());
  }

  // Moves from the selected row, else to the first visible one.
  void step(int by) {
    if (!m_loaded.head) return;
    const TokenRows& rows = m_loaded.head->rows(kind());
    const auto from = chosenPlace(rows);
    std::ptrdiff_t at =
        from ? static_cast<std::ptrdiff_t>(*from) + by
             : std::ranges::lower_bound(rows.position, m_view->seen().first) - rows.position.begin();
    const auto isThere = [&] { return at >= 0 && at < std::ssize(rows.row); };
    while (isThere() && kind() == QueryOrKey::Key && rows.row[static_cast<std::size_t>(at)] < 0) at += by;
    if (isThere()) choose(rows.position[static_cast<std::size_t>(at)]);
  }

  void find() {
    if (!m_loaded.text) return;
    bool number = false;
    const qint64 position = m_find->text().remove(',').toLongLong(&number);
    if (number && position >= 0 && position < static_cast<qint64>(m_loaded.text->size()))
      m_places = {{position, position}};
    else
      m_places = findWords(*m_loaded.text, m_find->text().toStdString());
    m_view->setFound(m_places);
    m_place = 0;
    if (!m_places.empty()) m_view->show(m_places.front().first);
    describe();
  }

  void findNext() {
    if (m_places.empty()) return;
    m_place = (m_place + 1) % m_places.size();
    m_view->show(m_places[m_place].first);
    describe();
  }

  void describe() {
    if (!m_loaded.text || !m_loaded.head) return;
    tell();
    const auto [first, last] = m_view->seen();
    const auto inSight = [first = first, last = last](const TokenRows& rows) {
      return groupedText(std::ranges::lower_bound(rows.position, last) -
                         std::ranges::lower_bound(rows.position, first));
    };
    const auto tokens = static_cast<qint64>(m_loaded.text->size());
    QString status = tr("tokens %1–%2: %3 Q, %4 K")
                         .arg(groupedText(first), groupedText(std::max<std::int64_t>(0, last - 1)),
                              inSight(m_loaded.head->query), inSight(m_loaded.head->key));
    if (awaitsQuery()) status = tr("click a query: its scores colour the keys before it");
    if (measure() == TokenMeasure::Weight && !isDenseHead(*m_loaded.study, m_loaded.head->head))
      status = tr("weights need a head captured at every position (--dense)");
    if (const LinkedTokens& linked = m_model.linkedTokens();
        !linked.positions.empty() && linked.example == m_texts->currentIndex())
      status = tr("framed: the characters selected in %1").arg(linked.from);
    if (!m_find->text().isEmpty()) {
      status.prepend(m_places.empty() ? tr("not found · ")
                                      : tr("match %1 of %2 · ")
                                            .arg(groupedText(static_cast<qint64>(m_place) + 1),
                                                 groupedText(std::ssize(m_places))));
    }
    m_status->setName(status);
    Q_EMIT noteChanged(tr("%1 Q, %2 K of %3 tokens")
                           .arg(groupedText(std::ssize(m_loaded.head->query.row)),
                                groupedText(std::ssize(m_loaded.head->key.row)), groupedText(tokens)));
  }

  // Positions of the selected rows in a text.
  struct Marked {
    int example = -1;
    std::vector<std::int64_t> query = {}, key = {};
    bool operator==(const Marked&) const = default;
  };

  LoadedText m_loaded;
  Marked m_marked;
  std::optional<QueryChoice> m_query;   // query of the shown scores
  std::optional<std::int64_t> m_begin;  // token to scroll to once the text is loaded
  std::vector<TokenSpan> m_places;      // found places, ascending
  std::size_t m_place = 0;
  QComboBox *m_texts = nullptr, *m_measure = nullptr, *m_kind = nullptr;
  QLineEdit* m_find = nullptr;
  TextView* m_view = nullptr;
  ColourStrip* m_strip = nullptr;
  ElidedLabel* m_status = nullptr;
};

}  // namespace

ViewPanel* makeTextPanel(StudyModel& model, QWidget* parent) {
  return new TextPanel(model, parent);
}

}  // namespace plastiscope
