#pragma once
// The two dense types of the analysis; float64 throughout (method.md section 0).
#include <Eigen/Dense>

namespace plastiscope {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

}  // namespace plastiscope
