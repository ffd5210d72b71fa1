// Attention map of the selected head: weights or scores of a text over query and key position, and the keys
// with the largest weights of the chosen query.
#include <QCheckBox>
#include <QComboBox>
#include <QResizeEvent>
#include <QSplitter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/base/option.h"
#include "core/figures/figures.h"
#include "core/jobs/attention_map.h"
#include "core/jobs/parallel.h"
#include "core/views/metric_info.h"
#include "core/views/token_text.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/row_tables.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

struct WeightedKey {
  std::int64_t example = 0, position = 0;
  double weight = 0;
};

// The keys with the largest weights of a query, the largest first.
std::vector<WeightedKey> heaviestKeys(const AttentionMap& map, std::int64_t query) {
  constexpr std::size_t kListedKeys = 100;
  const DenseAttention::Row row = map.row(query);
  std::vector<WeightedKey> keys;
  for (std::size_t i = 0; i < row.weight.size(); ++i)
    keys.push_back(
        {map.example(), row.keys.first + static_cast<std::int64_t>(i), static_cast<double>(row.weight[i])});
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(std::min(keys.size(), kListedKeys));
  std::ranges::partial_sort(keys, end, std::ranges::greater(), &WeightedKey::weight);
  keys.erase(end, keys.end());
  return keys;
}

class WeightTable : public ListTable<WeightedKey> {
 public:
  explicit WeightTable(RowTexts& texts, QObject* parent = nullptr) : ListTable(parent) {
    constexpr int kAfter = 12;  // characters after the token
    setColumns({{tr("At"), tr("Position of the key, tokens"), Qt::AlignRight,
                 [](const WeightedKey& key) { return groupedText(key.position); },
                 [](const WeightedKey& key) { return static_cast<qint64>(key.position); }},
                {tr("Weight"), tr("Attention weight: its share of the query's attention"), Qt::AlignRight,
                 [](const WeightedKey& key) { return QString::fromStdString(metricText(key.weight)); },
                 [](const WeightedKey& key) { return key.weight; }},
                {tr("Key"), tr("The key's token and the text after it"), Qt::AlignLeft,
                 [&texts](const WeightedKey& key) {
                   const auto text = texts.at(key.example, key.position);
                   return text ? tokenInContext(*text, 0, kAfter) : QString();
                 }}});
    connect(&texts, &RowTexts::arrived, this, [this] { refresh(2, 2); });
  }
};

