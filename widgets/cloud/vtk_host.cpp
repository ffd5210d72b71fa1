#include "widgets/cloud/vtk_host.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkInteractorStyleTrackballCamera.h>

#include <QApplication>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <array>
#include <cmath>
#include <cstring>

namespace plastiscope {

namespace {

constexpr double kTurnStep = 5, kZoomStep = 1.15;  // degrees and factor of one key press
constexpr int kSamples = 4;                        // samples per pixel with multisampling
constexpr int kWheelEndMs = 200;                   // pause that ends a wheel movement
constexpr int kWheelNotch = 120;                   // eighths of a degree

struct TurnKey {
  int key;
  double right, up;
};
constexpr std::array<TurnKey, 4> kTurnKeys = {{{Qt::Key_Left, kTurnStep, 0},
                                               {Qt::Key_Right, -kTurnStep, 0},
                                               {Qt::Key_Up, 0, -kTurnStep},
                                               {Qt::Key_Down, 0, kTurnStep}}};

struct ZoomKey {
  int key;
  double factor;
};
constexpr std::array<ZoomKey, 3> kZoomKeys = {
    {{Qt::Key_Plus, kZoomStep}, {Qt::Key_Equal, kZoomStep}, {Qt::Key_Minus, 1 / kZoomStep}}};

// Buttons as defined by the style: left rotates, middle (or Shift and left) pans, Ctrl and left rolls.
struct ButtonEvents {
  Qt::MouseButton button;
  unsigned long pressed, released;
};
constexpr std::array<ButtonEvents, 2> kButtons = {
    {{Qt::LeftButton, vtkCommand::LeftButtonPressEvent, vtkCommand::LeftButtonReleaseEvent},
     {Qt::MiddleButton, vtkCommand::MiddleButtonPressEvent, vtkCommand::MiddleButtonReleaseEvent}}};

// Parts of GL_RENDERER that identify software rendering.
constexpr std::array<const char*, 4> kSoftwareRenderers = {"llvmpipe", "softpipe", "SwiftShader", "Software"};

bool isSoftware(QOpenGLFunctions& gl) {
  const auto* name = reinterpret_cast<const char*>(gl.glGetString(GL_RENDERER));
  if (name == nullptr) return false;
  for (const char* part : kSoftwareRenderers) {
    if (std::strstr(name, part) != nullptr) return true;
  }
  return false;
}

}  // namespace

VtkHost::VtkHost(QWidget* parent) : QOpenGLWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setContextMenuPolicy(Qt::NoContextMenu);  // handled by the view
  m_wheelEnd.setSingleShot(true);
  m_wheelEnd.setInterval(kWheelEndMs);
  connect(&m_wheelEnd, &QTimer::timeout, this, &VtkHost::moveEnded);

  m_window->SetReadyForRendering(false);  // until there is a context
  m_window->SetOwnContext(false);
  m_window->SetFrameBlitModeToNoBlit();
  observe(m_window, vtkCommand::WindowMakeCurrentEvent, [this](void*) {
    // Not the widget's makeCurrent(): it would bind the widget's framebuffer during VTK's rendering.
    if (m_ready && QOpenGLContext::currentContext() != context()) context()->makeCurrent(m_surface);
  });
  observe(m_window, vtkCommand::WindowIsCurrentEvent, [this](void* answer) {
    *static_cast<bool*>(answer) = context() != nullptr && QOpenGLContext::currentContext() == context();
  });

  vtkNew<vtkInteractorStyleTrackballCamera> style;
  m_interactor->EnableRenderOff();  // Qt decides when to paint
  m_interactor->SetRenderWindow(m_window);
  m_interactor->SetInteractorStyle(style);
  m_interactor->Initialize();
  observe(m_interactor, vtkCommand::RenderEvent, [this](void*) { Q_EMIT cameraMoved(); });
}

VtkHost::~VtkHost() {
  disconnect(m_contextEnd);
  releaseContext();
  m_window->RemoveAllObservers();
  m_interactor->RemoveAllObservers();
}

void VtkHost::observe(vtkObject* subject, unsigned long event, std::function<void(void*)> action) {
  m_actions.push_back(std::make_unique<std::function<void(void*)>>(std::move(action)));
  vtkNew<vtkCallbackCommand> command;
  command->SetClientData(m_actions.back().get());
  command->SetCallback([](vtkObject*, unsigned long, void* client, void* answer) {
    (*static_cast<std::function<void(void*)>*>(client))(answer);
  });
  subject->AddObserver(event, command);
}

void VtkHost::setSmooth(bool on) {
  m_window->SetMultiSamples(on ? kSamples : 0);
}

