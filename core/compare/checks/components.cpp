// Principal components, head classes and numbers of heads.
#include "core/compare/checks/checks.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

void addComponents(Checks& checks) {
  const Table table = referenceTable("pca_components");
  for (const double printed : {4.9, 5.0, 8.0})
    checks.push_back({"variance of PC1, per cent", "11 models", printed,
                      referenceValue(table, "ev_percent", {{"pc", "1"}}), 0.05 + 1e-9,
                      "three values are in print; the figure's is 4.9"});
  for (const double printed : {0.34, 0.38})
    checks.push_back({"mean r_q on PC1", "11 models", printed,
                      referenceValue(table, "mean_r_q", {{"pc", "1"}}), 0.005 + 1e-9,
                      "two values are in print; the figure's is 0.34"});
}

void addClasses(Checks& checks) {
  const Table table = referenceTable("taxonomy");
  double least = 0, most = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.texts("scope")[row] != "all_11") continue;
    least += table.numbers("percent_min")[row];
    most += table.numbers("percent_max")[row];
  }
  checks.push_back({"sum of head classes, per cent", "11 models", 100, (least + most) / 2, 0.2 + 1e-9,
                    "five classes; the k_positional share is only known as 0 to 0.1"});
  const Table smollm = referenceTable("smollm3_pca");
  for (std::size_t row = 0; row < smollm.rows(); ++row) {
    double sum = 0;
    for (const char* column : {"frac_position_dominated", "frac_q_positional", "frac_k_positional",
                               "frac_content_focused", "frac_mixed"})
      sum += smollm.numbers(column)[row];
    checks.push_back({"sum of head classes", smollm.texts("checkpoint")[row], 1, sum, 0.01 + 1e-9,
                      "five classes, read off a figure"});
  }
}

void addHeads(Checks& checks) {
  const Table models = referenceTable("models");
  double heads = 0;
  for (std::size_t row = 0; row < models.rows(); ++row)
    heads += models.numbers("in_primary_set")[row] == 1 ? models.numbers("heads_captured")[row] : 0;
  checks.push_back({"captured heads", "11 models", 3239, heads, 0, "sum over the primary models"});
}

}  // namespace plastiscope
