#include "widgets/pages/help_panel.h"

#include <QEvent>
#include <QFile>
#include <QImageReader>
#include <QResizeEvent>
#include <QTextBlock>
#include <QTextCursor>
#include <algorithm>
#include <climits>
#include <utility>

#include "core/base/json.h"
#include "core/views/metric_info.h"
#include "widgets/state/theme.h"

namespace plastiscope {
namespace {

QString text(const std::string& value) {
  return QString::fromStdString(value);
}

constexpr int kMaxPicture = 300, kLeastHelpWidth = 240, kMargin = 14;

// The picture in the colours of the theme, if there is one.
QString pictureFile(const QString& name) {
  const QString file = QStringLiteral(":/plastiscope/help/%1%2.png");
  const QString dark = file.arg(name, QStringLiteral("-dark"));
  return currentTheme().dark && QFile::exists(dark) ? dark : file.arg(name, QString());
}

// With both lengths given, a picture is loaded when it becomes visible.
QString entryHtml(const HelpPanel::Entry& entry, int pictureWidth) {
  QString html = QStringLiteral("<h3>%1</h3><p>%2</p>").arg(entry.title, entry.text);
  if (entry.picture.isEmpty()) return html;
  const QString file = pictureFile(entry.picture);
  const QSize size = QImageReader(file).size().scaled(pictureWidth, INT_MAX, Qt::KeepAspectRatio);
  return html + QStringLiteral("<p><img src='%1' width='%2' height='%3' alt='%4'></p>")
                    .arg(file, QString::number(size.width()), QString::number(size.height()), entry.title);
}

QString styled(const QString& html) {
  return QStringLiteral(
             "<style>h3 { margin-bottom: 2px; } p { margin-top: 2px; } .m { color: %1; }</style>%2")
      .arg(currentTheme()[QStringLiteral("muted")].name(), html);
}

// resources/help/views.json: [{"title": ..., "text": ..., "view": ..., "picture": ...}, ...]; texts may
// contain simple HTML, the last two are optional.
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
  if (!metric.thesis.empty()) facts << HelpPanel::tr("thesis: %1").arg(text(metric.thesis));
  if (!metric.unit.empty()) facts << HelpPanel::tr("unit: %1").arg(text(metric.unit));
  if (metric.range)
    facts << HelpPanel::tr("range: %1 … %2").arg(metric.range->first).arg(metric.range->second);
  facts << HelpPanel::tr("column: <code>%1</code>").arg(text(metric.column));
  html += QStringLiteral("<p class='m'>%1</p>").arg(facts.join(QStringLiteral(" · ")));
  if (!metric.caveat.empty()) html += QStringLiteral("<p><i>%1</i></p>").arg(text(metric.caveat));
  return html;
}

}  // namespace

HelpPanel::HelpPanel(Workers& workers, QWidget* parent)
    : QTextBrowser(parent), m_entries(readEntries()), m_reader(workers, WorkLength::Quick) {
  setAccessibleName(tr("Help"));
  setMinimumWidth(kLeastHelpWidth);
  setObjectName(QStringLiteral("helpText"));
  setFrameShape(QFrame::NoFrame);
  setOpenExternalLinks(false);
  // A scroll bar that appears while entries are added would change the pictures' width and restart it all.
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  m_next.setSingleShot(true);
  connect(&m_next, &QTimer::timeout, this, &HelpPanel::addNext);
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
  if (isVisible() && widthOfPictures() != m_pictureWidth) render();
}

void HelpPanel::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && isVisible()) render();
}

// At the size it is drawn. Its space is known, so that it may be empty until a worker has read it.
QVariant HelpPanel::loadResource(int type, const QUrl& name) {
  if (type != QTextDocument::ImageResource) return QTextBrowser::loadResource(type, name);
  if (const auto read = m_pictures.constFind(name); read != m_pictures.cend()) return *read;
  m_wanted.insert(name);
  QMetaObject::invokeMethod(this, &HelpPanel::readPictures, Qt::QueuedConnection);
  QImage empty(1, 1, QImage::Format_ARGB32_Premultiplied);
  empty.fill(Qt::transparent);
  return empty;
}

// In sequence: layout in steps requests more pictures while some are read.
void HelpPanel::readPictures() {
  if (m_wanted.isEmpty() || m_reader.running()) return;
  m_reader.start(
      [names = std::exchange(m_wanted, {}),
       pixels = static_cast<int>(m_pictureWidth * devicePixelRatioF())](Progress& progress) {
        QHash<QUrl, QImage> pictures;
        for (const QUrl& name : names) {
          progress.throwIfStopped();
          pictures[name] = QImage(QLatin1Char(':') + name.path())
                               .convertToFormat(QImage::Format_ARGB32_Premultiplied)
                               .scaledToWidth(pixels, Qt::SmoothTransformation);
        }
        return pictures;
      },
      [this, width = m_pictureWidth](const JobResult<QHash<QUrl, QImage>>& read) {
        if (read.ok() && width == m_pictureWidth) {
          m_pictures.insert(*read.value);
          for (const auto& [name, picture] : read.value->asKeyValueRange())
            document()->addResource(QTextDocument::ImageResource, name, picture);
          viewport()->update();
        }
        readPictures();
      });
}

int HelpPanel::widthOfPictures() const {
  return std::min(kMaxPicture, viewport()->width() - kMargin);
}

void HelpPanel::render() {
  const int picture = widthOfPictures();
  if (std::exchange(m_pictureWidth, picture) != picture) m_pictures.clear();
  QString first;
  m_rest.clear();
  for (const Entry& entry : m_entries) {
    if (!m_view.isEmpty() && entry.view == m_view)
      first += entryHtml(entry, picture) + QStringLiteral("<hr>");
    else
      m_rest.push_back(&entry);
  }
  if (!m_metric.empty()) first += metricHelp(describeMetric(m_metric)) + QStringLiteral("<hr>");
  setHtml(styled(first));
  addNext();
}

void HelpPanel::addNext() {
  if (m_rest.empty()) return;
  const QString html = styled(entryHtml(*m_rest.front(), m_pictureWidth));
  m_rest.pop_front();
  if (document()->isEmpty()) {
    setHtml(html);
  } else {
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    end.insertBlock(document()->begin().blockFormat());  // inserted HTML keeps the format of a heading
    end.insertHtml(html);
  }
  if (!m_rest.empty()) m_next.start(0);
}

}  // namespace plastiscope

#include "moc_help_panel.cpp"
