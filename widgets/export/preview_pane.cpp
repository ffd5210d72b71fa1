#include "widgets/export/preview_pane.h"

#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QScrollArea>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "widgets/export/figure_renderer.h"
#include "widgets/state/app_settings.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {
constexpr int kLeastDpi = static_cast<int>(AppSettings::kLeastScreenDpi),
              kMaxDpi = static_cast<int>(AppSettings::kMaxScreenDpi);
}

PreviewPane::PreviewPane(QWidget* parent)
    : QWidget(parent),
      m_preview(new FigurePreview),
      m_zoom(new QComboBox),
      m_dpi(new QSpinBox),
      m_page(new QCheckBox(tr("Show the page"))),
      m_grey(new QCheckBox(tr("Grey scale"))) {
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_preview);
  scroll->setWidgetResizable(true);
  scroll->setMinimumSize(560, 420);
  for (const int percent : {100, 150, 200, 300})
    m_zoom->addItem(percent == 100 ? tr("true size, 100 %") : tr("%1 %").arg(percent), percent / 100.0);
  m_dpi->setObjectName(QStringLiteral("screenDpi"));
  m_dpi->setRange(kLeastDpi, kMaxDpi);
  m_dpi->setPrefix(tr("Screen: "));
  m_dpi->setSuffix(tr(" dpi"));
  m_page->setChecked(true);
  explain(*m_zoom, tr("Zoom"), tr("Size of the preview"));
  explain(*m_dpi, tr("Resolution of the screen"),
          tr("Pixels in an inch of this screen. Correct it until the ruler agrees with a real one; it is "
             "remembered."));
  m_page->setToolTip(tr("Shows the figure on a page of the venue"));
  m_grey->setToolTip(tr("Shows the figure as a black-and-white printer prints it"));
  setScreenDpi(0);
  auto* bar = rowOf({new QLabel("<b>" + tr("Preview") + "</b>"), m_zoom, m_dpi, Stretch(), m_page, m_grey});
  columnIn(this, {bar, {scroll, 1}}, {.margins = {}});
  for (QCheckBox* box : {m_page, m_grey}) connect(box, &QCheckBox::toggled, this, &PreviewPane::draw);
  connect(m_zoom, &QComboBox::currentIndexChanged, this, &PreviewPane::draw);
  connect(m_dpi, &QSpinBox::valueChanged, this, [this](int dpi) {
    draw();
    Q_EMIT screenDpiChanged(dpi);
  });
}

// Screens of unknown size report wrong values; the desktop's logical resolution is the fallback.
double PreviewPane::ownDpi() const {
  const double physical = screen() ? screen()->physicalDotsPerInchX() : 0;
  return physical >= kLeastDpi && physical <= kMaxDpi ? physical : logicalDpiX();
}

void PreviewPane::setScreenDpi(double dpi) {
  const QSignalBlocker quiet(m_dpi);
  m_dpi->setValue(static_cast<int>(std::lround(dpi > 0 ? dpi : ownDpi())));
  draw();
}

void PreviewPane::show(const FigureSpec& spec, bool millimetres,
                       std::shared_ptr<const PreparedFigure> figure) {
  m_spec = spec;
  m_millimetres = millimetres;
  m_figure = std::move(figure);
  draw();
}

void PreviewPane::draw() {
  const FigureSize size = resolveSize(m_spec);
  PreviewSettings settings;
  settings.widthInches = size.widthInches;
  settings.heightInches = size.heightInches;
  settings.textInches = venuePreset(m_spec.preset).textInches;
  settings.dpi = m_dpi->value();
  settings.zoom = m_zoom->currentData().toDouble();
  settings.page = m_page->isChecked();
  settings.grey = m_grey->isChecked();
  settings.millimetres = m_millimetres;
  m_preview->setSettings(settings);
  m_preview->setPicture(
      m_figure ? renderPreview(m_figure->content, m_figure->spec, m_preview->dpi()) : QImage(),
      tr("No picture"));
}

// ---- figure preview

namespace {

constexpr int kRuler = 22;        // pixels
constexpr double kMargin = 0.35;  // inches of paper around the text
constexpr double kLead = 1.0;     // inches of lines above the figure, caption and lines below
constexpr double kCaption = 0.45;
constexpr double kMaxPixels = 8e6;  // maximum pixels of an image

}  // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FigurePreview::setSettings(const PreviewSettings& settings) {
  m_settings = settings;
  setMinimumSize(sizeHint());
  updateGeometry();
  update();
}

void FigurePreview::setPicture(const QImage& picture, const QString& message) {
  m_picture =
      m_settings.grey && !picture.isNull() ? picture.convertToFormat(QImage::Format_Grayscale8) : picture;
  m_message = message;
  update();
}

double FigurePreview::dpi() const {
  const double most = std::sqrt(kMaxPixels / (m_settings.widthInches * m_settings.heightInches));
  return std::min(m_settings.dpi * m_settings.zoom * devicePixelRatioF(), most);
}

