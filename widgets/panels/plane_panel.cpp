// The {a, b} plane of the selected head: tool tips with text, lasso, scrubber, highlighted rows.
#include <QComboBox>
#include <QToolButton>

#include "core/base/error.h"
#include "widgets/models/study_model.h"
#include "widgets/models/text_links.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/plane_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

class PlanePanel : public ViewPanel {
 public:
  PlanePanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_model(model),
        m_view(fillWith(new AbPlaneView(this), "abPlane")),
        m_runner(model.workers(), WorkLength::Quick) {
    addColours();
    addDisplay();
    addTool(QStringLiteral("lasso"), QStringLiteral("planeLasso"),
            tr("Select rows with a lasso (or hold Shift)"), PlaneTool::Lasso);
    addTool(QStringLiteral("box"), QStringLiteral("planeBox"), tr("Select rows in a box"), PlaneTool::Box);
    addLock();
    connect(addButton(QStringLiteral("reset"), tr("Show the whole picture again")), &QToolButton::clicked,
            m_view, &PlotView::resetView);
    auto* clear = named("planeClear", new QAction(tr("Clear the selection"), m_view));
    connect(clear, &QAction::triggered, this, [this] { selectRows({}, {}); });
    m_view->addAction(clear);
    connect(&model, &StudyModel::failed, m_view, &PlotView::setMessage);
    connect(&model, &StudyModel::headReady, this, &PlanePanel::showHead);
    connect(&model, &StudyModel::pointedAt, m_view, &AbPlaneView::pointAt);
    connect(&model.selection(), &Selection::changed, this, &PlanePanel::follow);
    connect(m_view, &AbPlaneView::rowsSelected, this, &PlanePanel::selectRows);
    connect(m_view, &AbPlaneView::rowActivated, this, [this](QueryOrKey kind, qint64 row) {
      kind == QueryOrKey::Query ? selectRows({row}, {}) : selectRows({}, {row});
    });
    model.watch([this] { return m_view->drawing() || m_runner.running(); });
    connect(m_view, &PlotView::zoomed, this, [this](const std::optional<ViewRange>& range) {
      m_model.selection().setZoom(kPlaneZoom, range);
    });
    TokenContext::connectTo(model, m_view);
  }

 private:
  void addColours() {
    m_colours = addChoice("planeColour", tr("Colour of the rows"));
    for (const RowColourInfo& info : rowColours()) {
      m_colours->addItem(QString::fromUtf8(info.title), static_cast<int>(info.colour));
      m_colours->setItemData(m_colours->count() - 1, QString::fromUtf8(info.help), Qt::ToolTipRole);
    }
    offerInMenu(*m_view, *m_colours, tr("Colour by"));
    connect(m_colours, &QComboBox::currentIndexChanged, this, [this] {
      m_model.selection().setRowColour(static_cast<RowColour>(m_colours->currentData().toInt()));
    });
  }

  void addDisplay() {
    // Only in the context menu: the title bar has no space for a second choice.
    auto* display = named("planeDisplay", new QComboBox(this));
    display->hide();
    display->setToolTip(
        tr("Points or density; Auto: density above %1 rows").arg(groupedText(AbPlaneView::kDensityAbove)));
    display->setAccessibleName(tr("Points or density"));
    display->addItem(tr("Auto"), QVariant::fromValue(int(PlaneDisplay::Auto)));
    display->addItem(tr("Points"), QVariant::fromValue(int(PlaneDisplay::Points)));
    display->addItem(tr("Density"), QVariant::fromValue(int(PlaneDisplay::Density)));
    addMenuLine(*m_view);
    offerInMenu(*m_view, *display, tr("Show as"));
    connect(display, &QComboBox::currentIndexChanged, m_view, [this, display] {
      m_view->setDisplay(static_cast<PlaneDisplay>(display->currentData().toInt()));
    });
  }

  void addTool(const QString& icon, const QString& name, const QString& tip, PlaneTool tool) {
    QToolButton* tools = addButton(icon, tip);
    tools->setObjectName(name);
    tools->setCheckable(true);
    connect(tools, &QToolButton::toggled, this, [this, tools, tool](bool on) {
      if (on) {
        for (QToolButton* other : m_tools) {
          if (other != tools) other->setChecked(false);
        }
        m_view->setTool(tool);
      } else if (m_view->tool() == tool) {
        m_view->setTool(PlaneTool::Pan);
      }
    });
    m_tools.append(tools);
    offerInMenu(*m_view, *tools, tip);
  }

