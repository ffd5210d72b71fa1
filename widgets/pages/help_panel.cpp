#include "widgets/pages/help_panel.h"

#include <QAction>
#include <QEvent>
#include <QFile>
#include <QResizeEvent>
#include <algorithm>

#include "core/base/json.h"
#include "core/base/version.h"
#include "core/views/metric_info.h"
#include "widgets/state/theme.h"

namespace plastiscope {
namespace {

QString text(const std::string& value) {
  return QString::fromStdString(value);
}

constexpr int kMostPicture = 300, kLeastHelpWidth = 240, kMargin = 14;

QString entryHtml(const HelpPanel::Entry& entry, int pictureWidth) {
  QString html = QStringLiteral("<h3>%1</h3><p>%2</p>").arg(entry.title, entry.text);
  if (!entry.picture.isEmpty())
    html += QStringLiteral("<p><img src=':/plastiscope/help/%1.png' width='%2' alt='%3'></p>")
                .arg(entry.picture, QString::number(pictureWidth), entry.title);
  return html;
}

// resources/help/views.json: [{"title": ..., "text": ..., "view": ..., "picture": ...}, ...]; the texts may
// hold simple HTML, the last two may be missing.
std::vector<HelpPanel::Entry> readEntries() {
  QFile file(QStringLiteral(":/plastiscope/help/views.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  std::vector<HelpPanel::Entry> entries;
  for (const Json& entry : parseJson(file.readAll().toStdString(), "views.json")) {
    entries.push_back({text(entry.at("title")), text(entry.at("text")), text(entry.value("view", "")),
                       text(entry.value("picture", ""))});
  }
  return entries;
}

QString metricHelp(const MetricInfo& metric) {
  QString html = QStringLiteral("<h3>%1</h3><p>%2</p>").arg(text(metric.label), text(metric.meaning));
  if (!metric.formula.empty())
    html += QStringLiteral("<p>= %1</p>").arg(QString::fromStdString(metric.formula).toHtmlEscaped());
  if (!metric.sign.empty()) html += QStringLiteral("<p>%1</p>").arg(text(metric.sign));
  QStringList facts;
  if (!metric.unit.empty()) facts << HelpPanel::tr("unit: %1").arg(text(metric.unit));
  if (metric.range)
    facts << HelpPanel::tr("range: %1 … %2").arg(metric.range->first).arg(metric.range->second);
  facts << HelpPanel::tr("column: <code>%1</code>").arg(text(metric.column));
  html += QStringLiteral("<p class='m'>%1</p>").arg(facts.join(QStringLiteral(" · ")));
  if (!metric.caveat.empty()) html += QStringLiteral("<p><i>%1</i></p>").arg(text(metric.caveat));
  return html;
}

}  // namespace

HelpPanel::HelpPanel(QWidget* parent) : QTextBrowser(parent), m_entries(readEntries()) {
  setAccessibleName(tr("Help"));
  setMinimumWidth(kLeastHelpWidth);
  setObjectName(QStringLiteral("helpText"));
  setFrameShape(QFrame::NoFrame);
  setOpenExternalLinks(false);
  render();
}

void HelpPanel::showMetric(const std::string& column) {
  if (column == m_metric) return;
  m_metric = column;
  if (isVisible()) render();
}

void HelpPanel::showPage(const QString& page) {
  m_page = page;
  showFirst(page);
}

void HelpPanel::showView(const QString& view) {
  const bool known = std::any_of(m_entries.begin(), m_entries.end(),
                                 [&view](const Entry& entry) { return entry.view == view; });
  showFirst(known ? view : m_page);
}

void HelpPanel::showFirst(const QString& view) {
  if (view == m_view) return;
  m_view = view;
  if (isVisible()) render();
}

void HelpPanel::showEvent(QShowEvent* event) {
  render();
  QTextBrowser::showEvent(event);
}

void HelpPanel::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  if (isVisible() && event->size().width() != event->oldSize().width()) render();
}

void HelpPanel::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) render();
}

void HelpPanel::render() {
  QString html =
      QStringLiteral("<style>h3 { margin-bottom: 2px; } p { margin-top: 2px; } .m { color: %1; }</style>")
          .arg(currentTheme()[QStringLiteral("muted")].name());
  const int picture = std::min(kMostPicture, viewport()->width() - kMargin);
  for (const Entry& entry : m_entries) {
    if (!m_view.isEmpty() && entry.view == m_view) html += entryHtml(entry, picture) + QStringLiteral("<hr>");
  }
  if (!m_metric.empty()) html += metricHelp(describeMetric(m_metric)) + QStringLiteral("<hr>");
  for (const Entry& entry : m_entries) {
    if (m_view.isEmpty() || entry.view != m_view) html += entryHtml(entry, picture);
  }
  setHtml(html);
}

namespace {

QString sheetRow(const QString& keys, const QString& title) {
  return QStringLiteral("<tr><td style='padding:2px 24px 2px 0'><b>%1</b></td><td>%2</td></tr>")
      .arg(keys, title);
}

}  // namespace

QString shortcutSheet(const QList<QAction*>& actions) {
  QString rows;
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts())
      keys << key.toString(QKeySequence::NativeText).toHtmlEscaped();
    QString title = action->text();
    rows += sheetRow(keys.join(QStringLiteral(" / ")), title.remove(QLatin1Char('&')).toHtmlEscaped());
  }
  const std::pair<QString, QString> kByHand[] = {
      {HelpPanel::tr("Arrows, Home, End"), HelpPanel::tr("Walk through heads in the grid; rows in the table")},
      {HelpPanel::tr("Shift and drag"), HelpPanel::tr("Select rows of the plane by drawing around them")},
      {HelpPanel::tr("Wheel, drag"), HelpPanel::tr("Zoom and pan in the plane and the profile")},
      {HelpPanel::tr("Double click"), HelpPanel::tr("Show a whole picture again")}};
  for (const auto& [keys, title] : kByHand) rows += sheetRow(keys, title);
  return QStringLiteral("<qt><table>%1</table></qt>").arg(rows);
}

QString aboutText() {
  return HelpPanel::tr(
             "<qt><h3>Plastiscope %1</h3>"
             "<p>A desktop microscope for the attention heads of language models: captures queries and keys "
             "over long texts, "
             "and shows how plastic each head's attention still is.</p>"
             "<p>Licence: GNU General Public License, version 3.</p>"
             "<p>Built on Qt %2 (LGPL 3), QCustomPlot (GPL 3), VTK (BSD), HDF5 (BSD), Eigen (MPL 2), ICU "
             "(Unicode licence), "
             "OpenSSL (Apache 2), CLI11 (BSD), nlohmann/json (MIT); captures run on libtorch (BSD).</p></qt>")
      .arg(QString::fromLatin1(kVersion), QString::fromLatin1(qVersion()));
}

}  // namespace plastiscope
