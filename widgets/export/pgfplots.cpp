#include "widgets/export/pgfplots.h"

#include <QBuffer>
#include <QPainter>
#include <cmath>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/version.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/pgf_axes.h"
#include "widgets/export/pgf_marks.h"
#include "widgets/export/tex_text.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMostColours = 40;    // of areas in one panel: more are cells of a map
constexpr std::size_t kMostPoints = 20000;  // of one panel: more are a cloud
constexpr std::size_t kLongPlot = 120;      // rows
constexpr double kImageDpi = 600;

class PgfWriter {
 public:
  PgfWriter(const RecordedFigure& figure, const PlotStyle& style, const std::string& name)
      : m_figure(figure), m_style(style), m_name(QString::fromStdString(name)) {}

  PgfFigure write() {
    for (std::size_t i = 0; i < m_figure.panels.size(); ++i) writePanel(static_cast<int>(i));
    writeFree();
    m_out.tex = document().toStdString();
    m_out.table = m_columns.csv();
    return std::move(m_out);
  }

 private:
  using Marks = std::vector<const RecordedMark*>;

  QString colour(const QColor& color) {
    const QString hex = color.name().mid(1).toUpper();
    m_colours.insert(hex);
    return "c" + hex;
  }

  QString strokeOptions(const QPen& pen) {
    if (pen.style() == Qt::NoPen) return QStringLiteral("draw=none");
    const double width = pen.widthF() > 0 ? pen.widthF() : 0.4 * kUnitsPerPoint;
    QString options = "draw=" + colour(pen.color()) + ", line width=" + bp(width);
    if (pen.color().alphaF() < 1)
      options += QStringLiteral(", draw opacity=%1").arg(pen.color().alphaF(), 0, 'g', 3);
    const QList<qreal> dashes = pen.style() == Qt::SolidLine ? QList<qreal>() : pen.dashPattern();
    if (dashes.size() >= 2) {
      QStringList parts;
      for (qsizetype i = 0; i < dashes.size(); ++i)
        parts.append(QLatin1String(i % 2 == 0 ? "on " : "off ") + bp(dashes[i] * width));
      options += ", dash pattern=" + parts.join(' ');
    }
    return options;
  }

  QString options(const RecordedMark& mark) {
    QString text = strokeOptions(mark.pen);
    if (!mark.fill.isValid() || mark.fill.alpha() == 0) return text;
    text += ", fill=" + colour(mark.fill);
    if (mark.fill.alphaF() < 1)
      text += QStringLiteral(", fill opacity=%1").arg(mark.fill.alphaF(), 0, 'g', 3);
    return text;
  }

  // From layout units to values of the panel's axes.
  static QPointF valueAt(const RecordedPanel& panel, QPointF at) {
    const auto along = [](double share, const RecordedAxis& axis) {
      if (axis.reversed) share = 1 - share;
      return axis.low + share * (axis.high - axis.low);
    };
    const RecordedAxis& y = panel.right.labelled && !panel.left.labelled ? panel.right : panel.left;
    const RecordedAxis& x = panel.top.labelled && !panel.bottom.labelled ? panel.top : panel.bottom;
    return {along((at.x() - panel.box.left()) / panel.box.width(), x),
            along((panel.box.bottom() - at.y()) / panel.box.height(), y)};
  }

  void writePanel(int index) {
    const RecordedPanel& panel = m_figure.panels[static_cast<std::size_t>(index)];
    m_body += "\\begin{axis}[\n  " + pgfAxisOptions(panel, m_figure.units, m_style) + "]\n";
    Marks marks;
    for (const RecordedMark& mark : m_figure.marks) {
      if (mark.panel == index && mark.text.empty()) marks.push_back(&mark);
    }
    marks = withoutImages(panel, std::move(marks));
    for (std::size_t first = 0; first < marks.size();) {
      std::size_t end = first + 1;
      while (end < marks.size() && sameLook(*marks[first], *marks[end])) ++end;
      writePlot(panel, Marks(marks.begin() + static_cast<std::ptrdiff_t>(first),
                             marks.begin() + static_cast<std::ptrdiff_t>(end)));
      first = end;
    }
    m_body += "\\end{axis}\n";
  }

  bool sameLook(const RecordedMark& a, const RecordedMark& b) {
    return isPlotMark(a) == isPlotMark(b) && options(a) == options(b) &&
           (!isPlotMark(a) || plotMarkCode(a) == plotMarkCode(b));
  }

