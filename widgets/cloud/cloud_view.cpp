#include "widgets/cloud/cloud_view.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QPaintEvent>
#include <QPainter>
#include <QPalette>
#include <QStackedWidget>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "core/views/metric_info.h"
#include "widgets/cloud/cloud_labels.h"
#include "widgets/cloud/scene_3d.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr double kPickReach = 6;  // logical pixels from the cursor
constexpr int kHoverMs = 25;      // debounce of the search for the row under the cursor

QString plain(const std::string& text) {
  return QString::fromStdString(text);
}

// [points, 3]: colours from the ramp of each row's kind by position.
std::vector<std::uint8_t> coloursOf(const CloudData& data, const CloudLayout& layout,
                                    const PlotColours& colours) {
  constexpr std::size_t kSteps = 256;
  std::array<std::array<QRgb, kSteps>, 2> ramps{};
  for (std::size_t i = 0; i < kSteps; ++i) {
    const double share = static_cast<double>(i) / (kSteps - 1);
    ramps[0][i] = rampColour(colours.queryRamp, share).rgb();
    ramps[1][i] = rampColour(colours.keyRamp, share).rgb();
  }
  std::vector<std::uint8_t> rgb;
  rgb.reserve(3 * layout.points());
  for (const std::size_t row : layout.row) {
    const auto step = static_cast<std::size_t>(data.positionShare(row) * (kSteps - 1) + 0.5);
    const QRgb colour = ramps[data.kind(row) == QueryOrKey::Query ? 0 : 1][step];
    for (const int part : {qRed(colour), qGreen(colour), qBlue(colour)}) {
      rgb.push_back(static_cast<std::uint8_t>(part));
    }
  }
  return rgb;
}

}  // namespace

struct CloudView::Private {
  explicit Private(CloudView& owner) : view(owner) {}

  CloudView& view;
  CloudBar* bar = nullptr;
  QStackedWidget* pages = nullptr;
  QWidget* scenePage = nullptr;
  QLabel* notice = nullptr;
  Scene3d* scene = nullptr;  // made when first shown; null without OpenGL
  CloudOverlay* overlay = nullptr;
  QAction* perspectiveAction = nullptr;
  QTimer hover;
  QPointF hoverPlace;
  std::optional<std::size_t> hoveredPoint;
  QString tokenContext;  // rich text

  std::shared_ptr<const CloudData> data;
  std::shared_ptr<const CloudLayout> layout;
  HeadName shownHead;
  QString frameId, shownFrame, message, unavailable;
  bool sceneTried = false, perspective = false;
  std::vector<std::size_t> selected;
  std::int64_t highlightFrom = 0, highlightTo = 0;
  std::optional<Theme> theme;
  PlotStyle style;

  void buildWidgets() {
    bar = new CloudBar(&view);
    pages = new QStackedWidget(&view);
    scenePage = new QWidget(pages);
    auto* sceneLayout = new QVBoxLayout(scenePage);
    sceneLayout->setContentsMargins(0, 0, 0, 0);
    notice = new QLabel(pages);
    notice->setAlignment(Qt::AlignCenter);
    notice->setWordWrap(true);
    notice->setMargin(24);
    notice->setTextFormat(Qt::PlainText);
    pages->addWidget(notice);
    pages->addWidget(scenePage);
    columnIn(&view, {bar, {pages, 1}}, {.margins = {}, .spacing = 0});
    view.setAccessibleName(tr("Cloud"));

    hover.setSingleShot(true);
    hover.setInterval(kHoverMs);
    QObject::connect(&hover, &QTimer::timeout, &view, [this] { findHovered(); });
    QObject::connect(bar, &CloudBar::frameChosen, &view, [this](const QString& id) { chooseFrame(id); });
    QObject::connect(bar, &CloudBar::perspectiveChosen, &view, &CloudView::setPerspective);
    QObject::connect(bar, &CloudBar::resetWanted, &view, &CloudView::resetView);
  }

  void buildActions() {
    openMenuOnRightClick(view);
    auto* reset = new QAction(tr("Reset view"), &view);
    QObject::connect(reset, &QAction::triggered, &view, &CloudView::resetView);
    perspectiveAction = new QAction(tr("Perspective"), &view);
    perspectiveAction->setCheckable(true);
    QObject::connect(perspectiveAction, &QAction::triggered, &view, &CloudView::setPerspective);
    view.addAction(reset);
    view.addAction(perspectiveAction);
  }

  void applyStyle() {
    style = PlotStyle::screen(theme.value_or(themeOf(view.palette())), view.font());
    QPalette words = notice->palette();
    words.setColor(QPalette::WindowText, style.colours.muted);
    notice->setPalette(words);
    bar->setStyle(style);
    if (overlay != nullptr) overlay->setStyle(style);
    showColours();
    view.update();
  }

