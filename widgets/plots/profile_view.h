#pragma once
// Plasticity over query position, with the quintiles of the window below.
#include "core/figures/figures.h"
#include "core/views/profile_data.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class ProfileView : public PlotView {
  Q_OBJECT
 public:
  explicit ProfileView(QWidget* parent = nullptr);
  ~ProfileView() override;

  // Switching heads within one field redraws only the head's parts.
  void setData(std::shared_ptr<const ProfileData> content);
  // Published numbers behind the head's curve; null = none.
  void setPublished(std::shared_ptr<const PublishedProfile> published);
  void setIntervalsShown(bool shown);  // for the mean over heads, and for the head where it has a bootstrap
  // Nullopt: the default for the published numbers (ProfileOptions::axis).
  void setPositionAxis(std::optional<PositionAxis> axis);
  PositionAxis positionAxis() const;  // as shown
  void setGroups(HeadGroups groups);  // their means, in their colours
  // Positions of selected queries, tokens: ticks at the lower edge.
  void setSelectedPositions(std::vector<double> positions);
  void setCursor(std::optional<double> position);  // tokens: a dotted line; the bin is shaded
  using QWidget::setCursor;

 Q_SIGNALS:
  void positionHovered(double tokens, qint64 bin);
  void positionActivated(double tokens, qint64 bin);  // click

 protected:
  std::optional<Plot> makePlot() const override;
  void paintOverlay(QPainter& painter) const override;
  std::optional<ViewRange> wholeRange() const override;
  void resizeEvent(QResizeEvent* event) override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