  // Cells and clouds become one picture below the rest.
  Marks withoutImages(const RecordedPanel& panel, Marks marks) {
    std::set<QRgb> fills;
    std::size_t points = 0;
    for (const RecordedMark* mark : marks) {
      if (mark->fill.isValid()) fills.insert(mark->fill.rgba());
      points += static_cast<std::size_t>(mark->path.elementCount());
    }
    const bool cells = fills.size() > kMostColours, cloud = points > kMostPoints;
    Marks painted, kept;
    for (const RecordedMark* mark : marks) {
      const bool area = mark->fill.isValid() && cells;
      (cloud || area || !mark->image.isNull() ? painted : kept).push_back(mark);
    }
    if (!painted.empty()) writeImage(panel, painted);
    return kept;
  }

  void writeImage(const RecordedPanel& panel, const Marks& marks) {
    const double scale = kImageDpi / (72.0 * kUnitsPerPoint);
    QImage image((panel.box.size() * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) throw ResourceError("not enough memory for the picture of a panel");
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(image.width() / panel.box.width(), image.height() / panel.box.height());
    painter.translate(-panel.box.topLeft());
    for (const RecordedMark* mark : marks) {
      painter.setRenderHint(QPainter::Antialiasing, mark->pen.style() != Qt::NoPen);
      painter.setPen(mark->pen);
      painter.setBrush(mark->fill.isValid() ? QBrush(mark->fill) : QBrush(Qt::NoBrush));
      if (mark->image.isNull())
        painter.drawPath(mark->path);
      else
        painter.drawImage(mark->imageRect, mark->image);
    }
    painter.end();
    m_out.images.push_back(image);
    const QPointF low = valueAt(panel, panel.box.bottomLeft()), high = valueAt(panel, panel.box.topRight());
    m_body += QStringLiteral("\\addplot graphics[xmin=%1, xmax=%2, ymin=%3, ymax=%4] {%5-%6.png};\n")
                  .arg(std::min(low.x(), high.x()), 0, 'g', 10)
                  .arg(std::max(low.x(), high.x()), 0, 'g', 10)
                  .arg(std::min(low.y(), high.y()), 0, 'g', 10)
                  .arg(std::max(low.y(), high.y()), 0, 'g', 10)
                  .arg(m_name)
                  .arg(m_out.images.size());
  }

  static std::vector<QPointF> outline(const RecordedPanel& panel, const Marks& marks) {
    std::vector<QPointF> points;
    for (const RecordedMark* mark : marks) {
      for (const QPolygonF& polygon : mark->path.toSubpathPolygons()) {
        const bool goesOn = !points.empty() && !mark->fill.isValid() &&
                            QLineF(points.back(), valueAt(panel, polygon.front())).length() == 0;
        if (!points.empty() && !goesOn) points.push_back(PgfTable::gap());
        for (qsizetype i = goesOn ? 1 : 0; i < polygon.size(); ++i)
          points.push_back(valueAt(panel, polygon[i]));
      }
    }
    return points;
  }

  // LaTeX reads a table slowly when one plot is much longer than the others: long ones are cut at their gaps
  // (marks anywhere).
  static std::vector<std::vector<QPointF>> inParts(const std::vector<QPointF>& values, bool marks) {
    std::vector<std::vector<QPointF>> parts(1);
    for (const QPointF& value : values) {
      const bool gap = std::isnan(value.x());
      if (parts.back().size() >= kLongPlot && (gap || marks)) parts.emplace_back();
      if (!gap || !parts.back().empty()) parts.back().push_back(value);
    }
    return parts;
  }

  void writePlot(const RecordedPanel& panel, const Marks& marks) {
    const bool points = isPlotMark(*marks.front());
    std::vector<QPointF> values;
    if (points) {
      for (const RecordedMark* mark : marks)
        values.push_back(valueAt(panel, mark->path.boundingRect().center()));
    } else {
      values = outline(panel, marks);
    }
    const QString look = points ? "only marks, mark=" + shape(*marks.front()) + ", mark options={" +
                                      options(*marks.front()) + ", solid}"
                                : "no marks, " + options(*marks.front());
    for (std::vector<QPointF>& part : inParts(values, points))
      m_body += QStringLiteral("\\addplot[%1] table[x=x%2, y=y%2] {\\figuretable};\n")
                    .arg(look)
                    .arg(m_columns.add(std::move(part)));
  }

  QString shape(const RecordedMark& mark) {
    const QString code = plotMarkCode(mark);
    const auto known = m_shapes.find(code);
    if (known != m_shapes.end()) return known->second;
    return m_shapes[code] = "figuremark" + QString(QChar(static_cast<char16_t>('a' + m_shapes.size() % 26))) +
                            QString(static_cast<qsizetype>(m_shapes.size() / 26), 'z');
  }

  // Legends, letters, numbers: placed in the figure.
  void writeFree() {
    const int height = m_figure.units.height();
    for (const RecordedMark& mark : m_figure.marks) {
      if (!mark.text.empty()) {
        m_free += QStringLiteral(
                      "\\node[anchor=base west, inner sep=0, rotate=%1, text=%2, font=%3] at (%4,%5) {%6};\n")
                      .arg(-mark.angle)
                      .arg(colour(mark.pen.color()), texFont(mark.text.front().size / kUnitsPerPoint),
                           bp(mark.at.x()), bp(height - mark.at.y()), texRuns(mark.text));
      } else if (mark.panel < 0 && mark.image.isNull()) {
        for (const QPolygonF& polygon : mark.path.toSubpathPolygons()) {
          QStringList points;
          for (const QPointF& p : polygon)
            points.append(QStringLiteral("(%1,%2)").arg(bp(p.x()), bp(height - p.y())));
          m_free += "\\path[" + options(mark) + "] " + points.join("--") +
                    (mark.fill.isValid() ? "--cycle;\n" : ";\n");
        }
      }
    }
  }

  QString document() {
    const QString page = colour(m_style.colours.view), ink = colour(m_style.colours.text),
                  grid = colour(m_style.colours.grid);
    QString shapes, colours;
    for (const auto& [code, name] : m_shapes) shapes += "\\pgfdeclareplotmark{" + name + "}{" + code + "}\n";
    for (const QString& hex : m_colours) colours += QStringLiteral("\\definecolor{c%1}{HTML}{%1}\n").arg(hex);
    const QString corner =
        QStringLiteral("(%1,%2)").arg(bp(m_figure.units.width()), bp(m_figure.units.height()));
    return QLatin1String(kTexStart) +
           QStringLiteral(
               "%1. The numbers are in %2.pgf.csv; the measures are those of the "
               "figure.\n"
               "\\documentclass[border=0pt]{standalone}\n"
               "\\IfFileExists{tgtermes.sty}{\\usepackage[T1]{fontenc}\\usepackage{tgtermes}}{\\usepackage{"
               "fix-cm}}\n"
               "\\usepackage{pgfplots}\n"
               "\\pgfplotsset{compat=1.16}\n")
               .arg(QString::fromLatin1(kVersion), m_name) +
           colours + shapes + "\\begin{document}\n" +
           QStringLiteral("\\pgfplotstableread[col sep=comma]{%1.pgf.csv}\\figuretable\n").arg(m_name) +
           QStringLiteral(
               "\\begin{tikzpicture}[every axis/.append style={axis on top=false, clip=true, "
               "unbounded coords=jump, tick align=outside, enlargelimits=false, scaled ticks=false, "
               "axis line style={draw=%1, line width=%2}, every tick/.append style={draw=%1, line width=%2}, "
               "grid style={draw=%3, line width=%4}, "
               "every axis label/.append style={text=%1}, every tick label/.append style={text=%1}}]\n")
               .arg(ink, bp(m_style.axisWidth), grid, bp(m_style.gridWidth)) +
           "\\useasboundingbox (0,0) rectangle " + corner + ";\n\\fill[" + page + "] (0,0) rectangle " +
           corner + ";\n" + m_body + m_free + "\\end{tikzpicture}\n\\end{document}\n";
  }

  const RecordedFigure& m_figure;
  PlotStyle m_style;
  QString m_name, m_body, m_free;
  std::set<QString> m_colours;
  std::map<QString, QString> m_shapes;
  PgfTable m_columns;
  PgfFigure m_out;
};

QByteArray pngOf(const QImage& image) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG")) throw Error(ErrorKind::Internal, "the PNG writer failed");
  return buffer.data();
}

}  // namespace

