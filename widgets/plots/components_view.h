#pragma once
// Explained variance and r with position per principal component.
#include "core/views/components_data.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class ComponentsView : public PlotView {
  Q_OBJECT
 public:
  explicit ComponentsView(QWidget* parent = nullptr);
  ~ComponentsView() override;
  void setData(std::shared_ptr<const ComponentsData> content);

 protected:
  void build(QCustomPlot& plot) override;
  void hovered(const QPointF& position, const QPoint& global) override;

 private:
  std::shared_ptr<const ComponentsData> m_data;
};

// Share of each query dimension in the linear drift, RoPE pair marked.
class WeightsView : public PlotView {
  Q_OBJECT
 public:
  explicit WeightsView(QWidget* parent = nullptr);
  ~WeightsView() override;
  void setData(std::shared_ptr<const ComponentWeightsData> content);

 protected:
  void build(QCustomPlot& plot) override;
  void hovered(const QPointF& position, const QPoint& global) override;

 private:
  std::shared_ptr<const ComponentWeightsData> m_data;
};

}  // namespace plastiscope
