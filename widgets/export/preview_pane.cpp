#include "widgets/export/preview_pane.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QSignalBlocker>
#include <cmath>

#include "widgets/export/figure_renderer.h"
#include "widgets/export/form_fields.h"
#include "widgets/state/app_settings.h"

namespace plastiscope {

namespace {
constexpr int kLeastDpi = static_cast<int>(AppSettings::kLeastScreenDpi),
              kMostDpi = static_cast<int>(AppSettings::kMostScreenDpi);
}

PreviewPane::PreviewPane(QWidget* parent)
    : QWidget(parent),
      m_preview(new FigurePreview),
      m_zoom(new QComboBox),
      m_dpi(new QSpinBox),
      m_page(new QCheckBox(tr("Page around it"))),
      m_grey(new QCheckBox(tr("Grey scale"))) {
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_preview);
  scroll->setWidgetResizable(true);
  scroll->setMinimumSize(560, 420);
  for (const int percent : {100, 150, 200, 300})
    m_zoom->addItem(percent == 100 ? tr("true size, 100 %") : tr("%1 %").arg(percent), percent / 100.0);
  m_dpi->setObjectName(QStringLiteral("screenDpi"));
  m_dpi->setRange(kLeastDpi, kMostDpi);
  m_dpi->setPrefix(tr("Screen: "));
  m_dpi->setSuffix(tr(" dpi"));
  m_page->setChecked(true);
  explain(*m_zoom, tr("Zoom"), tr("How large the preview is"));
  explain(*m_dpi, tr("Resolution of the screen"),
          tr("Pixels in an inch of this screen. Correct it until the ruler agrees with a real one; it is "
             "remembered."));
  m_page->setToolTip(tr("Shows the figure on a page of the venue"));
  m_grey->setToolTip(tr("As a printer without colours prints it"));
  setScreenDpi(0);
  auto* bar = new QHBoxLayout;
  bar->addWidget(new QLabel("<b>" + tr("Preview") + "</b>"));
  bar->addWidget(m_zoom);
  bar->addWidget(m_dpi);
  bar->addStretch(1);
  bar->addWidget(m_page);
  bar->addWidget(m_grey);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(bar);
  column->addWidget(scroll, 1);
  for (QCheckBox* box : {m_page, m_grey}) connect(box, &QCheckBox::toggled, this, &PreviewPane::draw);
  connect(m_zoom, &QComboBox::currentIndexChanged, this, &PreviewPane::draw);
  connect(m_dpi, &QSpinBox::valueChanged, this, [this](int dpi) {
    draw();
    Q_EMIT screenDpiChanged(dpi);
  });
}

// Screens that do not know their size tell nonsense; the desktop's logical resolution is the next best.
double PreviewPane::ownDpi() const {
  const double physical = screen() ? screen()->physicalDotsPerInchX() : 0;
  return physical >= kLeastDpi && physical <= kMostDpi ? physical : logicalDpiX();
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

}  // namespace plastiscope
