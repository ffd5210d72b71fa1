// The stage of a build without VTK: there is none, and the view says so.
#include <QCoreApplication>

#include "widgets/cloud/cloud_stage.h"
#include "widgets/cloud/cloud_view.h"

namespace plastiscope {

void prepareCloudGraphics() {}  // nothing here draws with OpenGL

QString stageProblem() {
  return QCoreApplication::translate("CloudView",
                                     "The cloud needs VTK, and this program was built without VTK.");
}

CloudStage* makeStage(QWidget* /*parent*/) {
  return nullptr;
}

}  // namespace plastiscope
