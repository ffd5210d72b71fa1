#include "core/store/qk_sniffer/import_sources.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

bool ropeOf(const ImportSources& from, std::int64_t number) {
  if (from.request.nopeLayers) {
    return std::find(from.request.nopeLayers->begin(), from.request.nopeLayers->end(), number) ==
           from.request.nopeLayers->end();
  }
  if (from.spec) return from.spec->layers.at(static_cast<std::size_t>(number)).rope;
  return from.facts.layers.part(schema::number(number)).flag("rope").value_or(true);
}

// The column sliding_window is what the author's tool saw; it may be missing where a model has windows.
void setWindow(const ImportSources& from, CaptureLayerInfo& layer) {
  const auto found = from.index.slidingWindows.find(layer.layer);
  if (found == from.index.slidingWindows.end() || !found->second || *found->second == layer.window) return;
  if (from.spec) {
    from.progress.warned("layer " + std::to_string(layer.layer) + ": the rows have a window of " +
                         withCommas(*found->second) + " tokens, the model has " +
                         (layer.window > 0 ? withCommas(layer.window) : "none") +
                         "; that of the rows is kept");
  }
  layer.window = *found->second;
  if (layer.attention == "full") layer.attention = "sliding";
}

}  // namespace

void fillLayers(CaptureInfo& info, const ImportSources& from) {
  for (const std::int64_t number : from.index.layers()) {
    CaptureLayerInfo layer;
    layer.layer = number;
    if (from.spec) {
      const LayerSpec& spec = from.spec->layers.at(static_cast<std::size_t>(number));
      layer.attention = nameOf(spec.attention);
      layer.window = spec.window;
      layer.queryScale = spec.queryScale;
    } else {
      const CheckedObject facts = from.facts.layers.part(schema::number(number));
      layer.attention = facts.text("attention").value_or("full");
      layer.window = facts.integer("window", 0, std::int64_t{1} << 40).value_or(0);
      layer.queryScale = facts.flag("query_scale").value_or(false);
    }
    layer.rope = ropeOf(from, number);
    setWindow(from, layer);
    layer.queryHeads = from.index.heads.at({number, RowSet::Query});
    layer.keyHeads = from.index.heads.at({number, RowSet::Key});
    layer.queryRows = from.index.rows(number, RowSet::Query);
    layer.keyRows = from.index.rows(number, RowSet::Key);
    info.layerInfos.push_back(layer);
  }
  for (const auto& [key, heads] : from.index.heads) {
    if (key.second == RowSet::Key && !from.index.heads.contains({key.first, RowSet::Query})) {
      from.progress.warned("layer " + std::to_string(key.first) + " has keys but no queries and is left out");
    }
  }
}

}  // namespace plastiscope
