#include "widgets/export/pgfplots.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/latex_text.h"
#include "core/base/version.h"
#include "widgets/export/tex_text.h"
#include "widgets/plots/primitives.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxColours = 40;    // colours of areas in one panel: more are drawn as map cells
constexpr std::size_t kMaxPoints = 20000;  // points of one panel: more are drawn as a cloud
constexpr std::size_t kLongPlot = 120;     // rows
constexpr double kImageDpi = 600;

// Layout units as big points.
QString bp(double units) {
  return QString::number(units / kUnitsPerPoint, 'f', 2) + "bp";
}

QString pgfNumber(double value) {
  return QString::number(value, 'g', 10);
}

const LaidOutAxis& labelled(const LaidOutAxis& usual, const LaidOutAxis& opposite) {
  return opposite.labelled && !usual.labelled ? opposite : usual;
}

// Ticks with the labels of the figure.
void addTicks(QStringList& options, const QString& axis, const LaidOutAxis& of) {
  QStringList places, labels;
  for (std::size_t i = 0; i < of.ticks.size(); ++i) {
    places.append(pgfNumber(of.ticks[i]));
    labels.append("{" + texText(of.labels[i]) + "}");
  }
  options.append(QStringLiteral("%1tick={%2}").arg(axis, places.join(',')));
  options.append(QStringLiteral("%1ticklabels={%2}").arg(axis, of.labelled ? labels.join(',') : QString()));
  if (!of.ticked) options.append(axis + "tick style={draw=none}");
  if (of.slant != 0)
    options.append(QStringLiteral("%1ticklabel style={rotate=%2, anchor=north east, inner sep=1bp}")
                       .arg(axis)
                       .arg(-of.slant));
}

void addRange(QStringList& options, const QString& axis, const LaidOutAxis& of) {
  options.append(QStringLiteral("%1min=%2, %1max=%3").arg(axis, pgfNumber(of.low), pgfNumber(of.high)));
  if (of.reversed) options.append(axis + " dir=reverse");
}

// "at={(12bp,30bp)}, width=..., xmin=..., xtick={...}, ...": places the box as in the figure.
QString pgfAxisOptions(const LaidOutPanel& panel, QSize figure, const PlotStyle& style) {
  const QRectF& box = panel.box;
  const LaidOutAxis &x = labelled(panel.bottom, panel.top), &y = labelled(panel.left, panel.right);
  QStringList options = {
      QStringLiteral("at={(%1,%2)}, anchor=south west")
          .arg(bp(box.left()), bp(figure.height() - box.bottom())),
      QStringLiteral("scale only axis, width=%1, height=%2").arg(bp(box.width()), bp(box.height()))};
  addRange(options, "x", x);
  addRange(options, "y", y);
  addTicks(options, "x", x);
  addTicks(options, "y", y);
  if (&y == &panel.right)
    options.append("yticklabel pos=right, ytick pos=right");
  else
    options.append("ytick pos=left");
  options.append(&x == &panel.top ? "xticklabel pos=top, xtick pos=top" : "xtick pos=bottom");
  if (!panel.bottom.line && !panel.left.line) {
    options.append("axis line style={draw=none}");
  } else {
    if (!panel.top.line) options.append("axis x line*=bottom");
    if (!panel.right.line) options.append("axis y line*=left");
  }
  if (panel.bottom.grid) options.append("xmajorgrids");
  if (panel.left.grid) options.append("ymajorgrids");
  if (!x.title.isEmpty()) {
    options.append("xlabel={" + texMarkup(x.title) + "}");
    options.append(
        QStringLiteral("xlabel style={at={(axis description cs:0.5,%1)}, anchor=south, inner sep=0}")
            .arg(-x.titleDistance / box.height()));
  }
  if (!y.title.isEmpty()) {
    const bool right = &y == &panel.right;
    options.append("ylabel={" + texMarkup(y.title) + "}");
    options.append(QStringLiteral("ylabel style={at={(axis description cs:%1,0.5)}, anchor=%2, inner sep=0}")
                       .arg(right ? 1 + y.titleDistance / box.width() : -y.titleDistance / box.width())
                       .arg(right ? "south" : "north"));
  }
  options.append(QStringLiteral("tick label style={inner sep=1.5bp, font=%1}")
                     .arg(texFont(style.tick.pixelSize() / style.unit)));
  options.append(QStringLiteral("label style={font=%1}").arg(texFont(style.label.pixelSize() / style.unit)));
  options.append(QStringLiteral("major tick length=%1").arg(bp(style.tickLength)));
  return options.join(QStringLiteral(",\n  "));
}

