#pragma once
// Panels of a model tab, and the list of them. To add a view: a panel (a file here), one line in
// view_panel.cpp, a help text in resources/help/views.json.
#include <QList>
#include <QString>
#include <QWidget>
#include <vector>

#include "widgets/jobs/job_runner.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

class StudyModel;

// A panel: its plot or table, the options for its title bar, and its title.
class ViewPanel : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  const QList<QWidget*>& options() const { return m_options; }
  void addOption(QWidget* option) { m_options.append(option); }
  QComboBox* addChoice(const char* name, const QString& tip);
  QToolButton* addButton(const QString& icon, const QString& tip);
  // Fills the panel with one view that shows a loading message until its data arrive.
  template <typename View>
  View* fillWith(View* view, const char* name) {
    view->setObjectName(QString::fromLatin1(name));
    view->setMessage(tr("Loading …"));
    columnIn(this, {view}, {.margins = {}, .spacing = 0});
    return view;
  }

 Q_SIGNALS:
  void titleChanged(const QString& title);  // "long|short", as PanelTitle takes it
  void noteChanged(const QString& note);

 private:
  QList<QWidget*> m_options;
};

// Panel whose content a worker computes, only while the panel is visible: a hidden panel computes when shown.
class ComputedPanel : public ViewPanel {
 protected:
  ComputedPanel(StudyModel& model, QWidget* parent);
  virtual void compute() = 0;
  void setStale();  // the content is outdated
  bool event(QEvent* event) override;

  StudyModel& m_model;
  JobRunner m_runner;

 private:
  void computeIfVisible();

  bool m_stale = false;
};

// Area of a view in the default layout; the strip is below the middle and right columns. Later views of one
// area are added as tabs; those of the details are pages of one dock.
enum ViewArea { LeftTop, LeftBottom, MiddleTop, MiddleBottom, RightTop, DetailsArea, StripArea };

// Heads that a view shows: all, the selected one, or the mean of the selected ones.
enum class ViewHeads { All, One, Mean };

struct ViewSpec {
  QString id;  // object name of its dock or tab, kept in layouts
  QString title;
  ViewArea area = DetailsArea;
  ViewHeads heads = ViewHeads::All;
  ViewPanel* (*make)(StudyModel& model, QWidget* parent) = nullptr;
  QString figure = {};      // id of the figure that export and `render` draw for it; "" = none
  QStringList nearby = {};  // figures without a view, assigned to this one
  QString brief = {};       // short title for tabs and narrow bars; "" = full title
};
const std::vector<ViewSpec>& viewCatalogue();

ViewPanel* makeHeadGridPanel(StudyModel& model, QWidget* parent);
ViewPanel* makeHeadMetricsPanel(StudyModel& model, QWidget* parent);  // scatter of heads with free axes
ViewPanel* makeHeadTablePanel(StudyModel& model, QWidget* parent);  // its filter also fades heads in the grid
ViewPanel* makeGroupsPanel(StudyModel& model, QWidget* parent);     // groups of heads and their statistics
ViewPanel* makePlanePanel(StudyModel& model, QWidget* parent);      // {a, b} plane with text of rows
ViewPanel* makeTextPanel(StudyModel& model, QWidget* parent);       // text coloured by values of a head
ViewPanel* makeStrongestKeysPanel(StudyModel& model, QWidget* parent);  // scores of earlier keys
ViewPanel* makeAttendedPanel(StudyModel& model, QWidget* parent);       // attention by groups of keys
ViewPanel* makeMapPanel(StudyModel& model, QWidget* parent);
ViewPanel* makeProfilePanel(StudyModel& model, QWidget* parent);
ViewPanel* makeComponentsPanel(StudyModel& model, QWidget* parent);
ViewPanel* makePlacementPanel(StudyModel& model, QWidget* parent);  // placement and content
ViewPanel* makeSaliencePanel(StudyModel& model, QWidget* parent);   // position and salience
ViewPanel* makeSoftmaxPanel(StudyModel& model, QWidget* parent);    // attention weights by position
ViewPanel* makeAttentionPanel(StudyModel& model, QWidget* parent);  // weights over query and key
ViewPanel* makeTaxonomyPanel(StudyModel& model, QWidget* parent);
ViewPanel* makeWeightsPanel(StudyModel& model, QWidget* parent);
ViewPanel* makeCausesPanel(StudyModel& model, QWidget* parent);       // probes, changed heads
ViewPanel* makeCompositionPanel(StudyModel& model, QWidget* parent);  // which heads feed which
ViewPanel* makeCloudPanel(StudyModel& model, QWidget* parent);        // rows on three axes
ViewPanel* makeRowsPanel(StudyModel& model, QWidget* parent);         // selected rows, key pairs of a cell
ViewPanel* makeWhatIfPanel(StudyModel& model, QWidget* parent);       // sliders for hypothetical changes
ViewPanel* makeScrubberPanel(StudyModel& model, QWidget* parent);     // query position, spread of PP

}  // namespace plastiscope
