#pragma once
// QOpenGLWidget that holds a VTK render window. Private to widgets/cloud. The packaged VTK widget is for Qt
// 5. OpenGL is used only while the widget's context is current; when the context is destroyed (docking and
// floating create a new one) VTK releases all its resources and creates them again in the next one.
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
  void setSmooth(bool on);                              // multisampling
  bool softwareRendered() const { return m_software; }  // known after the first painting

 Q_SIGNALS:
  void contextMade();
  void resized();
  void moveStarted();  // the user rotates, pans or zooms: few points are drawn
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
  Qt::MouseButton m_button = Qt::NoButton;  // button of the current drag
  bool m_dragged = false, m_software = false, m_ready = false;
  int m_wheelRest = 0;  // unused eighths of a degree
  QTimer m_wheelEnd;
};

}  // namespace plastiscope