// Table read by all plots of a figure: a column pair xN, yN for each, padded with nan.
class PgfTable {
 public:
  static QPointF gap() { return {std::nan(""), std::nan("")}; }  // separates parts of a plot
  // Returns the number of the plot.
  std::size_t add(std::vector<QPointF> points) {
    m_longest = std::max(m_longest, points.size());
    m_plots.push_back(std::move(points));
    return m_plots.size();
  }
  std::string csv() const {
    const auto text = [](double value) {
      return std::isfinite(value) ? QByteArray::number(value, 'g', 7).toStdString() : "nan";
    };
    std::string csv;
    for (std::size_t i = 1; i <= m_plots.size(); ++i) {
      const std::string n = std::to_string(i);
      csv += (i > 1 ? ",x" : "x") + n + ",y" + n;
    }
    csv += "\n";
    for (std::size_t row = 0; row < m_longest; ++row) {
      for (std::size_t i = 0; i < m_plots.size(); ++i) {
        const QPointF at = row < m_plots[i].size() ? m_plots[i][row] : gap();
        csv += (i > 0 ? "," : "") + text(at.x()) + "," + text(at.y());
      }
      csv += "\n";
    }
    return csv;
  }

 private:
  std::vector<std::vector<QPointF>> m_plots;
  std::size_t m_longest = 0;
};

class PgfWriter {
 public:
  PgfWriter(const LaidOutPlot& figure, const PlotStyle& style, const std::string& name)
      : m_figure(figure), m_style(style), m_name(QString::fromStdString(name)) {}

  PgfFigure write() {
    for (const LaidOutPanel& panel : m_figure.panels) writePanel(panel);
    for (const LaidOutPanel& panel : m_figure.panels) writeFree(panel.shapes, false);
    writeFree(m_figure.legends, true);
    m_out.tex = document().toStdString();
    m_out.table = m_columns.csv();
    return std::move(m_out);
  }

 private:
  using Run = std::vector<const Primitive*>;

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

  QString options(const Primitive& shape) {
    QString text = strokeOptions(shape.pen);
    if (!shape.fill.isValid() || shape.fill.alpha() == 0) return text;
    text += ", fill=" + colour(shape.fill);
    if (shape.fill.alphaF() < 1)
      text += QStringLiteral(", fill opacity=%1").arg(shape.fill.alphaF(), 0, 'g', 3);
    return text;
  }

  // Names of the pgfplots marks.
  static QString markName(const Primitive& shape) {
    switch (shape.marker) {
      case Marker::Square:
        return QStringLiteral("square*");
      case Marker::Diamond:
        return QStringLiteral("diamond*");
      case Marker::Triangle:
      case Marker::DownTriangle:
        return QStringLiteral("triangle*");
      default:
        return QStringLiteral("*");
    }
  }

  QString look(const Primitive& shape) {
    if (shape.kind != Primitive::Kind::Marker) return "no marks, " + options(shape);
    const double radius = shape.size / 2 *
                          (shape.marker == Marker::Dot      ? 0.8
                           : shape.marker == Marker::Square ? 0.88
                                                            : 1);
    const QString turned = shape.marker == Marker::DownTriangle ? QStringLiteral(", rotate=180") : QString();
    const QString hollow = shape.fill.isValid() ? QString() : QStringLiteral(", fill=none");
    return "only marks, mark=" + markName(shape) + ", mark size=" + bp(radius) + ", mark options={" +
           options(shape) + hollow + turned + ", solid}";
  }

