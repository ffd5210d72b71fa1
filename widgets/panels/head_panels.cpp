// Panels with one plot each: profile and quintiles, components, their weights, placement, salience, softmax,
// taxonomy, cloud, plasticity map.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QToolButton>

#include "core/compare/reference_data.h"
#include "widgets/cloud/cloud_view.h"
#include "widgets/models/study_model.h"
#include "widgets/models/text_links.h"
#include "widgets/panels/group_menu.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/profile_view.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

using Views = std::shared_ptr<const HeadViews>;

// Fills a panel with a plot that also shows errors of the study.
template <typename View>
View* plotIn(ViewPanel& panel, const StudyModel& model, const char* name) {
  View* view = panel.fillWith(new View(&panel), name);
  QObject::connect(&model, &StudyModel::failed, view, &PlotView::setMessage);
  return view;
}

// Choice of the model whose published numbers are shown with the profile: at first the model of the capture
// if it is in the thesis, else none.
QComboBox* publishedChoice(const StudyModel& model, ViewPanel& panel, ProfileView& view) {
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
void addAxisChoice(const QComboBox& published, ViewPanel& panel, ProfileView& view, StudyModel& model) {
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
  auto* panel = new ViewPanel(parent);
  auto* view = plotIn<ProfileView>(*panel, model, "profile");
  const QComboBox* published = publishedChoice(model, *panel, *view);
  auto* intervals = named("profileIntervals", new QCheckBox(QObject::tr("Intervals"), panel));
  intervals->setToolTip(QObject::tr(
      "Draw 95 % intervals: of the mean over heads, and of the head over texts where the analysis has them"));
  intervals->setChecked(true);
  panel->addOption(intervals);
  QObject::connect(panel->addButton(QStringLiteral("reset"), QObject::tr("Show the whole picture again")),
                   &QToolButton::clicked, view, &PlotView::resetView);
  QObject::connect(intervals, &QCheckBox::toggled, view, &ProfileView::setIntervalsShown);
  QObject::connect(&model, &StudyModel::headReady, view, [view](const Views& views) {
    const Prepared<ProfileData>& profile = views->profile;
    profile.data ? view->setData(profile.data) : view->setMessage(profile.missing);
  });
  addAxisChoice(*published, *panel, *view, model);
  // Shows the scrubber's position; a click sets it.
  const auto follow = [view, &model](const ViewSelection& now) {
    view->setCursor(now.position ? std::optional(static_cast<double>(*now.position)) : std::nullopt);
    view->setZoom(zoomOf(now, kProfileZoom));
    view->setSelectedPositions(selectedPositions(model));
    HeadGroups others = now.drawnGroups();  // the chosen heads have a line already
    if (const HeadGroup* chosen = model.selectedGroup()) std::erase(others, *chosen);
    view->setGroups(std::move(others));
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

namespace {

// A plot of the selected head.
template <typename Data>
struct HeadFigure {
  const char* name;  // object name of its view
  QString title;
  Prepared<Data> HeadViews::*data;
  Plot (*plot)(const Data&);
};

template <typename Data>
ViewPanel* figurePanel(StudyModel& model, QWidget* parent, const HeadFigure<Data>& figure) {
  auto* panel = new ViewPanel(parent);
  auto* view = plotIn<FigureView>(*panel, model, figure.name);
  view->setAccessibleName(figure.title);
  QObject::connect(&model, &StudyModel::headReady, view,
                   [view, which = figure.data, plot = figure.plot](const Views& views) {
                     const Prepared<Data>& prepared = (*views).*which;
                     prepared.data ? view->setPlot(plot(*prepared.data)) : view->setMessage(prepared.missing);
                   });
  return panel;
}

}  // namespace

ViewPanel* makeComponentsPanel(StudyModel& model, QWidget* parent) {
  return figurePanel<ComponentsData>(
      model, parent,
      {"components", QObject::tr("Principal components"), &HeadViews::components, componentsPlot});
}

ViewPanel* makeWeightsPanel(StudyModel& model, QWidget* parent) {
  return figurePanel<ComponentWeightsData>(
      model, parent, {"weights", QObject::tr("Component weights"), &HeadViews::weights, weightsPlot});
}

ViewPanel* makePlacementPanel(StudyModel& model, QWidget* parent) {
  return figurePanel<PlacementData>(
      model, parent,
      {"placementView", QObject::tr("Placement and content"), &HeadViews::placement,
       [](const PlacementData& data) { return placementPlot(data); }});
}

ViewPanel* makeSaliencePanel(StudyModel& model, QWidget* parent) {
  return figurePanel<SalienceData>(
      model, parent,
      {"salienceView", QObject::tr("Position and salience"), &HeadViews::salience,
       [](const SalienceData& data) { return saliencePlot(data); }});
}

ViewPanel* makeSoftmaxPanel(StudyModel& model, QWidget* parent) {
  return figurePanel<SoftmaxData>(model, parent,
                                  {"softmaxView", QObject::tr("Softmax by position"), &HeadViews::softmax,
                                   [](const SoftmaxData& data) { return softmaxPlot(data); }});
}

ViewPanel* makeTaxonomyPanel(StudyModel& model, QWidget* parent) {
  auto* panel = new ViewPanel(parent);
  auto* view = plotIn<HeadPointsView>(*panel, model, "taxonomy");
  view->setAccessibleName(QObject::tr("Taxonomy of heads"));
  QObject::connect(&model, &StudyModel::commonReady, view,
                   [view](const std::shared_ptr<const CommonViews>& common) {
                     const Prepared<TaxonomyData>& taxonomy = common->taxonomy;
                     taxonomy.data ? view->setHeads(*taxonomy.data) : view->setMessage(taxonomy.missing);
                   });
  offerGroups(*view, model);
  QObject::connect(view, &HeadPointsView::headActivated, &model.selection(), &Selection::setHead);
  QObject::connect(view, &HeadPointsView::severalSelected, &model.selection(), &Selection::setSeveral);
  const auto follow = [view](const ViewSelection& now) {
    view->setSelectedHead(now.head);
    view->setSeveral(now.several);
    view->setGroups(now.drawnGroups());
  };
  QObject::connect(&model.selection(), &Selection::changed, view, follow);
  follow(model.selection().value());
  return panel;
}

namespace {

// Its data are prepared only while it is visible.
class CloudPanel : public ViewPanel {
 public:
  CloudPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent), m_model(model), m_view(fillWith(new CloudView(this), "cloudView")) {
    connect(&model, &StudyModel::cloudReady, this, [this](const std::shared_ptr<const CloudData>& cloud) {
      m_queries = cloud->queryRows;
      m_view->setData(cloud);
      showChoices(m_model.selection().value());
    });
    connect(&model.selection(), &Selection::changed, this, &CloudPanel::showChoices);
    TokenContext::connectTo(model, m_view);
    connect(m_view, &CloudView::rowPicked, this, &CloudPanel::pick);
    connect(&model, &StudyModel::cloudFailed, m_view, &CloudView::setMessage);
  }

 protected:
  void showEvent(QShowEvent* event) override {
    ViewPanel::showEvent(event);
    m_model.setCloudWanted(true);
  }
  void hideEvent(QHideEvent* event) override {
    ViewPanel::hideEvent(event);
    m_model.setCloudWanted(false);
  }

 private:
  // Queries come first in the cloud's rows.
  void showChoices(const ViewSelection& now) {
    std::vector<std::size_t> rows;
    if (now.rows && now.head && now.rows->layer == now.head->layer) {
      for (const std::int64_t row : now.rows->query) rows.push_back(static_cast<std::size_t>(row));
      for (const std::int64_t row : now.rows->key) rows.push_back(m_queries + static_cast<std::size_t>(row));
    }
    m_view->setSelectedRows(std::move(rows));
    const auto bin = m_model.binOf(now.position);
    m_view->setQueryHighlight(bin ? bin->first : 0, bin ? bin->second : 0);
  }

  // Selects a picked row in the tab.
  void pick(QueryOrKey kind, qint64 row) {
    if (kind == QueryOrKey::Query)
      m_model.selection().setRows({row}, {});
    else
      m_model.selection().setRows({}, {row});
  }

  StudyModel& m_model;
  CloudView* m_view;
  std::size_t m_queries = 0;
};

}  // namespace

ViewPanel* makeCloudPanel(StudyModel& model, QWidget* parent) {
  return new CloudPanel(model, parent);
}

namespace {

class MapPanel : public ViewPanel {
 public:
  MapPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_view(plotIn<PlasticityMapView>(*this, model, "plasticityMap")),
        m_range(addChoice("mapRange", tr("Colour range. 0 … 1 lets maps be compared"))),
        m_counts(new QCheckBox(tr("Counts"), this)),
        m_lock(named("mapLock", new LockButton(this))),
        m_ranges(model.ranges()) {
    m_range->addItems({tr("0 … 1"), tr("data")});
    m_counts->setToolTip(tr("Show the number of key pairs of each cell"));
    addOption(m_lock);
    addOption(m_counts);
    addMenuLine(*m_view);
    offerInMenu(*m_view, *m_counts, tr("Show the counts"));
    offerInMenu(*m_view, *m_range, tr("Range of the colours"));
    offerInMenu(*m_view, *m_lock, tr("Lock the range"));
    auto* unmark = new QAction(tr("Unmark the cell"), m_view);
    connect(unmark, &QAction::triggered, this, [&model] { model.selection().setCell({}); });
    m_view->addAction(unmark);
    connect(m_lock, &LockButton::lockRequested, this, [this](bool lock) {
      m_ranges.set(kQuantity, lock ? std::optional(m_view->range()) : std::nullopt);
    });
    connect(&m_ranges, &LockedRanges::changed, this, &MapPanel::useRange);
    connect(m_counts, &QCheckBox::toggled, m_view, &PlasticityMapView::setCountsShown);
    connect(m_range, &QComboBox::activated, this, &MapPanel::useRange);
    connect(m_view, &PlasticityMapView::cellActivated, this, [&model](qint64 distance, qint64 midpoint) {
      model.selection().setCell(CellChoice{distance, midpoint});
    });
    connect(&model.selection(), &Selection::changed, this, &MapPanel::follow);
    follow(model.selection().value());
    useRange();
    connect(&model, &StudyModel::headReady, this, [this](const std::shared_ptr<const HeadViews>& views) {
      show(views->map.data);
      if (!views->map.data) m_view->setMessage(views->map.missing);
    });
    connect(&model, &StudyModel::exactMapStarted, this, [this] { note(tr("computing all pairs …")); });
    connect(&model, &StudyModel::exactMapFailed, this,
            [this](HeadName, const QString& sentence) { note(sentence); });
    connect(&model, &StudyModel::exactMapReady, this,
            [this](HeadName, const std::shared_ptr<const MapData>& map) { show(map); });
  }

 private:
  void follow(const ViewSelection& now) {
    m_view->setMarked(now.cell ? std::optional(MapCell{now.cell->distance, now.cell->midpoint})
                               : std::nullopt);
  }

  void show(std::shared_ptr<const MapData> map) {
    m_map = std::move(map);
    m_view->setData(m_map);
    useRange();
    note({});
  }

  void note(const QString& addition) {
    const QString pairs = m_map ? QString::fromStdString(m_map->pairsText) : QString();
    Q_EMIT noteChanged(addition.isEmpty() ? pairs : QStringLiteral("%1 · %2").arg(pairs, addition));
  }

  void useRange() {
    const auto locked = m_ranges.of(kQuantity);
    m_lock->setLocked(locked.has_value());
    m_range->setEnabled(!locked);
    if (locked)
      m_view->setRange(locked);
    else if (m_range->currentIndex() == 1)
      m_view->setRangeFromData();
    else
      m_view->setRange({});
  }

  static constexpr const char* kQuantity = "map";

  PlasticityMapView* m_view;
  QComboBox* m_range;
  QCheckBox* m_counts;
  LockButton* m_lock;
  LockedRanges& m_ranges;
  std::shared_ptr<const MapData> m_map;
};

}  // namespace

ViewPanel* makeMapPanel(StudyModel& model, QWidget* parent) {
  return new MapPanel(model, parent);
}

}  // namespace plastiscope
