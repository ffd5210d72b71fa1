#pragma once
// Inside widgets/cloud only: the stage on VTK.
#include <memory>
#include <vector>

#include "widgets/cloud/cloud_stage.h"
#include "widgets/cloud/vtk_scene.h"

namespace plastiscope {

class VtkHost;

class VtkStage : public CloudStage {
  Q_OBJECT
 public:
  explicit VtkStage(QWidget* parent = nullptr);
  ~VtkStage() override;

  void setPoints(std::shared_ptr<const CloudLayout> layout, const std::vector<std::uint8_t>& rgb) override;
  void setSelection(const std::vector<std::size_t>& points) override;
  void setColours(const StageColours& colours) override;
  void setPerspective(bool on) override;
  void resetCamera() override;
  void fitCamera() override;
  SceneView view() const override;
  double pointRadius() const override;
  std::size_t pointsDrawn() const override;
  QImage picture() override;

 private:
  void cameraChanged();  // by the user
  void hostResized();
  void setMoving(bool moving);
  void chooseSmoothness();
  void changed();

  VtkScene m_scene;
  VtkHost* m_host;
  std::shared_ptr<const CloudLayout> m_layout;
  bool m_cameraTouched = false;  // then a resize keeps what the user sees
};

}  // namespace plastiscope