  void makeSceneIfNeeded() {
    if (sceneTried) return;
    sceneTried = true;
    unavailable = scene3dProblem();
    if (!unavailable.isEmpty()) return;
    scene = makeScene3d(scenePage);
    scenePage->layout()->addWidget(scene);
    overlay = new CloudOverlay(scene);
    overlay->setStyle(style);
    scene->setPerspective(perspective);
    showColours();
    QObject::connect(scene, &Scene3d::viewChanged, &view, [this] { showOverlay(); });
    QObject::connect(scene, &Scene3d::clicked, &view, [this](const QPointF& place) { pick(place); });
    QObject::connect(scene, &Scene3d::hovered, &view, [this](const QPointF& place) {
      hoverPlace = place;
      hover.start();
    });
    QObject::connect(scene, &Scene3d::hoverLeft, &view, [this] { endHover(); });
    showLayout();
  }

  std::size_t frameIndex() const {
    for (std::size_t i = 0; i < data->frames.size(); ++i) {
      if (plain(data->frames[i].id) == frameId) return i;
    }
    return 0;
  }

  // Called when data or axes have changed.
  void showLayout() {
    endHover();
    layout = nullptr;
    if (data != nullptr && !data->frames.empty()) {
      const std::size_t index = frameIndex();
      const CloudFrame& frame = data->frames[index];
      bar->showData(*data, index);
      layout = std::make_shared<const CloudLayout>(layOut(*data, frame));
      if (scene != nullptr) {
        scene->setPoints(layout, coloursOf(*data, *layout, style.colours));
        if (data->head != shownHead || plain(frame.id) != shownFrame) scene->fitCamera();
        shownHead = data->head;
        shownFrame = plain(frame.id);
      }
    }
    showSelection();
    showOverlay();
    showState();
  }

  // Called when the theme has changed.
  void showColours() {
    if (scene == nullptr) return;
    scene->setColours(
        {style.colours.view, style.colours.border, style.colours.selection, style.colours.casing});
    if (layout != nullptr) {
      scene->setPoints(layout, coloursOf(*data, *layout, style.colours));
      showSelection();
    }
  }

  void showSelection() {
    if (!hasCloud()) return;
    std::vector<std::size_t> points;
    const auto add = [&](std::size_t row) {
      const auto found = std::lower_bound(layout->row.begin(), layout->row.end(), row);
      if (found != layout->row.end() && *found == row) {
        points.push_back(static_cast<std::size_t>(found - layout->row.begin()));
      }
    };
    for (const std::size_t row : selected) add(row);
    for (std::size_t row = 0; highlightFrom < highlightTo && row < data->queryRows; ++row) {
      if (data->position[row] >= highlightFrom && data->position[row] < highlightTo) add(row);
    }
    scene->setSelection(points);
  }

  // Shows either the message or the cloud.
  void showState() {
    QString sentence = message;
    if (sentence.isEmpty()) sentence = unavailable;
    if (sentence.isEmpty() && data != nullptr) sentence = plain(data->missing);
    const bool cloud = sentence.isEmpty() && hasCloud();
    notice->setText(sentence);
    pages->setCurrentWidget(cloud ? scenePage : static_cast<QWidget*>(notice));
    bar->setVisible(cloud);
    view.layout()->activate();  // gives the widgets their final size
  }

  void showOverlay() {
    if (!hasCloud() || overlay == nullptr) return;
    overlay->setGeometry(scene->rect());
    QString note = perspective ? tr("perspective") : tr("orthographic");
    if (scene->pointsDrawn() < layout->points()) {
      note = tr("%1 of %2 rows while moving")
                 .arg(plain(withCommas(static_cast<long long>(scene->pointsDrawn()))),
                      plain(withCommas(static_cast<long long>(layout->points()))));
    }
    overlay->setScene({scene->view(), layout->axes, note});
  }

  void chooseFrame(const QString& id) {
    if (id == frameId) return;
    view.setFrame(id);
    Q_EMIT view.frameChanged(id);
  }

  QString tipOf(std::size_t row) const {
    QString tip = (data->kind(row) == QueryOrKey::Query ? tr("Query") : tr("Key")) +
                  tr(" \u00b7 position %1").arg(plain(withCommas(data->position[row])));
    const auto example = static_cast<std::size_t>(data->example[row]);
    if (example < data->exampleIds.size()) {
      tip += QStringLiteral(" \u00b7 ") + plain(data->exampleIds[example]).toHtmlEscaped();
    }
    QStringList places;
    for (const std::size_t index : data->frames[frameIndex()].axes) {
      const CloudAxis& axis = data->axes[index];
      if (axis.activation)
        places += plain(axis.label) + u'\u00a0' + plain(fixedText(static_cast<double>(axis.value[row]), 2));
    }
    return tip + QStringLiteral("<br>") + tokenContext + places.join(QStringLiteral("&nbsp; "));
  }