void VtkHost::initializeGL() {
  m_contextEnd = connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &VtkHost::releaseContext,
                         Qt::DirectConnection);
  m_software = isSoftware(*context()->functions());
  m_surface = context()->surface();
  m_ready = true;
  m_window->SetMapped(true);
  m_window->SetIsDirect(true);
  m_window->SetSupportsOpenGL(1);
  m_window->SetForceMaximumHardwareLineWidth(1);
  m_window->SetReadyForRendering(true);
  m_window->OpenGLInit();
  Q_EMIT contextMade();
}

void VtkHost::releaseContext() {
  if (!m_ready) return;
  m_ready = false;
  makeCurrent();
  m_window->Finalize();
  m_window->SetReadyForRendering(false);
  doneCurrent();
}

void VtkHost::resizeGL(int width, int height) {
  const double ratio = devicePixelRatioF();
  const int deviceWidth = qRound(width * ratio), deviceHeight = qRound(height * ratio);
  m_window->SetSize(deviceWidth, deviceHeight);
  m_interactor->SetSize(deviceWidth, deviceHeight);
  Q_EMIT resized();
}

void VtkHost::paintGL() {
  if (!m_ready) return;
  m_window->Render();
  // VTK rendered into its own framebuffer and left it bound.
  QOpenGLFunctions& gl = *context()->functions();
  gl.glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  gl.glDisable(GL_SCISSOR_TEST);
  m_window->BlitDisplayFramebuffer();
  // Layers leave gaps in the alpha channel that would show the window behind.
  gl.glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  gl.glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  gl.glClearColor(0, 0, 0, 1);
  gl.glClear(GL_COLOR_BUFFER_BIT);
  gl.glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void VtkHost::tellPosition(const QPointF& place, Qt::KeyboardModifiers modifiers) {
  const double ratio = devicePixelRatioF();
  m_interactor->SetEventInformationFlipY(qRound(place.x() * ratio), qRound(place.y() * ratio),
                                         modifiers.testFlag(Qt::ControlModifier) ? 1 : 0,
                                         modifiers.testFlag(Qt::ShiftModifier) ? 1 : 0);
}

void VtkHost::sendButton(Qt::MouseButton button, bool pressed) {
  for (const ButtonEvents& events : kButtons) {
    if (events.button == button) m_interactor->InvokeEvent(pressed ? events.pressed : events.released);
  }
}

void VtkHost::mousePressEvent(QMouseEvent* event) {
  if (m_button != Qt::NoButton ||
      (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)) {
    event->ignore();
    return;
  }
  m_button = event->button();
  m_pressedAt = event->position();
  m_dragged = false;
  tellPosition(event->position(), event->modifiers());
  sendButton(m_button, true);
}

void VtkHost::mouseMoveEvent(QMouseEvent* event) {
  if (m_button == Qt::NoButton) {
    Q_EMIT hovered(event->position());
    return;
  }
  if (!m_dragged) {
    const QPointF way = event->position() - m_pressedAt;
    if (std::abs(way.x()) + std::abs(way.y()) < QApplication::startDragDistance() / 2.0) return;
    m_dragged = true;
    Q_EMIT hoverLeft();
    Q_EMIT moveStarted();
  }
  tellPosition(event->position(), event->modifiers());
  m_interactor->InvokeEvent(vtkCommand::MouseMoveEvent);
}

void VtkHost::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != m_button || m_button == Qt::NoButton) {
    event->ignore();
    return;
  }
  tellPosition(event->position(), event->modifiers());
  sendButton(m_button, false);
  m_button = Qt::NoButton;
  if (m_dragged) {
    Q_EMIT moveEnded();
  } else if (event->button() == Qt::LeftButton) {
    Q_EMIT clicked(event->position());
  }
}

void VtkHost::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT resetWanted();
}

void VtkHost::wheelEvent(QWheelEvent* event) {
  m_wheelRest += event->angleDelta().y();
  const int notches = m_wheelRest / kWheelNotch;
  event->accept();
  if (notches == 0) return;
  m_wheelRest -= notches * kWheelNotch;
  if (!m_wheelEnd.isActive()) {
    Q_EMIT hoverLeft();
    Q_EMIT moveStarted();
  }
  m_wheelEnd.start();
  Q_EMIT zoomWanted(std::pow(kZoomStep, notches));
}

void VtkHost::keyPressEvent(QKeyEvent* event) {
  for (const TurnKey& turn : kTurnKeys) {
    if (event->key() == turn.key) return Q_EMIT turnWanted(turn.right, turn.up);
  }
  for (const ZoomKey& zoom : kZoomKeys) {
    if (event->key() == zoom.key) return Q_EMIT zoomWanted(zoom.factor);
  }
  if (event->key() == Qt::Key_Home) return Q_EMIT resetWanted();
  QOpenGLWidget::keyPressEvent(event);
}

void VtkHost::leaveEvent(QEvent* event) {
  QOpenGLWidget::leaveEvent(event);
  Q_EMIT hoverLeft();
}

}  // namespace plastiscope

#include "moc_vtk_host.cpp"
