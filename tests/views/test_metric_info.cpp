#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/views/metric_info.h"

namespace plastiscope {

namespace {
bool isListed(const std::string& column) {
  return std::ranges::find(metricList(), column, &MetricInfo::column) != metricList().end();
}
}  // namespace

TEST(MetricInfo, EveryEntryIsDescribedOnce) {
  std::set<std::string> columns;
  for (const MetricInfo& metric : metricList()) {
    EXPECT_TRUE(columns.insert(metric.column).second) << metric.column;
    EXPECT_FALSE(metric.title.empty()) << metric.column;
    EXPECT_FALSE(metric.label.empty()) << metric.column;
    EXPECT_FALSE(metric.group.empty()) << metric.column;
    EXPECT_TRUE(metric.meaning.ends_with(".")) << metric.column << ": one whole sentence";
    if (metric.isSigned && metric.range) {
      EXPECT_DOUBLE_EQ(metric.range->first, -metric.range->second) << metric.column;
    }
  }
}

// The numeric columns of heads.csv (metrics.md).
TEST(MetricInfo, DescribesEveryColumnOfTheHeadsTable) {
  const std::vector<std::string> contract = {"query_rows",
                                             "key_rows",
                                             "pc0_variance",
                                             "r_q",
                                             "r_k",
                                             "lin_frac_q",
                                             "lin_frac_k",
                                             "mu_q_a",
                                             "mu_k_a",
                                             "mu_q_b",
                                             "mu_k_b",
                                             "alpha_q",
                                             "alpha_k",
                                             "bias_strength",
                                             "bias_window",
                                             "bias_logit",
                                             "r_q_a",
                                             "r_k_a",
                                             "position_r",
                                             "slope_ratio",
                                             "separation_strength",
                                             "separation_strength_centroid",
                                             "separation_strength_eigenvector",
                                             "var_frac_a",
                                             "var_frac_b",
                                             "plane_var_fraction",
                                             "residual_pos_r",
                                             "content_var_b",
                                             "axis_b_angle",
                                             "beta_norm",
                                             "r2_pos",
                                             "sigma_pos2",
                                             "ap_overall",
                                             "ap_first20",
                                             "ap_last20",
                                             "ap_drop",
                                             "ap_quintile_1",
                                             "ap_quintile_5",
                                             "ap_decile_1",
                                             "ap_decile_10"};
  for (const std::string& column : contract) EXPECT_TRUE(isListed(column)) << column;
}

TEST(MetricInfo, UnknownColumnsGetAPlainEntry) {
  EXPECT_FALSE(isListed("ap_drop_low"));
  EXPECT_EQ(describeMetric("a<b").label, "a&lt;b");
}

TEST(MetricText, HasThreeDigitsAMinusSignAndThousandsCommas) {
  EXPECT_EQ(metricText(0.53649), "0.536");
  EXPECT_EQ(metricText(-0.0021), "\u22120.00210");
  EXPECT_EQ(metricText(69.28), "69.3");
  EXPECT_EQ(metricText(0.99961), "1.00");
  EXPECT_EQ(metricText(9.996), "10.0");
  EXPECT_EQ(metricText(2051), "2,051");
  EXPECT_EQ(metricText(-12345.6), "\u221212,346");
  EXPECT_EQ(metricText(0), "0");
  EXPECT_EQ(metricText(1.3297e-4), "1.33e\u22124");
  EXPECT_EQ(metricText(9.999e-5), "1.00e\u22124");
  EXPECT_EQ(metricText(std::numeric_limits<double>::quiet_NaN()), "\u2013");
  EXPECT_EQ(metricText(-std::numeric_limits<double>::infinity()), "\u2212\u221e");
}

TEST(DifferenceDecimals, ShowTwoDigitsOfTheLargest) {
  EXPECT_EQ(differenceDecimals(0.24), 3);
  EXPECT_EQ(differenceDecimals(0.0123), 3);
  EXPECT_EQ(differenceDecimals(0.0029), 4);
  EXPECT_EQ(differenceDecimals(0.00015), 5);
  EXPECT_EQ(differenceDecimals(1e-12), 6) << "at most 6";
  EXPECT_EQ(differenceDecimals(0), 3);
  EXPECT_EQ(differenceDecimals(std::numeric_limits<double>::quiet_NaN()), 3);
}

TEST(FixedText, HasNoNegativeZero) {
  EXPECT_EQ(fixedText(-0.004, 2), "0.00");
  EXPECT_EQ(fixedText(-0.006, 2), "\u22120.01");
  EXPECT_EQ(fixedText(12.345, 1), "12.3");
}

}  // namespace plastiscope
