// The stage on VTK: scene and host put together, and whether this display can have one.
#include "widgets/cloud/vtk_stage.h"

#include <vtkGenericOpenGLRenderWindow.h>

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>
#include <QVBoxLayout>

#include "widgets/cloud/cloud_view.h"
#include "widgets/cloud/vtk_host.h"

namespace plastiscope {

namespace {

constexpr std::size_t kSmoothPoints =
    20'000;                            // with more of them a processor takes too long for smooth edges
constexpr int kMajor = 3, kMinor = 2;  // OpenGL that VTK needs

}  // namespace

void prepareCloudGraphics() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(kMajor, kMinor);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setSwapBehavior(QSurfaceFormat::DoubleBuffer);
  format.setDepthBufferSize(24);
  format.setSamples(0);
  QSurfaceFormat::setDefaultFormat(format);
}

QString stageProblem() {
  const auto problem = [](const char* sentence) {
    return QCoreApplication::translate("CloudView", sentence);
  };
  QOpenGLContext context;
  if (!context.create()) {
    return problem(
        QT_TRANSLATE_NOOP("CloudView", "The cloud needs OpenGL, which this display does not offer."));
  }
  QOffscreenSurface surface;
  surface.setFormat(context.format());
  surface.create();
  if (!surface.isValid() || !context.makeCurrent(&surface)) {
    return problem(
        QT_TRANSLATE_NOOP("CloudView", "The cloud needs OpenGL, which does not start on this display."));
  }
  const bool enough = context.format().version() >= qMakePair(kMajor, kMinor) && !context.isOpenGLES();
  context.doneCurrent();
  if (enough) return {};
  return problem(QT_TRANSLATE_NOOP("CloudView", "The cloud needs OpenGL 3.2; this display offers less."));
}

CloudStage* makeStage(QWidget* parent) {
  return new VtkStage(parent);
}

VtkStage::VtkStage(QWidget* parent) : CloudStage(parent), m_host(new VtkHost(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_host);
  setFocusProxy(m_host);
  m_scene.attach(m_host->renderWindow());
  m_scene.resetCamera(width(), height());

  connect(m_host, &VtkHost::moveStarted, this, [this] { setMoving(true); });
  connect(m_host, &VtkHost::moveEnded, this, [this] { setMoving(false); });
  connect(m_host, &VtkHost::cameraMoved, this, &VtkStage::cameraChanged);
  connect(m_host, &VtkHost::resetWanted, this, &VtkStage::resetCamera);
  connect(m_host, &VtkHost::turnWanted, this, [this](double right, double up) {
    m_scene.turn(right, up);
    cameraChanged();
  });
  connect(m_host, &VtkHost::zoomWanted, this, [this](double factor) {
    m_scene.zoom(factor);
    cameraChanged();
  });
  connect(m_host, &VtkHost::contextMade, this, &VtkStage::chooseSmoothness);
  connect(m_host, &VtkHost::resized, this, &VtkStage::hostResized);
  connect(m_host, &VtkHost::clicked, this, &VtkStage::clicked);
  connect(m_host, &VtkHost::hovered, this, &VtkStage::hovered);
  connect(m_host, &VtkHost::hoverLeft, this, &VtkStage::hoverLeft);
}

VtkStage::~VtkStage() {
  delete m_host;  // releases VTK's OpenGL parts while the scene still lives
}

void VtkStage::setPoints(std::shared_ptr<const CloudLayout> layout, const std::vector<std::uint8_t>& rgb) {
  m_layout = std::move(layout);
  m_scene.setPoints(*m_layout, rgb);
  chooseSmoothness();
  changed();
}

void VtkStage::setSelection(const std::vector<std::size_t>& points) {
  if (m_layout == nullptr) return;
  m_scene.setSelection(*m_layout, points);
  m_host->update();
}

void VtkStage::setColours(const StageColours& colours) {
  m_scene.setColours(colours);
  m_host->update();
}

void VtkStage::setPerspective(bool on) {
  m_scene.setPerspective(on);
  if (!m_cameraTouched) m_scene.fitCamera(width(), height());
  changed();
}

void VtkStage::fitCamera() {
  m_cameraTouched = false;
  m_scene.fitCamera(width(), height());
  changed();
}

void VtkStage::resetCamera() {
  m_cameraTouched = false;
  m_scene.resetCamera(width(), height());
  changed();
}

SceneView VtkStage::view() const {
  return m_scene.view(width(), height());
}

double VtkStage::pointRadius() const {
  return m_scene.pointRadius();
}

std::size_t VtkStage::pointsDrawn() const {
  return m_scene.pointsDrawn();
}

QImage VtkStage::picture() {
  return m_host->grabFramebuffer();
}

void VtkStage::cameraChanged() {
  m_cameraTouched = true;
  changed();
}

void VtkStage::hostResized() {
  m_scene.setPixelRatio(m_host->devicePixelRatioF());
  if (!m_cameraTouched) m_scene.fitCamera(width(), height());
  changed();
}

void VtkStage::setMoving(bool moving) {
  m_scene.setThinned(moving && m_host->softwareRendered());
  changed();
}

void VtkStage::chooseSmoothness() {
  const std::size_t points = m_layout == nullptr ? 0 : m_layout->points();
  m_host->setSmooth(!m_host->softwareRendered() || points <= kSmoothPoints);
}

void VtkStage::changed() {
  m_host->update();
  Q_EMIT viewChanged();
}

}  // namespace plastiscope
