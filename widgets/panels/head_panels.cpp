// Panels with one plot each: profile and quintiles, components, their weights, taxonomy.
#include <QCheckBox>
#include <QComboBox>
#include <QToolButton>

#include "core/compare/reference_data.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/head_points_view.h"
#include "widgets/plots/profile_view.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

using Views = std::shared_ptr<const HeadViews>;

// Base of these panels: one plot that fills them, and a message when there are no data.
template <typename View>
class PlotPanel : public ViewPanel {
 public:
  PlotPanel(StudyModel& model, const char* name, QWidget* parent)
      : ViewPanel(parent), m_view(fillWith(new View(this), name)) {
    connect(&model, &StudyModel::failed, m_view, &PlotView::setMessage);
  }

  View& view() { return *m_view; }
  template <typename Data>
  void show(const Prepared<Data>& prepared) {
    prepared.data ? m_view->setData(prepared.data) : m_view->setMessage(prepared.missing);
  }
  using ViewPanel::addButton;
  using ViewPanel::addChoice;
  using ViewPanel::addOption;

 private:
  View* m_view;
};
using ProfilePanel = PlotPanel<ProfileView>;

// Choice of the model whose published numbers are shown with the profile: at first the model of the capture
// if it is in the thesis, else none.
QComboBox* publishedChoice(const StudyModel& model, ProfilePanel& panel) {
  ProfileView& view = panel.view();
  QComboBox* choice = panel.addChoice(
      "publishedModel", QObject::tr("Draw the thesis' published numbers of a model behind the profile"));
  choice->addItem(QObject::tr("no reference"), QString());
  const auto own = recogniseReferenceModel(model.facts().model);
  for (const ReferenceModel& published : referenceModels()) {
    choice->addItem(QString::fromStdString(published.title), QString::fromStdString(published.id));
    // Published numbers are binned: not shown with aligned ones by default.
    if (own && own->id == published.id && model.plasticity().kind == ApKind::Binned)
      choice->setCurrentIndex(choice->count() - 1);
  }
  const auto show = [choice, &view] {
    const std::string id = choice->currentData().toString().toStdString();
    view.setPublished(id.empty() ? nullptr
                                 : std::make_shared<PublishedProfile>(
                                       PublishedProfile{referenceProfile(id), referenceQuintiles(id)}));
  };
  QObject::connect(choice, &QComboBox::currentIndexChanged, &view, show);
  show();
  return choice;
}

// Choice of tokens or shares of the window for the profile's axis, offered with a reference: the reference's
// default until the user chooses.
void addAxisChoice(const QComboBox& published, ProfilePanel& panel, StudyModel& model) {
  ProfileView& view = panel.view();
  QComboBox* choice = panel.addChoice(
      "profileAxis", QObject::tr("Positions in tokens, or as shares of the window: published numbers of a "
                                 "model with another window agree in one of them only"));
  choice->setAccessibleName(QObject::tr("Position"));
  choice->addItem(QObject::tr("tokens"), QStringLiteral("tokens"));
  choice->addItem(QObject::tr("share"), QStringLiteral("share"));
  choice->setMinimumWidth(choice->sizeHint().width());
  QObject::connect(choice, &QComboBox::activated, &view, [choice, &view](int index) {
    choice->setProperty("decided", true);
    view.setPositionAxis(index == 1 ? PositionAxis::Share : PositionAxis::Tokens);
  });
  const auto show = [choice, &published, &view] {
    choice->setCurrentIndex(view.positionAxis() == PositionAxis::Share ? 1 : 0);
    choice->setVisible(!published.currentData().toString().isEmpty());
  };
  QObject::connect(&published, &QComboBox::currentIndexChanged, choice, show);
  QObject::connect(&model, &StudyModel::headReady, choice, show);
}

// Positions of the selected queries, tokens.
std::vector<double> selectedPositions(const StudyModel& model) {
  std::vector<double> positions;
  const auto& rows = model.selection().value().rows;
  if (!rows || !model.views()) return positions;
  const std::vector<std::int32_t>& all = model.views()->plane->query.position;
  for (const std::int64_t row : rows->query) {
    if (static_cast<std::size_t>(row) < all.size()) positions.push_back(all[static_cast<std::size_t>(row)]);
  }
  return positions;
}

}  // namespace

