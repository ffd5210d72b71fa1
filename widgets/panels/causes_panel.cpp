// Results of probes, intervention studies and compositions that the analysis has.
#include <QComboBox>

#include "core/base/error.h"
#include "core/figures/figures.h"
#include "core/jobs/head_metrics.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"

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

// The tables are small: their plots need no worker.
class CausesPanel : public ViewPanel {
 public:
  CausesPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_model(model),
        m_view(fillWith(new FigureView(this), "causesView")),
        m_choice(addChoice("causesChoice", tr("Result that is shown"))) {
    m_view->setAccessibleName(tr("Causes"));
    connect(m_choice, &QComboBox::activated, this, &CausesPanel::show);
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
    show();
  }

  void show() {
    if (m_choice->count() == 0) {
      m_view->setMessage(
          tr("No results of probes or intervention studies. Analysis > Causes … runs them for this model."));
      return;
    }
    const CausalFigure& figure = kFigures[m_choice->currentData().toInt()];
    try {
      m_view->setPlot(figure.plot(*m_model.study()->analysis->find(figure.table)));
    } catch (const Error& error) {
      m_view->setMessage(sanitizedText(error.what()));
    }
  }

  StudyModel& m_model;
  FigureView* m_view;
  QComboBox* m_choice;
};

}  // namespace

ViewPanel* makeCausesPanel(StudyModel& model, QWidget* parent) {
  return new CausesPanel(model, parent);
}

}  // namespace plastiscope
