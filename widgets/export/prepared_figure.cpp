#include "widgets/export/prepared_figure.h"

#include <QMimeData>

#include "core/base/json.h"
#include "widgets/export/figure_renderer.h"

namespace plastiscope {

QMimeData* clipboardData(const PreparedFigure& figure) {
  const QByteArray numbers = QByteArray::fromStdString(toCsv(figure.content.data));
  auto* mime = new QMimeData;
  mime->setImageData(renderPreview(figure.content, figure.spec, figure.spec.dpi));
  mime->setData(QStringLiteral("image/svg+xml"),
                renderFigure(figure.content, figure.spec, FigureFormat::Svg, Json(), true));
  mime->setData(QStringLiteral("application/pdf"),
                renderFigure(figure.content, figure.spec, FigureFormat::Pdf, Json(), true));
  mime->setData(QStringLiteral("text/csv"), numbers);
  mime->setText(QString::fromUtf8(numbers));
  return mime;
}

}  // namespace plastiscope
