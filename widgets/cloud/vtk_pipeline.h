#pragma once
// VTK pipeline of the scene, and its camera. Private to widgets/cloud. Independent of a window; needs no
// OpenGL until it is rendered.
#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <vector>

#include "widgets/cloud/scene_3d.h"

class vtkActor;
class vtkPolyData;
class vtkRenderWindow;
class vtkRenderer;

namespace plastiscope {

inline constexpr std::size_t kMovingPoints = 50'000;

class VtkPipeline {
 public:
  VtkPipeline();
  ~VtkPipeline();
  VtkPipeline(const VtkPipeline&) = delete;
  VtkPipeline& operator=(const VtkPipeline&) = delete;

  void attach(vtkRenderWindow& window);

  void setPoints(const CloudLayout& layout, const std::vector<std::uint8_t>& rgb);
  void setSelection(const CloudLayout& layout, const std::vector<std::size_t>& points);
  void setColours(const SceneColours& colours);
  void setPixelRatio(double ratio);  // device pixels per logical pixel

  // Draws an even selection of at most kMovingPoints: for software rendering while the camera moves.
  void setThinned(bool on);
  std::size_t pointsDrawn() const;
  double pointRadius() const;  // logical pixels

  // Camera. Sizes in logical pixels.
  void setPerspective(bool on);
  void resetCamera(double width, double height);  // default direction, zoomed to the box
  void fitCamera(double width, double height);    // current direction, zoomed to the box
  void turn(double rightDegrees, double upDegrees);
  void zoom(double factor);
  SceneView view(double width, double height) const;
  void updateClipping();

 private:
  void sizePoints();
  vtkSmartPointer<vtkActor> makeActor(vtkPolyData* data, vtkRenderer* renderer);

  vtkNew<vtkRenderer> m_points, m_casing, m_selection;  // layers, later ones in front; common camera
  vtkNew<vtkPolyData> m_allData, m_fewData, m_boxData, m_selectedData;
  vtkSmartPointer<vtkActor> m_all, m_few, m_box, m_cased, m_selected;
  std::array<double, 3> m_half{1, 1, 1};
  std::size_t m_count = 0, m_fewCount = 0;
  double m_ratio = 1;
};

}  // namespace plastiscope
