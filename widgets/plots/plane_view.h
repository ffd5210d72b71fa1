#pragma once
// Query and key rows of one head on two axes. Large numbers of rows are drawn in a worker (scatter_layer.h),
// so that the window stays responsive.
#include <QPolygonF>
#include <optional>
#include <vector>

#include "core/views/plane_data.h"
#include "core/views/row_colours.h"
#include "widgets/plots/plot_view.h"

class QCPAxisRect;

namespace plastiscope {

// A row at the pointer or inside a drawn line.
struct RowRef {
  QueryOrKey kind = QueryOrKey::Query;
  std::size_t row = 0;
  bool operator==(const RowRef&) const = default;
};

QPointF rowPixel(const QCPAxisRect& rect, const PlaneRows& rows, std::size_t row);
// The row nearest to a pixel; nullopt when all are too far away. Linear in the rows.
std::optional<RowRef> nearestRow(const PlaneData& data, const QCPAxisRect& rect, const QPointF& pixel);
// Visible rows of one kind inside a closed line of pixels, ascending. Linear in the rows for any line, exact
// to half a pixel.
std::vector<std::int64_t> rowsInside(const PlaneRows& rows, const QCPAxisRect& rect, const QPolygonF& line);

enum class PlaneTool { Pan, Lasso, Box };
enum class PlaneDisplay { Auto, Points, Density };

class AbPlaneView : public PlotView {
  Q_OBJECT
 public:
  static constexpr int kDensityAbove = 50000;  // rows that PlaneDisplay::Auto shows as density

  explicit AbPlaneView(QWidget* parent = nullptr);
  ~AbPlaneView() override;

  // A plane with `missing` shows that text. `colouring`: null for colours by position.
  void setData(std::shared_ptr<const PlaneData> content,
               std::shared_ptr<const RowColouring> colouring = nullptr);
  void setDisplay(PlaneDisplay display);
  // Sets the function of dragging. Lasso and box select rows; with Shift every tool is a lasso, with Control
  // the drawn area is added to the selection.
  void setTool(PlaneTool tool);
  PlaneTool tool() const;
  // Queries with from <= position < to are ringed in orange (position scrubber); from >= to: none.
  void setQueryHighlight(std::int64_t from, std::int64_t to);
  // Draws these rows of each kind in orange.
  void setSelectedRows(std::vector<std::int64_t> queries, std::vector<std::int64_t> keys);
  // Draws a larger ring around these rows while they are pointed at.
  void pointAt(const std::vector<qint64>& queries, const std::vector<qint64>& keys);
  // Text around the row under the pointer, for its tip.
  void setTokenContext(const QString& richText);
  // Range of the whole plot; nullopt = all rows of the head.
  void setLockedRange(std::optional<ViewRange> range);
  bool drawing() const;  // an image of the rows is being made

 Q_SIGNALS:
  void rowHovered(plastiscope::QueryOrKey kind, qint64 row);  // row of CaptureFile::rows() of this kind
  void rowUnhovered();
  void rowActivated(plastiscope::QueryOrKey kind, qint64 row);  // click
  void rowsSelected(const std::vector<qint64>& queries,
                    const std::vector<qint64>& keys);  // lasso, box; none = Esc

 protected:
  std::optional<Plot> makePlot() const override;
  void paintOverlay(QPainter& painter) const override;
  std::optional<ViewRange> wholeRange() const override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;
  bool dragBegins(const QPointF& position, Qt::KeyboardModifiers keys) override;
  void dragMoves(const QPointF& position) override;
  void dragEnds() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool isEmpty() const;
  void paintDrift(QPainter& painter) const;
  void tellRow();

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
Q_DECLARE_METATYPE(plastiscope::QueryOrKey)
