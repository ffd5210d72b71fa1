#pragma once
// Query and key rows of one head in three dimensions. Without OpenGL, or built without VTK, it says so in
// words and everything else works. No VTK here: other rooms include this header.
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

  // The direction of view stays, so that heads compare; another head or other axes are fitted into the
  // picture. A cloud with `missing` shows that sentence.
  void setData(std::shared_ptr<const CloudData> cloud);
  // Rows drawn in orange: rows of CloudData (until the next setData), and the queries with
  // from <= position < to (position scrubber; stays).
  void setSelectedRows(std::vector<std::size_t> rows);
  void setQueryHighlight(std::int64_t from, std::int64_t to);
  // Words of the row under the pointer, for its tip.
  void setTokenContext(const QString& richText);
  // Which three axes: the id of a CloudFrame. Kept for data that lacks them, which then shows its first
  // frame.
  void setFrame(const QString& id);
  QString frame() const;
  void setPerspective(bool on);  // default: orthographic, so that distances compare
  bool perspective() const;
  // Empty, loading and failed states: the sentence instead of the cloud; "" shows the cloud again (setData
  // does too).
  void setMessage(const QString& sentence);
  QString message() const;
  // Nothing = follow the widget's palette (default).
  void setTheme(std::optional<Theme> theme);
  // Why clouds cannot be drawn here ("built without VTK", no OpenGL); empty while they can. Known once shown.
  QString unavailable() const;
  // The cloud with its labels as now on the screen, in device pixels; null when there is none.
  QImage picture();
  // Where a row is drawn, in this widget's logical pixels; nothing when it is not on the screen.
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
