#include "widgets/cloud/vtk_pipeline.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkMath.h>
#include <vtkMatrix4x4.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr double kViewAngle = 30;                  // degrees, perspective
constexpr double kTurnRight = 28, kLookDown = 20;  // degrees, the default direction
constexpr double kMarginX = 52, kMarginY = 34;     // logical pixels kept free for labels around the box

constexpr double kRoundFrom = 2.3;  // device pixels

// Size in logical pixels by number of points: fewer points are larger.
struct PointSize {
  std::size_t upTo;
  double pixels;
};
constexpr std::array<PointSize, 5> kPointSizes = {
    {{2'000, 3.8}, {10'000, 3.2}, {50'000, 2.6}, {200'000, 2.2}, {static_cast<std::size_t>(-1), 1.7}}};

double pointSize(std::size_t count) {
  for (const PointSize& size : kPointSizes) {
    if (count <= size.upTo) return size.pixels;
  }
  return kPointSizes.back().pixels;
}

void setColour(vtkActor& actor, const QColor& colour) {
  actor.GetProperty()->SetColor(colour.redF(), colour.greenF(), colour.blueF());
}

// The points `chosen` of the layout as vertices; with colours unless `rgb` is empty.
void fill(vtkPolyData& data, const CloudLayout& layout, const std::vector<std::size_t>& chosen,
          const std::vector<std::uint8_t>& rgb) {
  const auto count = static_cast<vtkIdType>(chosen.size());
  vtkNew<vtkFloatArray> xyz;
  xyz->SetNumberOfComponents(3);
  xyz->SetNumberOfTuples(count);
  vtkNew<vtkUnsignedCharArray> colours;
  colours->SetNumberOfComponents(3);
  colours->SetNumberOfTuples(rgb.empty() ? 0 : count);
  float* place = xyz->GetPointer(0);
  unsigned char* colour = rgb.empty() ? nullptr : colours->GetPointer(0);
  for (const std::size_t i : chosen) {
    place = std::copy_n(layout.xyz.data() + 3 * i, 3, place);
    if (colour != nullptr) colour = std::copy_n(rgb.data() + 3 * i, 3, colour);
  }
  vtkNew<vtkPoints> points;
  points->SetData(xyz);
  vtkNew<vtkCellArray> vertices;
  vertices->AllocateExact(count, count);
  for (vtkIdType i = 0; i < count; ++i) vertices->InsertNextCell(1, &i);
  data.Initialize();
  data.SetPoints(points);
  data.SetVerts(vertices);
  if (colour != nullptr) data.GetPointData()->SetScalars(colours);
}

// `wanted` indices of 0 .. count - 1, evenly spaced.
std::vector<std::size_t> evenly(std::size_t count, std::size_t wanted) {
  std::vector<std::size_t> chosen(wanted);
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i * count / chosen.size();
  return chosen;
}

ScenePoint corner(const std::array<double, 3>& half, unsigned bits) {
  return {bits & 1 ? half[0] : -half[0], bits & 2 ? half[1] : -half[1], bits & 4 ? half[2] : -half[2]};
}

// The twelve edges of the box.
void fillBox(vtkPolyData& data, const std::array<double, 3>& half) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> lines;
  for (unsigned bits = 0; bits < 8; ++bits) {
    points->InsertNextPoint(corner(half, bits).data());
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (bits & (1U << axis)) continue;
      const std::array<vtkIdType, 2> ends = {bits, bits | (1U << axis)};
      lines->InsertNextCell(2, ends.data());
    }
  }
  data.Initialize();
  data.SetPoints(points);
  data.SetLines(lines);
}

}  // namespace

