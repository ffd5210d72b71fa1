#pragma once
// Positions of profiles on an axis: in tokens, or as shares of the window. Models of other windows agree in
// one of them only.
#include <QString>
#include <cstdint>

class QCPAxis;

namespace plastiscope {

enum class PositionAxis { Share, Tokens };

// The title of such an axis, its long and its short form.
QString positionTitle(PositionAxis axis);
// Labels of an axis from 0 to `end`; where `window` tokens are all of it, its coordinates are tokens too.
void setUpPositions(QCPAxis& x, PositionAxis axis, double end, double window);
// The longest label of such an axis.
QString lastPositionLabel(PositionAxis axis, double end);
// ", window 128K": of published numbers whose model has another window than the data; "" for the same one.
QString otherWindowText(std::int64_t published, std::int64_t window);

}  // namespace plastiscope