ViewPanel* makeProfilePanel(StudyModel& model, QWidget* parent) {
  auto* panel = new ProfilePanel(model, "profile", parent);
  const QComboBox* published = publishedChoice(model, *panel);
  auto* intervals = named("profileIntervals", new QCheckBox(QObject::tr("Intervals"), panel));
  intervals->setToolTip(QObject::tr(
      "Draw 95 % intervals: of the mean over heads, and of the head over texts where the analysis has them"));
  intervals->setChecked(true);
  panel->addOption(intervals);
  QObject::connect(panel->addButton(QStringLiteral("reset"), QObject::tr("Show the whole picture again")),
                   &QToolButton::clicked, &panel->view(), &PlotView::resetView);
  QObject::connect(intervals, &QCheckBox::toggled, &panel->view(), &ProfileView::setIntervalsShown);
  QObject::connect(&model, &StudyModel::headReady, panel,
                   [panel](const Views& views) { panel->show(views->profile); });
  addAxisChoice(*published, *panel, model);
  // Shows the scrubber's position; a click sets it.
  ProfileView* view = &panel->view();
  const auto follow = [view, &model](const ViewSelection& now) {
    view->setCursor(now.position ? std::optional(static_cast<double>(*now.position)) : std::nullopt);
    view->setZoom(zoomOf(now, kProfileZoom));
    view->setSelectedPositions(selectedPositions(model));
  };
  QObject::connect(&model.selection(), &Selection::changed, view, follow);
  QObject::connect(
      view, &ProfileView::positionActivated, &model.selection(),
      [&model](double tokens, qint64) { model.selection().setPosition(static_cast<std::int64_t>(tokens)); });
  QObject::connect(
      view, &PlotView::zoomed, &model.selection(),
      [&model](const std::optional<ViewRange>& range) { model.selection().setZoom(kProfileZoom, range); });
  follow(model.selection().value());
  return panel;
}

ViewPanel* makeComponentsPanel(StudyModel& model, QWidget* parent) {
  auto* panel = new PlotPanel<ComponentsView>(model, "components", parent);
  QObject::connect(&model, &StudyModel::headReady, panel,
                   [panel](const Views& views) { panel->show(views->components); });
  return panel;
}

ViewPanel* makeWeightsPanel(StudyModel& model, QWidget* parent) {
  auto* panel = new PlotPanel<WeightsView>(model, "weights", parent);
  QObject::connect(&model, &StudyModel::headReady, panel,
                   [panel](const Views& views) { panel->show(views->weights); });
  return panel;
}

namespace {

// Plot of data that not all analyses have.
template <typename Data>
ViewPanel* optedPanel(StudyModel& model, const char* name, const QString& title, Prepared<Data> HeadViews::*which,
                      Plot (*plot)(const Data&, const ValueRange&), QWidget* parent) {
  auto* panel = new PlotPanel<FigureView>(model, name, parent);
  panel->view().setAccessibleName(title);
  QObject::connect(&model, &StudyModel::headReady, panel, [panel, which, plot](const Views& views) {
    const Prepared<Data>& prepared = (*views).*which;
    prepared.data ? panel->view().setPlot(plot(*prepared.data, {}))
                  : panel->view().setMessage(prepared.missing);
  });
  return panel;
}

}  // namespace

ViewPanel* makePlacementPanel(StudyModel& model, QWidget* parent) {
  return optedPanel(model, "placementView", QObject::tr("Placement and content"), &HeadViews::placement, placementPlot,
                    parent);
}

ViewPanel* makeSaliencePanel(StudyModel& model, QWidget* parent) {
  return optedPanel(model, "salienceView", QObject::tr("Position and salience"), &HeadViews::salience, saliencePlot,
                    parent);
}

ViewPanel* makeTaxonomyPanel(StudyModel& model, QWidget* parent) {
  auto* panel = new PlotPanel<TaxonomyView>(model, "taxonomy", parent);
  TaxonomyView* view = &panel->view();
  QObject::connect(
      &model, &StudyModel::commonReady, panel,
      [panel](const std::shared_ptr<const CommonViews>& common) { panel->show(common->taxonomy); });
  QObject::connect(view, &TaxonomyView::headActivated, &model.selection(), &Selection::setHead);
  QObject::connect(view, &HeadPointsView::severalSelected, &model.selection(), &Selection::setSeveral);
  const auto follow = [view](const ViewSelection& now) {
    view->setSelectedHead(now.head);
    view->setSeveral(now.several);
  };
  QObject::connect(&model.selection(), &Selection::changed, view, follow);
  follow(model.selection().value());
  return panel;
}

}  // namespace plastiscope