VtkPipeline::VtkPipeline() {
  int layer = 0;
  for (vtkRenderer* renderer : {m_points.Get(), m_casing.Get(), m_selection.Get()}) {
    renderer->SetLayer(layer);
    renderer->SetInteractive(layer ==
                             0);  // the interactor style moves the first one's camera, which all share
    renderer->SetActiveCamera(m_points->GetActiveCamera());
    ++layer;
  }
  m_all = makeActor(m_allData, m_points);
  m_few = makeActor(m_fewData, m_points);
  m_box = makeActor(m_boxData, m_points);
  m_cased = makeActor(m_selectedData, m_casing);
  m_selected = makeActor(m_selectedData, m_selection);
  m_few->VisibilityOff();
  m_points->GetActiveCamera()->SetViewAngle(kViewAngle);
  m_points->GetActiveCamera()->ParallelProjectionOn();
  fillBox(*m_boxData, m_half);
  sizePoints();
}

VtkPipeline::~VtkPipeline() = default;

vtkSmartPointer<vtkActor> VtkPipeline::makeActor(vtkPolyData* data, vtkRenderer* renderer) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(data);
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->PickableOff();
  actor->GetProperty()->LightingOff();
  renderer->AddActor(actor);
  return actor;
}

void VtkPipeline::attach(vtkRenderWindow& window) {
  window.SetNumberOfLayers(3);
  for (vtkRenderer* renderer : {m_points.Get(), m_casing.Get(), m_selection.Get()})
    window.AddRenderer(renderer);
}

void VtkPipeline::setPoints(const CloudLayout& layout, const std::vector<std::uint8_t>& rgb) {
  m_count = layout.points();
  fill(*m_allData, layout, evenly(m_count, m_count), rgb);
  for (std::size_t i = 0; i < 3; ++i) m_half[i] = layout.axes[i].half;
  fillBox(*m_boxData, m_half);
  fill(*m_selectedData, layout, {}, {});
  m_fewCount = std::min(m_count, kMovingPoints);
  fill(*m_fewData, layout, evenly(m_count, m_fewCount < m_count ? m_fewCount : 0), rgb);
  setThinned(false);
  sizePoints();
  updateClipping();
}

void VtkPipeline::setSelection(const CloudLayout& layout, const std::vector<std::size_t>& points) {
  fill(*m_selectedData, layout, points, {});
}

void VtkPipeline::setColours(const SceneColours& colours) {
  m_points->SetBackground(colours.background.redF(), colours.background.greenF(), colours.background.blueF());
  setColour(*m_box, colours.box);
  setColour(*m_cased, colours.casing);
  setColour(*m_selected, colours.selection);
}

void VtkPipeline::setPixelRatio(double ratio) {
  m_ratio = ratio;
  sizePoints();
}

void VtkPipeline::sizePoints() {
  const double pixels = pointSize(m_count);
  const auto set = [this](vtkActor& actor, double size) {
    const double devicePixels = size * m_ratio;
    actor.GetProperty()->SetPointSize(static_cast<float>(devicePixels));
    // Drawn as spheres, which look flat without lighting; the smallest points look the same as squares, which
    // are much faster.
    actor.GetProperty()->SetRenderPointsAsSpheres(devicePixels >= kRoundFrom);
  };
  set(*m_all, pixels);
  set(*m_few, pixels);
  set(*m_cased, pixels + 3.8);
  set(*m_selected, pixels + 1.6);
  m_box->GetProperty()->SetLineWidth(static_cast<float>(m_ratio));
}

void VtkPipeline::setThinned(bool on) {
  const bool thin = on && m_fewCount < m_count;
  m_few->SetVisibility(thin);
  m_all->SetVisibility(!thin);
}

std::size_t VtkPipeline::pointsDrawn() const {
  return m_few->GetVisibility() ? m_fewCount : m_count;
}

double VtkPipeline::pointRadius() const {
  return pointSize(m_count) / 2;
}

