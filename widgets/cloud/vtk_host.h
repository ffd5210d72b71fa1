#pragma once
// Inside widgets/cloud only: a QOpenGLWidget that holds a VTK render window. The packaged VTK widget is for
// Qt 5, so this is our own. OpenGL is touched only while the widget's context is current; when that context
// goes (docking and floating make a new one) VTK releases everything it had there and builds it again in the
// next.
#include <vtkNew.h>

#include <QOpenGLWidget>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

class QSurface;
class vtkGenericOpenGLRenderWindow;
class vtkGenericRenderWindowInteractor;
class vtkObject;

namespace plastiscope {

class VtkHost : public QOpenGLWidget {
  Q_OBJECT
 public:
  explicit VtkHost(QWidget* parent = nullptr);
  ~VtkHost() override;

  vtkGenericOpenGLRenderWindow& renderWindow() { return *m_window; }
  void setSmooth(bool on);                              // several samples a pixel
  bool softwareRendered() const { return m_software; }  // known after the first painting

 Q_SIGNALS:
  void contextMade();
  void resized();
  void moveStarted();  // the user turns, shifts or zooms: a moment in which few points must do
  void moveEnded();
  void cameraMoved();
  void resetWanted();
  void turnWanted(double rightDegrees, double upDegrees);
  void zoomWanted(double factor);
  void clicked(const QPointF& place);
  void hovered(const QPointF& place);
  void hoverLeft();

 protected:
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void releaseContext();
  void observe(vtkObject* subject, unsigned long event, std::function<void(void*)> action);
  void tellPosition(const QPointF& place, Qt::KeyboardModifiers modifiers);
  void sendButton(Qt::MouseButton button, bool pressed);

  vtkNew<vtkGenericOpenGLRenderWindow> m_window;
  vtkNew<vtkGenericRenderWindowInteractor> m_interactor;
  std::vector<std::unique_ptr<std::function<void(void*)>>> m_actions;
  QMetaObject::Connection m_contextEnd;
  QSurface* m_surface = nullptr;  // of the context
  QPointF m_pressedAt;
  Qt::MouseButton m_button = Qt::NoButton;  // that drags
  bool m_dragged = false, m_software = false, m_ready = false;
  int m_wheelRest = 0;  // eighths of a degree not yet used
  QTimer m_wheelEnd;
};

}  // namespace plastiscope
