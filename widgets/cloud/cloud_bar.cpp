#include "widgets/cloud/cloud_bar.h"

#include <QComboBox>
#include <QFontMetrics>
#include <QLinearGradient>
#include <QPainter>
#include <QSignalBlocker>
#include <array>

#include "core/base/error.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kRampWidth = 36, kRampHeight = 8, kGap = 6, kBetween = 10;

}  // namespace

RampLegend::RampLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RampLegend::setStyle(const PlotStyle& style) {
  m_style = style;
  updateGeometry();
  update();
}

void RampLegend::setWindow(std::int64_t window) {
  m_window = window;
  updateGeometry();
  update();
}

QString RampLegend::positions() const {
  if (m_window < 1) return {};
  return tr("position 0 \u2026 %1").arg(groupedText(m_window - 1));
}

QSize RampLegend::sizeHint() const {
  const QFontMetrics metrics(m_style.tick);
  const int text = metrics.horizontalAdvance(QStringLiteral("QK") + positions());
  return {text + 2 * (kRampWidth + kGap) + 2 * kBetween, metrics.height() + 4};
}

QSize RampLegend::minimumSizeHint() const {
  const QFontMetrics metrics(m_style.tick);
  return {metrics.horizontalAdvance(QStringLiteral("QK")) + 2 * (kRampWidth + kGap) + kBetween,
          sizeHint().height()};
}

void RampLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(m_style.tick);
  const QFontMetrics metrics(m_style.tick);
  int x = 0;
  const auto write = [&](const QString& text, const QColor& colour) {
    const int textWidth = metrics.horizontalAdvance(text);
    if (x + textWidth > width()) return;
    painter.setPen(colour);
    painter.drawText(QRect(x, 0, textWidth, height()), Qt::AlignVCenter | Qt::TextDontClip, text);
    x += textWidth;
  };
  const auto ramp = [&](const QString& letter, const QColor& colour, const std::array<QColor, 4>& colours) {
    write(letter, colour);
    const QRect box(x + kGap, (height() - kRampHeight) / 2, kRampWidth, kRampHeight);
    QLinearGradient gradient(box.topLeft(), box.topRight());
    for (std::size_t i = 0; i < colours.size(); ++i)
      gradient.setColorAt(static_cast<double>(i) / 3, colours[i]);
    painter.fillRect(box, gradient);
    x = box.right() + 1 + kBetween;
  };
  ramp(QStringLiteral("Q"), m_style.colours.query, m_style.colours.queryRamp);
  ramp(QStringLiteral("K"), m_style.colours.key, m_style.colours.keyRamp);
  write(positions(), m_style.colours.text);
}

CloudBar::CloudBar(QWidget* parent)
    : QWidget(parent),
      m_legend(new RampLegend(this)),
      m_frames(new QComboBox(this)),
      m_perspective(new QToolButton(this)),
      m_reset(new QToolButton(this)) {
  explain(*m_frames, tr("Axes of the cloud"), tr("The three axes of the cloud"));
  m_perspective->setText(tr("Perspective"));
  m_perspective->setCheckable(true);
  m_perspective->setAutoRaise(true);
  m_perspective->setToolTip(tr(
      "Perspective projection: distant points look smaller. Off: orthographic, equal distances look equal."));
  m_reset->setIcon(lineIcon(QStringLiteral("reset")));
  m_reset->setAutoRaise(true);
  explain(*m_reset, tr("Reset view"), tr("Show the whole cloud again (Home)"));

  rowIn(this, {{m_legend, 1}, m_frames, m_perspective, m_reset}, {.margins = {8, 4, 4, 0}, .spacing = 6});

  connect(m_frames, &QComboBox::activated, this,
          [this](int index) { Q_EMIT frameChosen(m_frames->itemData(index).toString()); });
  connect(m_perspective, &QToolButton::toggled, this, &CloudBar::perspectiveChosen);
  connect(m_reset, &QToolButton::clicked, this, &CloudBar::resetWanted);
}

// A narrow panel hides the choices, which are in the context menu too, before the legend.
void CloudBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int others = m_frames->sizeHint().width() + m_reset->sizeHint().width() + 40;
  m_perspective->setVisible(width() >=
                            m_legend->sizeHint().width() + m_perspective->sizeHint().width() + others);
}

void CloudBar::setStyle(const PlotStyle& style) {
  m_legend->setStyle(style);
}

void CloudBar::showData(const CloudData& cloud, std::size_t frame) {
  m_legend->setWindow(cloud.window);
  m_frames->clear();
  for (const CloudFrame& choice : cloud.frames) {
    m_frames->addItem(QString::fromStdString(choice.title), QString::fromStdString(choice.id));
  }
  m_frames->setCurrentIndex(static_cast<int>(frame));
  m_frames->setEnabled(cloud.frames.size() > 1);
}

void CloudBar::showPerspective(bool on) {
  const QSignalBlocker quiet(m_perspective);
  m_perspective->setChecked(on);
}

}  // namespace plastiscope

#include "moc_cloud_bar.cpp"