  // Converts layout units to values on the panel's axes.
  static QPointF valueAt(const LaidOutPanel& panel, QPointF at) {
    const auto along = [](double share, const LaidOutAxis& axis) {
      if (axis.reversed) share = 1 - share;
      return axis.low + share * (axis.high - axis.low);
    };
    const LaidOutAxis &x = labelled(panel.bottom, panel.top), &y = labelled(panel.left, panel.right);
    return {along((at.x() - panel.box.left()) / panel.box.width(), x),
            along((panel.box.bottom() - at.y()) / panel.box.height(), y)};
  }

  void writePanel(const LaidOutPanel& panel) {
    m_body += "\\begin{axis}[\n  " + pgfAxisOptions(panel, m_figure.units, m_style) + "]\n";
    const Run shapes = withoutPictures(panel);
    for (std::size_t first = 0; first < shapes.size();) {
      std::size_t end = first + 1;
      while (end < shapes.size() && look(*shapes[first]) == look(*shapes[end])) ++end;
      writePlot(panel, Run(shapes.begin() + static_cast<std::ptrdiff_t>(first),
                           shapes.begin() + static_cast<std::ptrdiff_t>(end)));
      first = end;
    }
    m_body += "\\end{axis}\n";
  }

  // Replaces cells and clouds by one image below the rest.
  Run withoutPictures(const LaidOutPanel& panel) {
    std::set<QRgb> fills;
    std::size_t points = 0;
    for (const Primitive& shape : panel.shapes) {
      if (shape.fill.isValid()) fills.insert(shape.fill.rgba());
      points += static_cast<std::size_t>(std::max<qsizetype>(1, shape.points.size()));
    }
    const bool cells = fills.size() > kMaxColours, cloud = points > kMaxPoints;
    Primitives painted;
    Run kept;
    for (const Primitive& shape : panel.shapes) {
      if (shape.kind == Primitive::Kind::Text) continue;
      const bool area = shape.fill.isValid() && cells;
      if (cloud || area || shape.kind == Primitive::Kind::Picture)
        painted.push_back(shape);
      else
        kept.push_back(&shape);
    }
    if (!painted.empty()) writePicture(panel, painted);
    return kept;
  }

