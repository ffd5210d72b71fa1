#include "widgets/export/pgf_axes.h"

#include <QStringList>

#include "widgets/export/tex_text.h"

namespace plastiscope {

namespace {

QString number(double value) {
  return QString::number(value, 'g', 10);
}

const RecordedAxis& labelled(const RecordedAxis& usual, const RecordedAxis& opposite) {
  return opposite.labelled && !usual.labelled ? opposite : usual;
}

// Ticks with their labels as the figure says them.
void addTicks(QStringList& options, const QString& axis, const RecordedAxis& of) {
  QStringList places, labels;
  for (std::size_t i = 0; i < of.ticks.size(); ++i) {
    places.append(number(of.ticks[i]));
    labels.append("{" + texText(of.labels[i]) + "}");
  }
  options.append(QStringLiteral("%1tick={%2}").arg(axis, places.join(',')));
  options.append(QStringLiteral("%1ticklabels={%2}").arg(axis, of.labelled ? labels.join(',') : QString()));
  if (!of.ticked) options.append(axis + "tick style={draw=none}");
  if (of.rotation != 0)
    options.append(QStringLiteral("%1ticklabel style={rotate=%2, anchor=north east, inner sep=1bp}")
                       .arg(axis)
                       .arg(-of.rotation));
}

void addRange(QStringList& options, const QString& axis, const RecordedAxis& of) {
  options.append(QStringLiteral("%1min=%2, %1max=%3").arg(axis, number(of.low), number(of.high)));
  if (of.reversed) options.append(axis + " dir=reverse");
}

}  // namespace

QString bp(double units) {
  return QString::number(units / kUnitsPerPoint, 'f', 2) + "bp";
}

QString pgfAxisOptions(const RecordedPanel& panel, QSize figure, const PlotStyle& style) {
  const QRectF& box = panel.box;
  const RecordedAxis &x = labelled(panel.bottom, panel.top), &y = labelled(panel.left, panel.right);
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
            .arg(-x.titleRoom / box.height()));
  }
  if (!y.title.isEmpty()) {
    const bool right = &y == &panel.right;
    options.append("ylabel={" + texMarkup(y.title) + "}");
    options.append(QStringLiteral("ylabel style={at={(axis description cs:%1,0.5)}, anchor=%2, inner sep=0}")
                       .arg(right ? 1 + y.titleRoom / box.width() : -y.titleRoom / box.width())
                       .arg(right ? "south" : "north"));
  }
  options.append(QStringLiteral("tick label style={inner sep=1.5bp, font=%1}")
                     .arg(texFont(style.tick.pixelSize() / style.unit)));
  options.append(QStringLiteral("label style={font=%1}").arg(texFont(style.label.pixelSize() / style.unit)));
  options.append(QStringLiteral("major tick length=%1").arg(bp(style.tickLength)));
  return options.join(QStringLiteral(",\n  "));
}

}  // namespace plastiscope