PgfFigure pgfFigure(const FigureContent& content, const FigureSpec& spec, const std::string& name) {
  const FigureLayout layout = layoutOf(spec);
  const RecordedFigure figure = recordFigure(layout.units, layout.style, content.build);
  return PgfWriter(figure, layout.style, name).write();
}

std::filesystem::path pgfImageOf(const std::filesystem::path& out, std::size_t number) {
  return out.parent_path() / (out.stem().string() + "-" + std::to_string(number) + ".png");
}

std::vector<std::filesystem::path> writePgfplots(const FigureContent& content, const FigureSpec& spec,
                                                 const std::filesystem::path& out) {
  const std::string name = out.stem().string();
  const PgfFigure figure = pgfFigure(content, spec, name);
  std::vector<std::filesystem::path> written;
  const auto write = [&](const std::string& file, std::string_view bytes) {
    written.push_back(out.parent_path() / file);
    writeFileAtomically(written.back(), bytes);
  };
  for (std::size_t i = 0; i < figure.images.size(); ++i) {
    const QByteArray png = pngOf(figure.images[i]);
    write(pgfImageOf(out, i + 1).filename().string(),
          {png.constData(), static_cast<std::size_t>(png.size())});
  }
  write(name + ".pgf.csv", figure.table);
  write(name + ".tex", figure.tex);
  return written;
}

}  // namespace plastiscope
