#pragma once
// r_q against r_k on PC0 of all heads, with the class borders.
#include "core/views/depth_data.h"
#include "core/views/taxonomy_data.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class TaxonomyView : public PlotView {
  Q_OBJECT
 public:
  explicit TaxonomyView(QWidget* parent = nullptr);
  ~TaxonomyView() override;
  void setData(std::shared_ptr<const TaxonomyData> content);
  void setSelectedHead(std::optional<HeadName> head);

 Q_SIGNALS:
  void headActivated(plastiscope::HeadName head);
  void headHovered(plastiscope::HeadName head);

 protected:
  void build(QCustomPlot& plot) override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

// A metric by layer: heads as points, the layer's mean as a line.
class DepthView : public PlotView {
  Q_OBJECT
 public:
  explicit DepthView(QWidget* parent = nullptr);
  ~DepthView() override;
  void setData(std::shared_ptr<const DepthData> content);
  void setSelectedHead(std::optional<HeadName> head);

 Q_SIGNALS:
  void headActivated(plastiscope::HeadName head);

 protected:
  void build(QCustomPlot& plot) override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