  void addLock() {
    auto* lock = named("planeLock", new LockButton(this));
    addOption(lock);
    offerInMenu(*m_view, *lock, tr("Lock the range"));
    LockedRanges& ranges = m_model.ranges();
    connect(lock, &LockButton::lockRequested, this, [this, &ranges](bool on) {
      const auto shown = on ? m_view->shownRange() : std::nullopt;
      ranges.set(kAcross, shown ? std::optional(LockedRange(shown->xLow, shown->xHigh)) : std::nullopt);
      ranges.set(kUp, shown ? std::optional(LockedRange(shown->yLow, shown->yHigh)) : std::nullopt);
    });
    const auto use = [this, lock, &ranges] {
      const auto x = ranges.of(kAcross), y = ranges.of(kUp);
      lock->setLocked(x && y);
      m_view->setLockedRange(x && y ? std::optional(ViewRange{x->first, x->second, y->first, y->second})
                                    : std::nullopt);
    };
    connect(&ranges, &LockedRanges::changed, this, use);
    use();
  }

  void showHead(const std::shared_ptr<const HeadViews>& views) {
    const PlaneData& plane = *views->plane;
    Q_EMIT noteChanged(plane.missing.empty() ? tr("%1 Q, %2 K")
                                                   .arg(groupedText(std::ssize(plane.query.x)),
                                                        groupedText(std::ssize(plane.key.x)))
                                             : QString());
    showRows();
  }

  // Shows the rows of the selected head once their colours are known.
  void showRows() {
    m_runner.drop();
    if (!m_model.views()) return;
    const std::shared_ptr<const PlaneData> plane = m_model.views()->plane;
    const RowColour by = m_model.selection().value().rowColour;
    m_colours->setCurrentIndex(m_colours->findData(static_cast<int>(by)));
    if (by == RowColour::Position || !plane->missing.empty()) return showIn(plane, {});
    m_runner.start(
        [plane, by, capture = m_model.study()->capture, types = m_types](Progress&) {
          Colours colours{types, {}};
          if (by == RowColour::TokenType && !types)
            colours.types = std::make_shared<const TokenTypes>(tokenTypesOf(*capture));
          colours.colouring = colourRows(*plane, by, colours.types.get());
          return colours;
        },
        [this, plane](JobResult<Colours> colours) {
          if (!m_model.views() || m_model.views()->plane != plane) return;  // the head has changed meanwhile
          if (colours.ok()) return showIn(plane, *colours.value);
          if (!colours.stopped()) m_view->setMessage(colours.failure.sentence);
        });
  }

  struct Colours {
    std::shared_ptr<const TokenTypes> types;  // null: not read yet
    std::shared_ptr<const RowColouring> colouring;
  };

  void showIn(const std::shared_ptr<const PlaneData>& plane, const Colours& colours) {
    if (colours.types) m_types = colours.types;
    m_view->setZoom(zoomOf(m_model.selection().value(), kPlaneZoom));
    m_view->setData(plane, colours.colouring);
    showChoices(m_model.selection().value());
  }

  void follow(const ViewSelection& now, const ViewSelection& before) {
    if (now.head == before.head && now.rowColour != before.rowColour) showRows();
    if (now.head == before.head && now.zoom != before.zoom) m_view->setZoom(zoomOf(now, kPlaneZoom));
    if (now.rows != before.rows || now.position != before.position) showChoices(now);
  }

  void showChoices(const ViewSelection& now) {
    m_view->setSelectedRows(now.rows ? now.rows->query : std::vector<std::int64_t>(),
                            now.rows ? now.rows->key : std::vector<std::int64_t>());
    const auto bin = m_model.binOf(now.position);
    m_view->setQueryHighlight(bin ? bin->first : 0, bin ? bin->second : 0);
  }

  void selectRows(const std::vector<qint64>& queries, const std::vector<qint64>& keys) {
    m_model.selection().setRows({queries.begin(), queries.end()}, {keys.begin(), keys.end()});
  }

  static constexpr const char *kAcross = "plane a", *kUp = "plane b";

  StudyModel& m_model;
  AbPlaneView* m_view;
  JobRunner m_runner;
  std::shared_ptr<const TokenTypes> m_types;
  QComboBox* m_colours = nullptr;
  QList<QToolButton*> m_tools;
};

}  // namespace

ViewPanel* makePlanePanel(StudyModel& model, QWidget* parent) {
  return new PlanePanel(model, parent);
}

}  // namespace plastiscope
