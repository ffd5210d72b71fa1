// Results of probes, intervention studies and compositions that the analysis has.
#include <QComboBox>
#include <QLayout>

#include "core/base/error.h"
#include "core/figures/figures.h"
#include "core/jobs/head_metrics.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

// The tables are small: their plots need no worker.
class CausesPanel : public ViewPanel {
 public:
  CausesPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_model(model),
        m_view(fillWith(new FigureView(this), "causesView")),
        m_choice(addChoice("causesChoice", tr("Result that is shown"))) {
    m_view->setAccessibleName(tr("Causes"));
    connect(m_choice, &QComboBox::activated, this,
            [this] { m_model.selection().setCauses(m_choice->currentData().toString().toStdString()); });
    connect(&model.selection(), &Selection::changed, this,
            [this](const ViewSelection& now, const ViewSelection& before) {
              if (now.causes != before.causes) show();
            });
    connect(&model, &StudyModel::studyChanged, this, &CausesPanel::fill);
    fill();
  }

 private:
  void fill() {
    m_choice->clear();
    for (const CausalFigure& figure : causalFigures()) {
      if (m_model.study()->analysis->find(figure.table) != nullptr)
        m_choice->addItem(tr(figure.title), QString::fromLatin1(figure.id));
    }
    m_choice->setEnabled(m_choice->count() > 0);
    if (m_choice->count() == 0) m_choice->addItem(tr("no results"), QString());
    show();
  }

  // The chosen result, or the first one if the analysis does not have it.
  void show() {
    const QString chosen = QString::fromStdString(m_model.selection().value().causes);
    m_choice->setCurrentIndex(std::max(0, m_choice->findData(chosen)));
    if (!m_choice->isEnabled()) {
      m_view->setMessage(
          tr("No results of probes or intervention studies. Analysis > Causes … runs them for this model."));
      return;
    }
    const std::string id = m_choice->currentData().toString().toStdString();
    const auto figure = std::ranges::find(causalFigures(), id, &CausalFigure::id);
    try {
      m_view->setPlot(figure->plot(*m_model.study()->analysis->find(figure->table)));
    } catch (const Error& error) {
      m_view->setMessage(sanitizedText(error.what()));
    }
  }

  StudyModel& m_model;
  FigureView* m_view;
  QComboBox* m_choice;
};

// Which heads feed which: a click selects a head, whose edges are emphasised.
class CompositionPanel : public ComputedPanel {
 public:
  CompositionPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent), m_view(fillWith(new HeadPointsView(this), "compositionView")) {
    m_view->setAccessibleName(tr("Composition of heads"));
    // A strip that the view does not cover: only its painting shows that a panel behind a tab is visible.
    layout()->setContentsMargins(0, 1, 0, 0);
    connect(m_view, &HeadPointsView::headActivated, &model.selection(), &Selection::setHead);
    connect(m_view, &HeadPointsView::severalSelected, &model.selection(), &Selection::setSeveral);
    connect(&model, &StudyModel::studyChanged, this, &CompositionPanel::setStale);
    connect(&model.selection(), &Selection::changed, this, &CompositionPanel::follow);
    follow(model.selection().value(), {});
    setStale();
  }

 private:
  struct Graph {
    Plot plot;
    std::vector<HeadName> heads;
  };

  void follow(const ViewSelection& now, const ViewSelection& before) {
    m_view->setSelectedHead(now.head);
    m_view->setSeveral(now.several);
    if (now.head != before.head) setStale();
  }

  // In a worker: a composition of all pairs of heads has many edges.
  void compute() override {
    if (m_model.study()->analysis->find(kEdgesTable) == nullptr)
      return m_view->setMessage(
          tr("No results of a composition. Analysis > Causes …, Composition, finds which heads feed which."));
    m_runner.start(
        [study = m_model.study(), head = m_model.selection().value().head](Progress&) {
          const Table& edges = *study->analysis->find(kEdgesTable);
          return Graph{compositionPlot(edges, head), compositionHeads(edges)};
        },
        [this](JobResult<Graph> made) {
          if (made.ok())
            show(std::move(*made.value));
          else if (!made.stopped())
            m_view->setMessage(made.failure.sentence);
        });
  }

  void show(Graph graph) {
    Values layers, heads;
    for (const HeadName& head : graph.heads) {
      layers.push_back(static_cast<double>(head.layer));
      heads.push_back(static_cast<double>(head.head));
    }
    m_view->setHeads(std::move(graph.plot), std::move(graph.heads), std::move(layers), std::move(heads));
  }

  HeadPointsView* m_view;
};

}  // namespace

ViewPanel* makeCausesPanel(StudyModel& model, QWidget* parent) {
  return new CausesPanel(model, parent);
}

ViewPanel* makeCompositionPanel(StudyModel& model, QWidget* parent) {
  return new CompositionPanel(model, parent);
}

}  // namespace plastiscope
