#pragma once
// A view of a model tab as a panel, and the list of them all. To add a view: a panel (a file here), one line
// in view_panel.cpp, a help text in resources/help/views.json.
#include <QList>
#include <QString>
#include <QVBoxLayout>
#include <QWidget>
#include <functional>
#include <vector>

class QComboBox;
class QToolButton;

namespace plastiscope {

class StudyModel;

// What a view shows of itself: the picture, the options that stand in its title bar, and the bar's words.
class ViewPanel : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  const QList<QWidget*>& options() const { return m_options; }

 Q_SIGNALS:
  void titleChanged(const QString& title);  // "long|short", as PanelTitle takes it
  void noteChanged(const QString& note);

 protected:
  void addOption(QWidget* option) { m_options.append(option); }
  QComboBox* addChoice(const char* name, const QString& tip);
  QToolButton* addButton(const QString& icon, const QString& tip);
  // A picture that takes the whole panel, and says that it is loading until its data comes.
  template <typename View>
  View* fillWith(View* view, const char* name) {
    view->setObjectName(QString::fromLatin1(name));
    view->setMessage(tr("Loading …"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view);
    return view;
  }

 private:
  QList<QWidget*> m_options;
};

// Work for a panel is only done while the panel can be seen: what becomes stale behind a tab waits there.
class LazyRefresh : public QObject {
 public:
  LazyRefresh(QWidget& panel, std::function<void()> refresh);
  void stale();  // what the panel shows is no longer true

 protected:
  bool eventFilter(QObject*, QEvent* event) override;

 private:
  void refreshIfSeen();

  QWidget& m_panel;
  std::function<void()> m_refresh;
  bool m_stale = false;
};

// Where a view stands in the default layout; the strip lies below the middle and right columns. Views of one
// area that come later share the place as tabs; those of the details are pages of one dock.
enum ViewArea { LeftTop, LeftBottom, MiddleTop, MiddleBottom, RightTop, DetailsArea, StripArea };

struct ViewSpec {
  QString id;  // object name of its dock or tab, kept in layouts
  QString title;
  ViewArea area = DetailsArea;
  QString figure;      // id of the figure that export and `render` draw for it; "" = none
  QStringList nearby;  // figures without a view of their own, to which this one comes nearest
  ViewPanel* (*make)(StudyModel& model, QWidget* parent) = nullptr;
  QString brief = {};  // its title on a tab and where there is little room; "" = the whole one
};
const std::vector<ViewSpec>& viewCatalogue();

ViewPanel* makeHeadGridPanel(StudyModel& model, QWidget* parent);
ViewPanel* makeHeadMetricsPanel(StudyModel& model, QWidget* parent);  // heads as points, on free axes
ViewPanel* makeHeadTablePanel(StudyModel& model, QWidget* parent);  // its filter fades heads in the grid, too
ViewPanel* makePlanePanel(StudyModel& model, QWidget* parent);      // {a, b} plane, with the words of a row
ViewPanel* makeTextPanel(StudyModel& model, QWidget* parent);       // the document, coloured by a head
ViewPanel* makeStrongestKeysPanel(StudyModel& model,
                                  QWidget* parent);  // how a query scores the keys before it
ViewPanel* makeMapPanel(StudyModel& model, QWidget* parent);
ViewPanel* makeProfilePanel(StudyModel& model, QWidget* parent);
ViewPanel* makeComponentsPanel(StudyModel& model, QWidget* parent);
ViewPanel* makePlacementPanel(StudyModel& model, QWidget* parent);  // placement and content
ViewPanel* makeSaliencePanel(StudyModel& model, QWidget* parent);   // position and salience
ViewPanel* makeTaxonomyPanel(StudyModel& model, QWidget* parent);
ViewPanel* makeWeightsPanel(StudyModel& model, QWidget* parent);
ViewPanel* makeCloudPanel(StudyModel& model, QWidget* parent);     // the rows in three axes
ViewPanel* makeRowsPanel(StudyModel& model, QWidget* parent);      // selected rows, key pairs behind a cell
ViewPanel* makeWhatIfPanel(StudyModel& model, QWidget* parent);    // sliders that change the head
ViewPanel* makeScrubberPanel(StudyModel& model, QWidget* parent);  // query position, spread of PP

}  // namespace plastiscope
