#include "core/views/attention_data.h"

#include <algorithm>
#include <cmath>

#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/views/plane_data.h"
#include "core/views/text_data.h"

namespace plastiscope {

namespace {

TokenRange cellAt(TokenRange all, std::int64_t cell, std::int64_t index) {
  const std::int64_t first = all.first + index * cell;
  return {first, std::min(first + cell, all.end)};
}

const CaptureLayerInfo* layerOf(const CaptureInfo& info, std::int64_t layer) {
  const auto found = std::ranges::find(info.layerInfos, layer, &CaptureLayerInfo::layer);
  return found == info.layerInfos.end() ? nullptr : &*found;
}

}  // namespace

TokenRange AttentionData::queriesOf(std::int64_t row) const {
  return cellAt(queries, cellQueries, row);
}

TokenRange AttentionData::keysOf(std::int64_t column) const {
  return cellAt(keys, cellKeys, column);
}

std::optional<AttentionScoreRule> scoreRuleOf(const CaptureInfo& info, std::int64_t number) {
  const CaptureLayerInfo* layer = layerOf(info, number);
  const bool hasBiases = info.positions == "alibi" || info.positions == "relative";
  if (layer == nullptr || hasBiases || (layer->rope && info.point == "pre-rope")) return std::nullopt;
  return AttentionScoreRule{info.scoreScale, layer->scoreSoftcap, layer->window,
                            layer->attention == "chunked"};
}

std::string ruleText(const CaptureInfo& info, std::int64_t number) {
  const CaptureLayerInfo* layer = layerOf(info, number);
  std::vector<std::string> parts;
  if (layer == nullptr) return "";
  if (layer->window > 0)
    parts.push_back((layer->attention == "chunked" ? "blocks of " : "sliding window of ") +
                    withCommas(layer->window) + " tokens");
  if (layer->scoreSoftcap > 0) parts.push_back("scores capped at " + numberText(layer->scoreSoftcap));
  if (layer->learnedSinks) parts.push_back("learned sink left out: weights are shares of the rest");
  return joined(parts);
}

std::vector<HeadName> denseHeadsOf(const CaptureFile& capture) {
  std::vector<HeadName> dense;
  for (const CaptureLayerInfo& layer : capture.info().layerInfos) {
    for (const std::int64_t head : layer.denseQueryHeads) dense.push_back({layer.layer, head});
  }
  return dense;
}

std::string whyNoAttention(const Study& study, HeadName head) {
  if (std::string reason = whyNoRows(study, head); !reason.empty()) return reason;
  const CaptureInfo& info = study.capture->info();
  if (!isDenseHead(study, head)) {
    const std::vector<HeadName> dense = denseHeadsOf(*study.capture);
    return head.text() +
           " was captured at sampled positions, and its attention weights need every position. " +
           (dense.empty() ? "Capture again with --dense " + head.text() + "."
                          : "Captured at every position: " + headListText(dense) +
                                ". Others need a capture with --dense.");
  }
  if (!scoreRuleOf(info, head.layer))
    return "The rows of " + head.text() + " do not determine its scores: " +
           (info.point == "pre-rope" ? "they were captured before RoPE."
                                     : "the model adds a bias by position to them.");
  return "";
}

Table tableOf(const AttentionData& data) {
  TableBuilder table("attention", {integers("query_from"), integers("query_to"), integers("key_from"),
                                   integers("key_to"), numbers("max"), numbers("mean")});
  for (std::int64_t row = 0; row < data.rows; ++row) {
    const TokenRange queries = data.queriesOf(row);
    for (std::int64_t column = 0; column < data.columns; ++column) {
      const auto cell = static_cast<std::size_t>(row * data.columns + column);
      if (!std::isfinite(data.mean[cell])) continue;
      const TokenRange keys = data.keysOf(column);
      table.row({queries.first, queries.end - 1, keys.first, keys.end - 1,
                 static_cast<double>(data.max[cell]), static_cast<double>(data.mean[cell])});
    }
  }
  return table.take();
}

}  // namespace plastiscope
