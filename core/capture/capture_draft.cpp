#include "core/capture/capture_draft.h"

#include "core/base/error.h"

namespace plastiscope {
namespace {

Json corpusJson(const CorpusOptions& corpus) {
  Json files = Json::array(), select = Json::array();
  for (const auto& file : corpus.files) files.push_back(file.string());
  for (const auto& [key, value] : corpus.select) select.push_back({key, value});
  return {{"files", files},
          {"text_field", corpus.textField},
          {"id_field", corpus.idField},
          {"max_examples", corpus.maxExamples},
          {"select", select}};
}

CorpusOptions corpusFrom(const Json& value) {
  CorpusOptions corpus;
  for (const Json& file : value.at("files")) corpus.files.emplace_back(file.get<std::string>());
  for (const Json& pair : value.at("select"))
    corpus.select.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  value.at("text_field").get_to(corpus.textField);
  value.at("id_field").get_to(corpus.idField);
  value.at("max_examples").get_to(corpus.maxExamples);
  return corpus;
}

}  // namespace

Json CaptureDraft::toJson() const {
  Json value{{"model", model.string()},     {"corpus", corpusJson(corpus)},
             {"tokens", tokens.string()},   {"plan", plan.toJson()},
             {"out", out.string()},         {"clamp_from", clampFrom.string()},
             {"memory_limit", memoryLimit}, {"fresh", fresh},
             {"store_texts", storeTexts}};
  if (!part.empty()) value["part"] = part;
  return value;
}

CaptureDraft CaptureDraft::fromJson(const Json& value) {
  try {
    CaptureDraft draft;
    draft.model = value.at("model").get<std::string>();
    draft.corpus = corpusFrom(value.at("corpus"));
    draft.tokens = value.value("tokens", std::string());
    draft.plan = CapturePlan::fromJson(value.at("plan"));
    draft.out = value.at("out").get<std::string>();
    draft.clampFrom = value.at("clamp_from").get<std::string>();
    value.at("memory_limit").get_to(draft.memoryLimit);
    value.at("fresh").get_to(draft.fresh);
    draft.part = value.value("part", std::string());
    draft.storeTexts = value.value("store_texts", true);
    return draft;
  } catch (const Json::exception& error) {
    throw InputError({{}, "capture draft", "model, corpus, plan and out", error.what()});
  }
}

}  // namespace plastiscope
