// 3-D scene with VTK: combines pipeline and host, and checks whether this display supports it.
#include <vtkGenericOpenGLRenderWindow.h>

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>
#include <QVBoxLayout>

#include "widgets/cloud/scene_3d.h"
#include "widgets/cloud/vtk_host.h"
#include "widgets/cloud/vtk_pipeline.h"

namespace plastiscope {

namespace {

constexpr std::size_t kSmoothPoints = 20'000;  // with more points antialiasing is too slow on a processor
constexpr int kMajor = 3, kMinor = 2;          // OpenGL version required by VTK

class VtkScene3d : public Scene3d {
 public:
  explicit VtkScene3d(QWidget* parent = nullptr) : Scene3d(parent), m_host(new VtkHost(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_host);
    setFocusProxy(m_host);
    m_pipeline.attach(m_host->renderWindow());
    m_pipeline.resetCamera(width(), height());

    connect(m_host, &VtkHost::moveStarted, this, [this] { setMoving(true); });
    connect(m_host, &VtkHost::moveEnded, this, [this] { setMoving(false); });
    connect(m_host, &VtkHost::cameraMoved, this, &VtkScene3d::cameraChanged);
    connect(m_host, &VtkHost::resetWanted, this, &VtkScene3d::resetCamera);
    connect(m_host, &VtkHost::turnWanted, this, [this](double right, double up) {
      m_pipeline.turn(right, up);
      cameraChanged();
    });
    connect(m_host, &VtkHost::zoomWanted, this, [this](double factor) {
      m_pipeline.zoom(factor);
      cameraChanged();
    });
    connect(m_host, &VtkHost::contextMade, this, &VtkScene3d::chooseSmoothness);
    connect(m_host, &VtkHost::resized, this, &VtkScene3d::hostResized);
    connect(m_host, &VtkHost::clicked, this, &VtkScene3d::clicked);
    connect(m_host, &VtkHost::hovered, this, &VtkScene3d::hovered);
    connect(m_host, &VtkHost::hoverLeft, this, &VtkScene3d::hoverLeft);
  }

  ~VtkScene3d() override {
    delete m_host;  // releases VTK's OpenGL resources while the scene exists
  }

  void setPoints(std::shared_ptr<const CloudLayout> layout, const std::vector<std::uint8_t>& rgb) override {
    m_layout = std::move(layout);
    m_pipeline.setPoints(*m_layout, rgb);
    chooseSmoothness();
    changed();
  }

  void setSelection(const std::vector<std::size_t>& points) override {
    if (m_layout == nullptr) return;
    m_pipeline.setSelection(*m_layout, points);
    m_host->update();
  }

  void setColours(const SceneColours& colours) override {
    m_pipeline.setColours(colours);
    m_host->update();
  }

  void setPerspective(bool on) override {
    m_pipeline.setPerspective(on);
    if (!m_cameraTouched) m_pipeline.fitCamera(width(), height());
    changed();
  }

  void fitCamera() override {
    m_cameraTouched = false;
    m_pipeline.fitCamera(width(), height());
    changed();
  }

  void resetCamera() override {
    m_cameraTouched = false;
    m_pipeline.resetCamera(width(), height());
    changed();
  }

  SceneView view() const override { return m_pipeline.view(width(), height()); }
  double pointRadius() const override { return m_pipeline.pointRadius(); }
  std::size_t pointsDrawn() const override { return m_pipeline.pointsDrawn(); }
  QImage picture() override { return m_host->grabFramebuffer(); }

 private:
  // By the user.
  void cameraChanged() {
    m_cameraTouched = true;
    changed();
  }

  void hostResized() {
    m_pipeline.setPixelRatio(m_host->devicePixelRatioF());
    if (!m_cameraTouched) m_pipeline.fitCamera(width(), height());
    changed();
  }

  void setMoving(bool moving) {
    m_pipeline.setThinned(moving && m_host->softwareRendered());
    changed();
  }

  void chooseSmoothness() {
    const std::size_t points = m_layout == nullptr ? 0 : m_layout->points();
    m_host->setSmooth(!m_host->softwareRendered() || points <= kSmoothPoints);
  }

  void changed() {
    m_host->update();
    Q_EMIT viewChanged();
  }

  VtkPipeline m_pipeline;
  VtkHost* m_host;
  std::shared_ptr<const CloudLayout> m_layout;
  bool m_cameraTouched = false;  // a resize then keeps the view
};

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

QString scene3dProblem() {
  const auto problem = [](const char* sentence) {
    return QCoreApplication::translate("CloudView", sentence);
  };
  QOpenGLContext context;
  if (!context.create()) {
    return problem(
        QT_TRANSLATE_NOOP("CloudView", "The cloud needs OpenGL, which this display does not have."));
  }
  QOffscreenSurface surface;
  surface.setFormat(context.format());
  surface.create();
  if (!surface.isValid() || !context.makeCurrent(&surface)) {
    return problem(
        QT_TRANSLATE_NOOP("CloudView", "The cloud needs OpenGL, which cannot be started on this display."));
  }
  const bool enough = context.format().version() >= qMakePair(kMajor, kMinor) && !context.isOpenGLES();
  context.doneCurrent();
  if (enough) return {};
  return problem(QT_TRANSLATE_NOOP("CloudView", "The cloud needs OpenGL 3.2; this display offers less."));
}

Scene3d* makeScene3d(QWidget* parent) {
  return new VtkScene3d(parent);
}

}  // namespace plastiscope
