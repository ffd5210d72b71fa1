#include "widgets/export/pgf_parts.h"

#include <QHash>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

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

}  // namespace

QString bp(double units) {
  return QString::number(units / kUnitsPerPoint, 'f', 2) + "bp";
}

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

// --- Numbers --------------------------------------------------------------------------------------------

QPointF PgfTable::gap() {
  return {std::nan(""), std::nan("")};
}

std::size_t PgfTable::add(std::vector<QPointF> points) {
  m_longest = std::max(m_longest, points.size());
  m_plots.push_back(std::move(points));
  return m_plots.size();
}

std::string PgfTable::csv() const {
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

// --- Texts ----------------------------------------------------------------------------------------------

namespace {

const QHash<char16_t, const char*>& symbols() {
  static const QHash<char16_t, const char*> list = {{u'\\', "\\textbackslash{}"},
                                                    {u'{', "\\{"},
                                                    {u'}', "\\}"},
                                                    {u'$', "\\$"},
                                                    {u'&', "\\&"},
                                                    {u'#', "\\#"},
                                                    {u'%', "\\%"},
                                                    {u'_', "\\_"},
                                                    {u'^', "\\textasciicircum{}"},
                                                    {u'~', "\\textasciitilde{}"},
                                                    {u'<', "$<$"},
                                                    {u'>', "$>$"},
                                                    {u'|', "$|$"},
                                                    {u'\u2212', "$-$"},
                                                    {u'\u00b7', "$\\cdot$"},
                                                    {u'\u00d7', "$\\times$"},
                                                    {u'\u00b1', "$\\pm$"},
                                                    {u'\u2264', "$\\le$"},
                                                    {u'\u2265', "$\\ge$"},
                                                    {u'\u2248', "$\\approx$"},
                                                    {u'\u2013', "--"},
                                                    {u'\u2014', "---"},
                                                    {u'\u2026', "\\ldots{}"},
                                                    {u'\u00a0', "~"},
                                                    {u'\u2009', "\\,"},
                                                    {u'\u202f', "\\,"},
                                                    {u'\u00b0', "$^\\circ$"},
                                                    {u'\u00b2', "$^2$"},
                                                    {u'\u2192', "$\\to$"},
                                                    {u'\u2194', "$\\leftrightarrow$"},
                                                    {u'\u221a', "$\\surd$"},
                                                    {u'\u221e', "$\\infty$"},
                                                    {u'\u2016', "$\\|$"},
                                                    {u'\u03b1', "$\\alpha$"},
                                                    {u'\u03b2', "$\\beta$"},
                                                    {u'\u03b3', "$\\gamma$"},
                                                    {u'\u0394', "$\\Delta$"},
                                                    {u'\u03b4', "$\\delta$"},
                                                    {u'\u03bb', "$\\lambda$"},
                                                    {u'\u03bc', "$\\mu$"},
                                                    {u'\u00b5', "$\\mu$"},
                                                    {u'\u03c0', "$\\pi$"},
                                                    {u'\u03c1', "$\\rho$"},
                                                    {u'\u03a3', "$\\Sigma$"},
                                                    {u'\u03c3', "$\\sigma$"},
                                                    {u'\u03c4', "$\\tau$"},
                                                    {u'\u03b8', "$\\theta$"},
                                                    {u'\u03c6', "$\\varphi$"},
                                                    {u'\u03c9', "$\\omega$"},
                                                    {u'\u21b5', "$\\hookleftarrow$"},
                                                    {u'\u2019', "'"},
                                                    {u'\u201c', "``"},
                                                    {u'\u201d', "''"}};
  return list;
}

}  // namespace

QString texText(const QString& plain) {
  constexpr char32_t kLastOfT1 = 0x17f;  // last character supported by pdfLaTeX
  QString out;
  for (const char32_t c : plain.toUcs4()) {
    const auto found = c <= 0xffff ? symbols().constFind(static_cast<char16_t>(c)) : symbols().constEnd();
    const QString letter = QString::fromUcs4(&c, 1);
    if (found != symbols().constEnd())
      out += QLatin1String(*found);
    else
      out += c <= kLastOfT1 ? letter : "\\otherletter{" + letter + "}";
  }
  return out;
}

QString texMarkup(const QString& richText) {
  static const QHash<QString, QString> kTags = {
      {"sub", "\\textsubscript{"}, {"sup", "\\textsuperscript{"}, {"i", "\\textit{"}, {"b", "\\textbf{"}};
  QString out;
  for (qsizetype at = 0; at < richText.size();) {
    const qsizetype open = richText.indexOf('<', at);
    QString words = open < 0 ? richText.mid(at) : richText.mid(at, open - at);
    out += texText(words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
    if (open < 0) break;
    const qsizetype close = richText.indexOf('>', open);
    const QString tag = close < 0 ? QString() : richText.mid(open + 1, close - open - 1);
    if (kTags.contains(tag)) {
      out += kTags[tag];
    } else if (tag.startsWith('/') && kTags.contains(tag.mid(1))) {
      out += "}";
    } else {
      out += texText("<");
      at = open + 1;
      continue;
    }
    at = close + 1;
  }
  return out;
}

QString texFont(double points) {
  return QStringLiteral("\\fontsize{%1bp}{%2bp}\\selectfont")
      .arg(points, 0, 'g', 4)
      .arg(1.2 * points, 0, 'g', 4);
}

}  // namespace plastiscope
