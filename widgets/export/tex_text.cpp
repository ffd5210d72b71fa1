#include "widgets/export/tex_text.h"

#include <QHash>

namespace plastiscope {

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