void VtkPipeline::setPerspective(bool on) {
  vtkCamera* camera = m_points->GetActiveCamera();
  if (on == !camera->GetParallelProjection()) return;
  // Keeps the size of the plane through the focal point.
  const double tangent = std::tan(vtkMath::RadiansFromDegrees(kViewAngle / 2));
  if (on) {
    const double distance = camera->GetParallelScale() / tangent;
    double back[3];
    camera->GetDirectionOfProjection(back);
    const double* focus = camera->GetFocalPoint();
    camera->SetPosition(focus[0] - distance * back[0], focus[1] - distance * back[1],
                        focus[2] - distance * back[2]);
  } else {
    camera->SetParallelScale(camera->GetDistance() * tangent);
  }
  camera->SetParallelProjection(!on);
  updateClipping();
}

void VtkPipeline::resetCamera(double width, double height) {
  vtkCamera* camera = m_points->GetActiveCamera();
  camera->SetFocalPoint(0, 0, 0);
  camera->SetPosition(0, 0, 10);
  camera->SetViewUp(0, 1, 0);
  camera->Azimuth(kTurnRight);
  camera->Elevation(kLookDown);
  camera->OrthogonalizeViewUp();
  fitCamera(width, height);
}

void VtkPipeline::fitCamera(double width, double height) {
  vtkCamera* camera = m_points->GetActiveCamera();
  const double usableX = std::max(0.4, 1 - 2 * kMarginX / std::max(1.0, width));
  const double usableY = std::max(0.4, 1 - 2 * kMarginY / std::max(1.0, height));
  const double aspect = width > 0 && height > 0 ? width / height : 1;
  const double tangent = std::tan(vtkMath::RadiansFromDegrees(kViewAngle / 2));
  const std::array<ScreenPoint, 3> axes = view(width, height).directions;
  double scale = 0, distance = 0;
  for (unsigned bits = 0; bits < 8; ++bits) {
    const ScenePoint point = corner(m_half, bits);
    double right = 0, up = 0, towards = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      right += point[i] * axes[i].x;
      up += point[i] * axes[i].y;
      towards += point[i] * axes[i].depth;
    }
    const double needed = std::max(std::abs(up) / usableY, std::abs(right) / (usableX * aspect));
    scale = std::max(scale, needed);
    distance = std::max(distance, needed / tangent + towards);
  }
  camera->SetParallelScale(scale);
  double direction[3];
  camera->GetDirectionOfProjection(direction);
  camera->SetFocalPoint(0, 0, 0);
  camera->SetPosition(-distance * direction[0], -distance * direction[1], -distance * direction[2]);
  updateClipping();
}

void VtkPipeline::turn(double rightDegrees, double upDegrees) {
  vtkCamera* camera = m_points->GetActiveCamera();
  camera->Azimuth(rightDegrees);
  camera->Elevation(upDegrees);
  camera->OrthogonalizeViewUp();
  updateClipping();
}

void VtkPipeline::zoom(double factor) {
  vtkCamera* camera = m_points->GetActiveCamera();
  if (camera->GetParallelProjection()) {
    camera->SetParallelScale(camera->GetParallelScale() / factor);
  } else {
    camera->Dolly(factor);
  }
  updateClipping();
}

SceneView VtkPipeline::view(double width, double height) const {
  vtkCamera* camera = m_points->GetActiveCamera();
  SceneView view;
  view.width = width;
  view.height = height;
  const double aspect = width > 0 && height > 0 ? width / height : 1;
  const vtkMatrix4x4* matrix = camera->GetCompositeProjectionTransformMatrix(aspect, -1, 1);
  const vtkMatrix4x4* turned = camera->GetViewTransformMatrix();
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      view.matrix[static_cast<std::size_t>(4 * row + column)] = matrix->GetElement(row, column);
    }
  }
  for (int i = 0; i < 3; ++i) {
    view.directions[static_cast<std::size_t>(i)] = {turned->GetElement(0, i), turned->GetElement(1, i),
                                                    turned->GetElement(2, i)};
  }
  return view;
}

void VtkPipeline::updateClipping() {
  m_points->ResetCameraClippingRange();
}

}  // namespace plastiscope