  void findHovered() {
    if (!hasCloud()) return;
    const auto point =
        pickPoint(*layout, scene->view(), {hoverPlace.x(), hoverPlace.y(), scene->pointRadius(), kPickReach});
    if (!point) return endHover();
    if (point == hoveredPoint) return;
    hoveredPoint = point;
    tokenContext.clear();
    const std::size_t row = layout->row[*point];
    showTip();
    Q_EMIT view.rowHovered(data->kind(row), data->rowOfKind(row));
  }

  void endHover() {
    hover.stop();
    if (!hoveredPoint) return;
    hoveredPoint.reset();
    QToolTip::hideText();
    Q_EMIT view.rowUnhovered();
  }

  void showTip() {
    QToolTip::showText(scene->mapToGlobal(hoverPlace.toPoint()), tipOf(layout->row[*hoveredPoint]), scene);
  }

  void pick(const QPointF& place) {
    if (!hasCloud()) return;
    const auto point =
        pickPoint(*layout, scene->view(), {place.x(), place.y(), scene->pointRadius(), kPickReach});
    if (!point) return;
    const std::size_t row = layout->row[*point];
    Q_EMIT view.rowPicked(data->kind(row), data->rowOfKind(row));
  }

  bool hasCloud() const { return scene != nullptr && layout != nullptr; }
};

CloudView::CloudView(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(*this)) {
  d->buildWidgets();
  d->buildActions();
  d->applyStyle();
  d->showState();
}

CloudView::~CloudView() = default;

void CloudView::setTokenContext(const QString& richText) {
  if (!d->hoveredPoint) return;
  d->tokenContext = richText + QStringLiteral("<br>");
  d->showTip();
}

void CloudView::setData(std::shared_ptr<const CloudData> cloud) {
  d->data = std::move(cloud);
  d->message.clear();
  d->selected.clear();
  d->showLayout();
}

void CloudView::setSelectedRows(std::vector<std::size_t> rows) {
  d->selected = std::move(rows);
  d->showSelection();
}

void CloudView::setQueryHighlight(std::int64_t from, std::int64_t to) {
  d->highlightFrom = from;
  d->highlightTo = to;
  d->showSelection();
}

void CloudView::setFrame(const QString& id) {
  d->frameId = id;
  d->showLayout();
}

QString CloudView::frame() const {
  if (d->data == nullptr || d->data->frames.empty()) return d->frameId;
  return plain(d->data->frames[d->frameIndex()].id);
}

void CloudView::setPerspective(bool on) {
  if (on == d->perspective) return;
  d->perspective = on;
  d->bar->showPerspective(on);
  d->perspectiveAction->setChecked(on);
  if (d->scene != nullptr) d->scene->setPerspective(on);
}

bool CloudView::perspective() const {
  return d->perspective;
}

void CloudView::setMessage(const QString& sentence) {
  d->message = sentence;
  d->showState();
}

QString CloudView::message() const {
  return d->message;
}

void CloudView::setTheme(std::optional<Theme> theme) {
  d->theme = theme;
  d->applyStyle();
}

QString CloudView::unavailable() const {
  return d->unavailable;
}

QImage CloudView::picture() {
  if (!d->hasCloud() || d->pages->currentWidget() != d->scenePage) return {};
  QImage image = d->scene->picture();
  if (image.isNull()) return image;
  QPainter painter(&image);
  const double ratio = d->scene->devicePixelRatioF();
  if (qFuzzyCompare(image.devicePixelRatio(), 1.0)) painter.scale(ratio, ratio);
  paintOverlay(painter, d->overlay->scene(), d->style);
  return image;
}

std::optional<QPointF> CloudView::placeOf(std::size_t row) const {
  if (!d->hasCloud()) return std::nullopt;
  const auto found = std::lower_bound(d->layout->row.begin(), d->layout->row.end(), row);
  if (found == d->layout->row.end() || *found != row) return std::nullopt;
  const float* xyz = d->layout->xyz.data() + 3 * (found - d->layout->row.begin());
  const auto place = d->scene->view().project(
      {static_cast<double>(xyz[0]), static_cast<double>(xyz[1]), static_cast<double>(xyz[2])});
  if (!place || !QRectF(d->scene->rect()).contains(place->x, place->y)) return std::nullopt;
  return QPointF(d->scene->mapTo(this, QPoint(0, 0))) + QPointF(place->x, place->y);
}

QSize CloudView::sizeHint() const {
  return {420, 340};
}

QSize CloudView::minimumSizeHint() const {
  return {220, 180};
}

void CloudView::resetView() {
  if (d->scene != nullptr) d->scene->resetCamera();
}

void CloudView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) d->applyStyle();
}

void CloudView::paintEvent(QPaintEvent* event) {
  QPainter(this).fillRect(event->rect(), d->style.colours.view);
}

void CloudView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  d->makeSceneIfNeeded();
  d->showState();
}

}  // namespace plastiscope

#include "moc_cloud_view.cpp"
