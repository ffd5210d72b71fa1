#pragma once
// Query and key rows of one head in three dimensions. Without OpenGL or VTK it shows a message instead. This
// header does not use VTK, so that other folders can include it.
#include <QImage>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/views/cloud_data.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

class CloudView : public QWidget {
  Q_OBJECT
 public:
  explicit CloudView(QWidget* parent = nullptr);
  ~CloudView() override;

  // The view direction is kept, so that heads can be compared; another head or other axes are zoomed to fit.
  // A cloud with `missing` shows that text.
  void setData(std::shared_ptr<const CloudData> cloud);
  // Rows drawn in orange: rows of CloudData (until the next setData), and queries with from <= position < to
  // (position scrubber; kept).
  void setSelectedRows(std::vector<std::size_t> rows);
  void setQueryHighlight(std::int64_t from, std::int64_t to);
  // Text around the row under the pointer, for its tip.
  void setTokenContext(const QString& richText);
  // Axes by the id of a CloudFrame. The choice is kept for data without that frame, which show their first
  // one.
  void setFrame(const QString& id);
  QString frame() const;
  void setPerspective(bool on);  // default: orthographic, so that distances compare
  bool perspective() const;
  // Shows a sentence instead of the cloud, for empty, loading and failed states; "" shows the cloud again, as
  // does setData.
  void setMessage(const QString& sentence);
  QString message() const;
  // Nullopt = follow the widget's palette (default).
  void setTheme(std::optional<Theme> theme);
  // Why clouds cannot be drawn ("built without VTK", no OpenGL); "" if they can. Known once shown.
  QString unavailable() const;
  // The cloud with its labels as displayed, in device pixels; null if there is none.
  QImage picture();
  // Position of a row in this widget's logical pixels; nullopt if it is not visible.
  std::optional<QPointF> placeOf(std::size_t row) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public Q_SLOTS:
  void resetView();  // also on double click, Home, and in the context menu

 Q_SIGNALS:
  void rowPicked(plastiscope::QueryOrKey kind, qint64 row);  // click; row of CaptureFile::rows() of this kind
  void rowHovered(plastiscope::QueryOrKey kind, qint64 row);
  void rowUnhovered();
  void frameChanged(const QString& id);  // by the user

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
