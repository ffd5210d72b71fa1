// Results of probes, intervention studies and compositions that the analysis has.
#include <QComboBox>

#include "core/figures/figures.h"
#include "core/jobs/head_metrics.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"

namespace plastiscope {
namespace {

struct CausalFigure {
  const char *table, *title;
  Plot (*plot)(const Table&);
};
constexpr CausalFigure kFigures[] = {
    {"probes", QT_TRANSLATE_NOOP("CausesPanel", "Probes"), probesPlot},
    {"retrieval", QT_TRANSLATE_NOOP("CausesPanel", "Retrieval scores"), retrievalPlot},
    {"effects", QT_TRANSLATE_NOOP("CausesPanel", "Cost of changed heads"), dosesPlot},
    {"edges", QT_TRANSLATE_NOOP("CausesPanel", "Composition"), compositionPlot},
};

class CausesPanel : public ComputedPanel {
 public:
  CausesPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent),
        m_view(fillWith(new FigureView(this), "causesView")),
        m_choice(addChoice("causesChoice", tr("Result that is shown"))) {
    m_view->setAccessibleName(tr("Causes"));
    connect(m_choice, &QComboBox::activated, this, [this] { setStale(); });
    connect(&model, &StudyModel::studyChanged, this, &CausesPanel::fill);
    fill();
  }

 private:
  void fill() {
    const QVariant before = m_choice->currentData();
    m_choice->clear();
    for (const CausalFigure& figure : kFigures) {
      if (m_model.study()->analysis->find(figure.table) != nullptr)
        m_choice->addItem(tr(figure.title), QVariant::fromValue(static_cast<int>(&figure - kFigures)));
    }
    m_choice->setCurrentIndex(std::max(0, m_choice->findData(before)));
    m_choice->setVisible(m_choice->count() > 0);
    setStale();
  }

  void compute() override {
    if (m_choice->count() == 0) {
      m_view->setMessage(
          tr("No results of probes or intervention studies. Analysis > Causes … runs them for this model."));
      return;
    }
    const CausalFigure& figure = kFigures[m_choice->currentData().toInt()];
    m_runner.start([study = m_model.study(), figure](
                       Progress&) { return figure.plot(*study->analysis->find(figure.table)); },
                   [this](JobResult<Plot> plot) {
                     if (plot.ok())
                       m_view->setPlot(*plot.value);
                     else if (!plot.stopped())
                       m_view->setMessage(plot.failure.sentence);
                   });
  }

  FigureView* m_view;
  QComboBox* m_choice;
};

}  // namespace

ViewPanel* makeCausesPanel(StudyModel& model, QWidget* parent) {
  return new CausesPanel(model, parent);
}

}  // namespace plastiscope
