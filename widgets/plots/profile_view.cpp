#include "widgets/plots/profile_view.h"

#include <QPainter>
#include <algorithm>
#include <set>
#include <utility>

#include "widgets/plots/qcp.h"

namespace plastiscope {

namespace {

// At most one tick per pixel.
void drawTicks(QPainter& painter, const QCPAxisRect& rect, const std::vector<double>& positions,
               const PlotStyle& style) {
  std::set<int> pixels;
  for (const double position : positions) {
    const int at = qRound(rect.axis(QCPAxis::atBottom)->coordToPixel(position));
    if (at >= rect.left() && at <= rect.right()) pixels.insert(at);
  }
  for (const QPen& line :
       {casedPen(style, pen(style.colours.selection, 1)), pen(style.colours.selection, 1)}) {
    painter.setPen(line);
    for (const int at : pixels)
      painter.drawLine(QLineF(at + 0.5, rect.bottom() - style.u(7), at + 0.5, rect.bottom()));
  }
}

constexpr int kLow = 250;  // pixels: below this height the curve also gets the legend's space

bool isLow(const QWidget& view) {
  return view.height() < kLow;
}

}  // namespace

struct ProfileView::Private {
  std::shared_ptr<const ProfileData> data;
  std::optional<double> cursor, hovered;
  std::vector<double> selected;
  std::shared_ptr<const PublishedProfile> published;
  bool intervals = true;
  std::optional<PositionAxis> axis;
  HeadGroups groups;
  bool low = false;  // as drawn

  ProfileOptions options() const { return {ProfileParts::Both, std::nullopt, published, intervals, axis}; }
  // Profiles of the groups that have heads in the data.
  std::vector<GroupProfile> groupProfiles() const {
    std::vector<GroupProfile> profiles;
    for (const HeadGroup& group : groups) {
      const auto isThere = [this](const HeadName& head) {
        return std::ranges::find(data->field->heads, head) != data->field->heads.end();
      };
      if (std::ranges::any_of(group.heads, isThere))
        profiles.push_back({group, makeProfile(data->field, group.heads, "mean of " + group.name)});
    }
    return profiles;
  }
  const ProfileData& drawn() const { return drawnProfile(*data, options()); }
};

ProfileView::ProfileView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setAccessibleName(tr("Profile and quintiles"));
  setMessage(tr("No analysis yet"));
  renderOptions().lines = std::make_shared<LinePicture>();
}

ProfileView::~ProfileView() = default;

void ProfileView::setData(std::shared_ptr<const ProfileData> content) {
  d->data = std::move(content);
  d->hovered.reset();
  setMessage(d->data == nullptr ? tr("No analysis yet")
                                : QString::fromStdString(whyNoProfile(*d->data->field)));
  rebuild();
}

void ProfileView::setPublished(std::shared_ptr<const PublishedProfile> published) {
  d->published = std::move(published);
  rebuild();
}

void ProfileView::setSelectedPositions(std::vector<double> positions) {
  d->selected = std::move(positions);
  replotOverlay();
}

void ProfileView::setIntervalsShown(bool shown) {
  d->intervals = shown;
  rebuild();
}

void ProfileView::setGroups(HeadGroups groups) {
  if (groups == d->groups) return;
  d->groups = std::move(groups);
  rebuild();
}

void ProfileView::setPositionAxis(std::optional<PositionAxis> axis) {
  d->axis = axis;
  rebuild();
}

PositionAxis ProfileView::positionAxis() const {
  return d->data ? positionAxisOf(*d->data, d->options()) : d->axis.value_or(PositionAxis::Tokens);
}

void ProfileView::setCursor(std::optional<double> position) {
  d->cursor = position;
  replotOverlay();
}

std::optional<ViewRange> ProfileView::wholeRange() const {
  if (d->data == nullptr || d->data->field->bins() == 0) return {};
  return ViewRange{0, profileEnd(*d->data, d->options()), 0, 1};
}

std::optional<Plot> ProfileView::makePlot() const {
  if (d->data == nullptr || d->data->field->bins() == 0) return std::nullopt;
  ProfileOptions options = d->options();
  options.groups = d->groupProfiles();
  Plot plot = profilePlot(*d->data, options);
  d->low = isLow(*this);
  if (d->low) {
    plot.oneLine = true;
    plot.boxes.front().x.title.clear();
    plot.boxes.front().height = 1.5;
  }
  return plot;
}

void ProfileView::resizeEvent(QResizeEvent* event) {
  PlotView::resizeEvent(event);
  if (isLow(*this) != d->low) rebuild();
}

void ProfileView::paintOverlay(QPainter& painter) const {
  const QCPAxisRect& rect = *boxes().front().rect;
  const ProfileField& field = *d->drawn().field;
  const auto across = [&](double x, const QPen& line) {
    const double at = pixelOf(x, 0).x();
    painter.setPen(line);
    painter.drawLine(QLineF(at, rect.top(), at, rect.bottom() + 1));
  };
  if (d->cursor) {
    if (const auto bin = field.binAt(*d->cursor)) {
      QColor shade = plotStyle().colours.selection;
      shade.setAlphaF(0.28F);
      const double left = pixelOf(field.start[*bin], 0).x(), right = pixelOf(field.end[*bin], 0).x();
      painter.fillRect(QRectF(left, rect.top(), right - left, rect.height()), shade);
    }
    across(*d->cursor, pen(plotStyle().colours.selection, 1.4, Qt::DotLine));
  }
  drawTicks(painter, rect, d->selected, plotStyle());
  if (d->hovered) across(*d->hovered, pen(plotStyle().colours.muted, 1, Qt::DotLine));
}

void ProfileView::hovered(const QPointF& position, const QPoint& global) {
  if (d->data == nullptr || plot().axisRectCount() == 0) return;
  const QCPAxisRect& rect = *plot().axisRect(0);
  const double tokens = rect.axis(QCPAxis::atBottom)->pixelToCoord(position.x());
  const auto bin = rect.rect().contains(position.toPoint()) ? d->drawn().field->binAt(tokens) : std::nullopt;
  if (!bin) {
    if (std::exchange(d->hovered, std::nullopt)) replotOverlay();
    return showTip({}, global);
  }
  d->hovered = d->drawn().field->tau[*bin];
  replotOverlay();
  showTip(QString::fromStdString(profileTip(d->drawn(), *bin)), global);
  Q_EMIT positionHovered(tokens, static_cast<qint64>(*bin));
}

void ProfileView::clicked(const QPointF& position) {
  if (d->data == nullptr || plot().axisRectCount() == 0) return;
  const QCPAxisRect& rect = *plot().axisRect(0);
  if (!rect.rect().contains(position.toPoint())) return;
  const double tokens = rect.axis(QCPAxis::atBottom)->pixelToCoord(position.x());
  if (const auto bin = d->drawn().field->binAt(tokens))
    Q_EMIT positionActivated(tokens, static_cast<qint64>(*bin));
}

}  // namespace plastiscope

#include "moc_profile_view.cpp"
