#pragma once
// The heads of an analysis for HeadVis, Anthropic's viewer of attention heads, in the shapes that its
// data_pipeline.py describes: scatter_data.json, a list with one flat object a head, and config.json.
#include <string>

#include "core/store/analysis_file.h"
#include "core/store/output_place.h"

namespace plastiscope {

// [{"layer": 0, "head": 1, COLUMN: number, ...}, ...]: every number of heads.csv under its name, heads in the
// order of heads.csv, a line each. A missing number is left out of its head's object.
std::string headVisRows(const AnalysisFile& analysis);
OutputKind headVisRowsOutput();

// The model, its heads, and the metrics of those rows with what they mean. Sequences, attention patterns and
// projections are none of an analysis: the config names no file of them but by its pattern.
std::string headVisConfig(const AnalysisFile& analysis);
OutputKind headVisConfigOutput();

}  // namespace plastiscope
