#include "widgets/export/tex_text.h"

#include <QHash>

#include "core/base/latex_text.h"

namespace plastiscope {

QString texText(const QString& plain) {
  return QString::fromStdString(latexText(plain.toStdString()));
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