QSize FigurePreview::sizeHint() const {
  const double text = std::max(m_settings.textInches, m_settings.widthInches);
  const double wide = m_settings.page ? text + 2 * kMargin : m_settings.widthInches + 0.3;
  const double high =
      m_settings.page ? m_settings.heightInches + 2 * kLead + kCaption : m_settings.heightInches + 0.3;
  return {kRuler + static_cast<int>(std::ceil(pixels(wide))),
          kRuler + static_cast<int>(std::ceil(pixels(high)))};
}

QRectF FigurePreview::pageRect() const {
  const QSizeF need = sizeHint() - QSize(kRuler, kRuler);
  const double left = kRuler + std::max(0.0, (width() - kRuler - need.width()) / 2);
  return {std::round(left), static_cast<double>(kRuler), need.width(),
          std::max<double>(height() - kRuler, need.height())};
}

QRectF FigurePreview::figureRect() const {
  const QRectF page = pageRect();
  const double inset = m_settings.page ? kMargin : 0.15, top = m_settings.page ? kLead : 0.15;
  return {std::round(page.left() + pixels(inset)), std::round(page.top() + pixels(top)),
          pixels(m_settings.widthInches), pixels(m_settings.heightInches)};
}

void FigurePreview::drawPage(QPainter& painter) const {
  const QRectF page = pageRect(), figure = figureRect();
  painter.fillRect(page, Qt::white);
  if (!m_settings.page) return;
  const double text = pixels(m_settings.textInches), step = pixels(14.0 / 72),
               thick = std::max(2.0, pixels(4.0 / 72));
  const QColor grey("#dcdee0");
  const auto line = [&](double y, double share) {
    painter.fillRect(QRectF(figure.left(), y, text * share, thick), grey);
  };
  int index = 0;
  for (double y = figure.top() - pixels(0.25); y > page.top() + step / 2; y -= step)
    line(y, index++ == 0 ? 0.62 : 1);
  // Lines of the caption, then of the text.
  const double caption = figure.bottom() + pixels(0.12);
  painter.fillRect(QRectF(figure.left(), caption, text * 0.94, thick), QColor("#b9bdc1"));
  painter.fillRect(QRectF(figure.left(), caption + step * 0.9, text * 0.4, thick), QColor("#b9bdc1"));
  for (double y = figure.bottom() + pixels(kCaption + 0.15); y < page.bottom() - step / 2; y += step)
    line(y, 1);
}

void FigurePreview::drawRuler(QPainter& painter, Qt::Orientation orientation) const {
  const bool across = orientation == Qt::Horizontal;
  const QRectF figure = figureRect();
  const QRectF bar = across ? QRectF(0, 0, width(), kRuler) : QRectF(0, 0, kRuler, height());
  painter.fillRect(bar, palette().color(QPalette::Window));
  QFont font = this->font();
  font.setPixelSize(10);
  painter.setFont(font);
  painter.setPen(palette().color(QPalette::PlaceholderText));
  const double step = m_settings.millimetres ? pixels(1 / 25.4) : pixels(1.0 / 8);
  const int major = m_settings.millimetres ? 10 : 8, middle = m_settings.millimetres ? 5 : 4;
  const double origin = across ? figure.left() : figure.top(), end = across ? width() : height();
  for (int i = -static_cast<int>(origin / step); origin + i * step < end; ++i) {
    const double at = std::round(origin + i * step) + 0.5;
    if (at < kRuler) continue;
    const double length = i % major == 0 ? 9 : i % middle == 0 ? 6 : 3;
    painter.drawLine(across ? QLineF(at, kRuler - length, at, kRuler)
                            : QLineF(kRuler - length, at, kRuler, at));
    if (i % major != 0 || i < 0) continue;
    const QString text = QString::number(m_settings.millimetres ? i : i / major);
    painter.drawText(across ? QRectF(at + 2, 0, 40, 13) : QRectF(0, at + 1, kRuler - 10, 12),
                     across ? Qt::AlignLeft : Qt::AlignRight, text);
  }
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawLine(across ? QLineF(0, kRuler - 0.5, width(), kRuler - 0.5)
                          : QLineF(kRuler - 0.5, 0, kRuler - 0.5, height()));
}

void FigurePreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Window));
  drawPage(painter);
  const QRectF figure = figureRect();
  if (m_picture.isNull()) {
    painter.setPen(QColor("#5f666b"));
    painter.drawText(figure, Qt::AlignCenter | Qt::TextWordWrap, m_message);
  } else {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(figure, m_picture);
  }
  painter.setPen(QPen(QColor("#3daee9"), 1, Qt::DashLine));
  painter.drawRect(figure.adjusted(-1.5, -1.5, 0.5, 0.5));
  drawRuler(painter, Qt::Vertical);
  drawRuler(painter, Qt::Horizontal);
  painter.fillRect(QRect(0, 0, kRuler, kRuler), palette().color(QPalette::Window));
}

}  // namespace plastiscope

#include "moc_preview_pane.cpp"