class AttentionPanel : public ComputedPanel {
 public:
  AttentionPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent),
        m_exact(model.workers(), WorkLength::Quick),
        m_whole(model.workers(), WorkLength::Long),
        m_weights(model.texts()) {
    build();
    model.watch([this] { return m_exact.running() || m_whole.running(); });
    connect(&model, &StudyModel::headReady, this, &AttentionPanel::setStale);
    connect(&model.selection(), &Selection::changed, this, &AttentionPanel::follow);
    connect(&model, &StudyModel::askedTokenChanged, this, &AttentionPanel::showQuery);
    connect(m_view, &PlotView::zoomed, this, [&model](const std::optional<ViewRange>& range) {
      model.selection().setZoom(kAttentionZoom, range);
    });
    connect(m_view, &FigureView::pointActivated, this, &AttentionPanel::choose);
    m_view->setTip([this](qint64 query, qint64 key) { return tip(query, key); });
    follow(model.selection().value(), {});
    setStale();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    ViewPanel::resizeEvent(event);
    m_list->setVisible(width() >= kRoomForList && !m_weights.rows().empty());
    setStale();  // as many cells as pixels
  }

 private:
  static constexpr int kRoomForList = 520;  // pixels

  void build() {
    m_texts = named("attentionText", new QComboBox(this));
    explain(*m_texts, tr("Which text of the capture"));
    m_texts->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_texts->setMinimumContentsLength(7);
    for (const std::string& id : m_model.facts().exampleIds) m_texts->addItem(QString::fromStdString(id));
    m_quantity = addChoice("attentionQuantity",
                           tr("Attention weight, score before the softmax, or the part of the score that the "
                              "distance of query and key predicts"));
    m_quantity->addItems({tr("weight"), tr("score"), tr("by distance")});
    m_cells = addChoice("attentionCells", tr("Largest or mean value of the pairs of a cell"));
    m_cells->addItems({tr("max"), tr("mean")});
    m_linear = named("attentionLinear", new QCheckBox(tr("Linear"), this));
    m_linear->setToolTip(tr("Weights on a linear colour scale instead of a logarithmic one"));
    addOption(m_linear);
    m_view = named("attentionMap", new AttentionMapView(this));
    m_view->setMessage(tr("Loading …"));
    connect(addButton(QStringLiteral("reset"), tr("Show the whole map again")), &QToolButton::clicked, m_view,
            &PlotView::resetView);
    m_list = named("attentionKeys", new ListView(m_weights, WeightTable::kSortRole, {}, this));
    m_list->setAccessibleName(tr("Keys by weight"));
    m_list->setWidths({5, 6, -6});
    m_list->setMinimumWidth(kRoomForList * 2 / 5);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(m_view);
    both->addWidget(m_list);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 1);
    both->setChildrenCollapsible(false);
    m_title = named("attentionTitle", new ElidedLabel(QWIDGETSIZE_MAX, this));
    auto* bar = rowOf({m_texts, {m_title, 1}, Stretch{}}, {.margins = {8, 6, 8, 4}, .spacing = 8});
    columnIn(this, {bar, {both, 1}}, {.margins = {}, .spacing = 0});
    connect(&m_model.texts(), &RowTexts::arrived, this, &AttentionPanel::describe);
    connect(m_texts, &QComboBox::activated, this, [this](int index) {
      m_model.selection().setAttentionText(index == 0 ? std::string() : m_texts->currentText().toStdString());
    });
    const auto chosen = [this] {
      m_model.selection().setAttention({static_cast<AttentionQuantity>(m_quantity->currentIndex()),
                                        static_cast<CellValue>(m_cells->currentIndex()),
                                        m_linear->isChecked()});
    };
    connect(m_quantity, &QComboBox::activated, this, chosen);
    connect(m_cells, &QComboBox::activated, this, chosen);
    connect(m_linear, &QCheckBox::clicked, this, chosen);
  }

  void follow(const ViewSelection& now, const ViewSelection& before) {
    m_quantity->setCurrentIndex(static_cast<int>(now.attention.quantity));
    m_cells->setCurrentIndex(static_cast<int>(now.attention.cells));
    m_linear->setChecked(now.attention.linear);
    m_linear->setEnabled(now.attention.quantity == AttentionQuantity::Weight);
    m_texts->setCurrentIndex(std::max(0, m_texts->findText(QString::fromStdString(now.attentionText))));
    if (zoomOf(now, kAttentionZoom) != zoomOf(before, kAttentionZoom))
      m_view->setZoom(zoomOf(now, kAttentionZoom));
    if (now.attentionText != before.attentionText ||
        zoomOf(now, kAttentionZoom) != zoomOf(before, kAttentionZoom) ||
        now.attention.quantity != before.attention.quantity)
      setStale();
    else if (now.attention != before.attention)
      show();
    if (now.rows != before.rows) showQuery();
  }

  // The visible part, with as many cells as the map has pixels.
  AttentionView wanted() const {
    const ViewSelection& now = m_model.selection().value();
    const QSize pixels = m_view->boxSize();
    AttentionView view{now.attention.quantity, {}, {}, pixels.height(), pixels.width()};
    if (const auto zoom = zoomOf(now, kAttentionZoom)) {
      const auto range = [](double low, double high) {
        const auto first = static_cast<std::int64_t>(std::max(0.0, std::floor(low)));
        return TokenRange{first, std::max(first + 1, static_cast<std::int64_t>(std::ceil(high)))};
      };
      view.queries = range(zoom->yLow, zoom->yHigh);
      view.keys = range(zoom->xLow, zoom->xHigh);
    }
    return view;
  }

  struct Made {
    std::shared_ptr<const AttentionMap> map;
    std::shared_ptr<const AttentionData> data;
  };

  void compute() override {
    m_runner.drop();
    m_exact.drop();
    const auto& head = m_model.selection().value().head;
    const std::shared_ptr<const Study>& study = m_model.study();
    if (!head) return;
    const auto reason = resultOf<std::string>([&] { return whyNoAttention(*study, *head); });
    if (!reason.ok() || !reason.value->empty()) {
      forget();
      return m_view->setMessage(reason.ok() ? QString::fromStdString(*reason.value)
                                            : reason.failure.sentence);
    }
    const std::int64_t example = m_texts->currentIndex();
    if (m_map && (m_study != study || m_map->head() != *head || m_map->example() != example)) forget();
    m_runner.start(
        [study, head = *head, example, map = m_map, view = wanted()](Progress& progress) {
          const auto ready = map ? map : std::make_shared<const AttentionMap>(*study, head, example);
          return Made{ready, std::make_shared<const AttentionData>(
                                 ready->view(view, AttentionMap::Precision::Quick, progress))};
        },
        [this, study](JobResult<Made> made) {
          if (made.stopped()) return;
          if (!made.ok()) return m_view->setMessage(made.failure.sentence);
          const bool fresh = m_map != made.value->map;
          m_map = made.value->map;
          m_study = study;
          m_data = made.value->data;
          show();
          if (fresh) showQuery();
          refine();
        });
  }

  void forget() {
    m_whole.drop();
    m_map.reset();
    m_data.reset();
    m_weights.setRows({});
    m_list->hide();
    describe();
    Q_EMIT noteChanged({});
  }

  // Makes an estimated view exact, then computes the whole text, which makes all views of large cells exact.
  void refine() {
    constexpr double kAtOnce = 1e9;  // scores
    const AttentionView view = wanted();
    if (!m_data->exact() && m_map->cost(view) <= kAtOnce) {
      m_exact.start(
          [map = m_map, view](Progress& progress) {
            return std::make_shared<const AttentionData>(
                map->view(view, AttentionMap::Precision::Exact, progress));
          },
          [this](JobResult<std::shared_ptr<const AttentionData>> data) {
            if (!data.ok()) return;
            m_data = *data.value;
            show();
          });
    }
    if (m_map->isComplete() || m_whole.running()) return;
    m_whole.start(
        [map = m_map](Progress& progress) {
          atLowPriority([&] { map->complete(progress); });
          return true;
        },
        [this](const JobResult<bool>& done) {
          if (done.ok() && m_data && !m_data->exact())
            setStale();
          else
            tellNote();
        });
  }

  void show() {
    if (!m_data) return;
    m_view->setMap(attentionPlot(*m_data, {m_model.selection().value().attention, {}, {}, true}),
                   m_data->tokens);
    tellNote();
  }

  void tellNote() {
    if (!m_data) return;
    const QString tokens = tr("%1 tokens").arg(groupedText(m_data->tokens));
    Q_EMIT noteChanged(m_data->exact() ? tokens : tr("%1 · estimate, computing …").arg(tokens));
  }

  std::optional<std::int64_t> chosenPosition() const {
    const auto query = queryToken(m_model);
    if (!query || !m_map || query->example != m_map->example()) return std::nullopt;
    return query->position < m_map->tokens() ? std::optional(query->position) : std::nullopt;
  }

  void showQuery() {
    const auto query = chosenPosition();
    m_view->setQuery(query);
    m_weights.setRows(query ? heaviestKeys(*m_map, *query) : std::vector<WeightedKey>());
    m_list->setVisible(query && width() >= kRoomForList);
    describe();
  }

  // The query, and its first keys where the list has no room.
  void describe() {
    const auto query = chosenPosition();
    const auto word = [this](std::int64_t position) {
      const auto text = m_model.texts().at(m_map->example(), position);
      return tr("“%1”").arg(text ? QString::fromStdString(text->token).trimmed() : QString());
    };
    QString name = tr("click a query to see its keys");
    if (query) name = tr("query %1 at %2").arg(word(*query), groupedText(*query));
    const std::vector<WeightedKey>& keys = m_weights.rows();
    for (std::size_t i = 0; i < std::min<std::size_t>(3, keys.size()) && m_list->isHidden(); ++i)
      name += tr("%1 %2 %3")
                  .arg(i == 0 ? QStringLiteral(":") : QStringLiteral(","), word(keys[i].position),
                       QString::fromStdString(metricText(keys[i].weight)));
    m_title->setName(m_map ? name : QString());
  }

  void choose(const QPointF& place) {
    if (!m_map || place.y() < 0 || place.y() >= static_cast<double>(m_map->tokens())) return;
    m_model.selection().setRows({}, {});
    m_model.ask(TokenPlace{m_map->example(), static_cast<std::int64_t>(place.y())});
  }

  QString tip(qint64 query, qint64 key) {
    if (!m_data || query >= m_data->queries.end || key >= m_data->keys.end || query < m_data->queries.first ||
        key < m_data->keys.first)
      return {};
    QString text =
        QString::fromStdString(attentionTip(*m_data, (query - m_data->queries.first) / m_data->cellQueries,
                                            (key - m_data->keys.first) / m_data->cellKeys));
    if (text.isEmpty() || m_data->cellQueries * m_data->cellKeys > 1) return text;
    const DenseAttention::Row row = m_map->row(query);
    const auto word = [this](qint64 position) {
      const auto found = m_model.texts().at(m_map->example(), position);
      return found ? QString::fromStdString(found->token).toHtmlEscaped() : QString();
    };
    const auto at = static_cast<std::size_t>(key - row.keys.first);
    return tr("query <b>%1</b> at %2, key <b>%3</b> at %4<br>weight %5, score %6")
        .arg(word(query), groupedText(query), word(key), groupedText(key),
             QString::fromStdString(metricText(static_cast<double>(row.weight.at(at)))),
             QString::fromStdString(fixedText(static_cast<double>(row.score.at(at)), 2)));
  }

  JobRunner m_exact, m_whole;
  std::shared_ptr<const Study> m_study;       // of m_map
  std::shared_ptr<const AttentionMap> m_map;  // null: none of the selected head and text
  std::shared_ptr<const AttentionData> m_data;
  WeightTable m_weights;
  QComboBox *m_texts = nullptr, *m_quantity = nullptr, *m_cells = nullptr;
  QCheckBox* m_linear = nullptr;
  AttentionMapView* m_view = nullptr;
  ListView* m_list = nullptr;
  ElidedLabel* m_title = nullptr;
};

}  // namespace

ViewPanel* makeAttentionPanel(StudyModel& model, QWidget* parent) {
  return new AttentionPanel(model, parent);
}

}  // namespace plastiscope
