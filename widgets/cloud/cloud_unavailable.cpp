// Replacement for builds without VTK: there is no 3-D scene, and the view shows a message.
#include <QCoreApplication>

#include "widgets/cloud/scene_3d.h"

namespace plastiscope {

void prepareCloudGraphics() {}  // no OpenGL is used

QString scene3dProblem() {
  return QCoreApplication::translate("CloudView",
                                     "The cloud needs VTK, but this program was built without VTK.");
}

Scene3d* makeScene3d(QWidget* /*parent*/) {
  return nullptr;
}

}  // namespace plastiscope