  void writePicture(const LaidOutPanel& panel, const Primitives& shapes) {
    const double scale = kImageDpi / (72.0 * kUnitsPerPoint);
    QImage image((panel.box.size() * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) throw ResourceError("not enough memory for the picture of a panel");
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(image.width() / panel.box.width(), image.height() / panel.box.height());
    painter.translate(-panel.box.topLeft());
    Primitives sharp = shapes;
    for (Primitive& shape : sharp) shape.crisp = shape.crisp || shape.pen.style() == Qt::NoPen;
    paintShapes(painter, sharp);
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

  // Joins adjacent lines; closes areas.
  static std::vector<QPointF> outline(const LaidOutPanel& panel, const Run& shapes) {
    std::vector<QPointF> points;
    for (const Primitive* shape : shapes) {
      if (shape->points.isEmpty()) continue;
      const QPointF first = valueAt(panel, shape->points.front());
      const bool goesOn = !points.empty() && !shape->closed && points.back() == first;
      if (!points.empty() && !goesOn) points.push_back(PgfTable::gap());
      for (qsizetype i = goesOn ? 1 : 0; i < shape->points.size(); ++i)
        points.push_back(valueAt(panel, shape->points[i]));
      if (shape->closed) points.push_back(first);
    }
    return points;
  }

  // LaTeX reads a table slowly when one plot is much longer than the others: splits long ones at their gaps
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

  void writePlot(const LaidOutPanel& panel, const Run& shapes) {
    const bool marks = shapes.front()->kind == Primitive::Kind::Marker;
    std::vector<QPointF> values;
    if (marks) {
      for (const Primitive* shape : shapes) values.push_back(valueAt(panel, shape->at));
    } else {
      values = outline(panel, shapes);
    }
    for (std::vector<QPointF>& part : inParts(values, marks))
      m_body += QStringLiteral("\\addplot[%1] table[x=x%2, y=y%2] {\\figuretable};\n")
                    .arg(look(*shapes.front()))
                    .arg(m_columns.add(std::move(part)));
  }

  QString place(QPointF at) const {
    return QStringLiteral("(%1,%2)").arg(bp(at.x()), bp(m_figure.units.height() - at.y()));
  }

  // Legends with their symbols, and all texts, placed in the figure.
  void writeFree(const Primitives& shapes, bool symbols) {
    for (const Primitive& shape : shapes) {
      if (shape.kind == Primitive::Kind::Text) {
        const double turn = shape.angle * M_PI / 180, ascent = RichText(shape.text, shape.font).ascent();
        const QPointF base = shape.at + QPointF(-std::sin(turn), std::cos(turn)) * ascent;
        m_free +=
            QStringLiteral("\\node[anchor=base west, inner sep=0, rotate=%1, text=%2, font=%3] at %4 {%5};\n")
                .arg(-shape.angle)
                .arg(colour(shape.pen.color()), texFont(shape.font.pixelSize() / m_style.unit), place(base),
                     texMarkup(shape.text));
      } else if (symbols && shape.kind == Primitive::Kind::Marker) {
        m_free += "\\path plot[" + look(shape) + "] coordinates {" + place(shape.at) + "};\n";
      } else if (symbols && shape.kind == Primitive::Kind::Path) {
        QStringList points;
        for (const QPointF& point : shape.points) points.append(place(point));
        m_free +=
            "\\path[" + options(shape) + "] " + points.join("--") + (shape.closed ? "--cycle;\n" : ";\n");
      }
    }
  }

  QString document() {
    const QString page = colour(m_style.colours.view), ink = colour(m_style.colours.text),
                  grid = colour(m_style.colours.grid);
    QString colours;
    for (const QString& hex : m_colours) colours += QStringLiteral("\\definecolor{c%1}{HTML}{%1}\n").arg(hex);
    const QString corner =
        QStringLiteral("(%1,%2)").arg(bp(m_figure.units.width()), bp(m_figure.units.height()));
    return QLatin1String(kTexStart) +
           QStringLiteral(
               "%1. The numbers are in %2.pgf.csv; the measures are those of the "
               "figure.\n"
               "\\documentclass[border=0pt]{standalone}\n"
               "\\IfFileExists{tgtermes.sty}{\\usepackage[T1]{fontenc}\\usepackage{tgtermes}}{"
               "\\IfFileExists{mathptmx.sty}{\\usepackage[T1]{fontenc}\\usepackage{mathptmx}}{"
               "\\usepackage{fix-cm}}}\n"
               "\\usepackage{pgfplots}\n"
               "%3  "
               "% set by LuaLaTeX and XeLaTeX alone, in a font that has it\n"
               "\\usetikzlibrary{plotmarks}\n"
               "\\pgfplotsset{compat=1.16}\n")
               .arg(QString::fromLatin1(kVersion), m_name, QLatin1String(kOtherLetter)) +
           colours + "\\begin{document}\n" +
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

  const LaidOutPlot& m_figure;
  PlotStyle m_style;
  QString m_name, m_body, m_free;
  std::set<QString> m_colours;
  PgfTable m_columns;
  PgfFigure m_out;
};

}  // namespace

PgfFigure pgfFigure(const LaidOutPlot& plot, const PlotStyle& style, const std::string& name) {
  return PgfWriter(plot, style, name).write();
}

}  // namespace plastiscope
