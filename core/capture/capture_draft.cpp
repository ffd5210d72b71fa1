#include "core/capture/capture_draft.h"

#include <exception>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace plastiscope {
namespace {

Json corpusJson(const CorpusOptions& corpus) {
  Json files = Json::array(), select = Json::array();
  for (const auto& file : corpus.files) files.push_back(pathText(file));
  for (const auto& [key, value] : corpus.select) select.push_back({key, value});
  return {{"files", files},
          {"text_field", corpus.textField},
          {"id_field", corpus.idField},
          {"max_examples", corpus.maxExamples},
          {"select", select}};
}

CorpusOptions corpusFrom(const Json& value) {
  CorpusOptions corpus;
  for (const Json& file : value.at("files")) corpus.files.push_back(pathOfText(file.get<std::string>()));
  for (const Json& pair : value.at("select"))
    corpus.select.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  value.at("text_field").get_to(corpus.textField);
  value.at("id_field").get_to(corpus.idField);
  value.at("max_examples").get_to(corpus.maxExamples);
  return corpus;
}

}  // namespace

Json CaptureDraft::toJson() const {
  Json value{{"model", pathText(model)},    {"corpus", corpusJson(corpus)},
             {"tokens", pathText(tokens)},  {"plan", plan.toJson()},
             {"out", pathText(out)},        {"clamp_from", pathText(clampFrom)},
             {"memory_limit", memoryLimit}, {"fresh", fresh},
             {"store_texts", storeTexts}};
  if (!part.empty()) value["part"] = part;
  return value;
}

CaptureDraft CaptureDraft::fromJson(const Json& value) {
  try {
    CaptureDraft draft;
    draft.model = pathOfText(value.at("model").get<std::string>());
    draft.corpus = corpusFrom(value.at("corpus"));
    draft.tokens = pathOfText(value.value("tokens", std::string()));
    draft.plan = CapturePlan::fromJson(value.at("plan"));
    draft.out = pathOfText(value.at("out").get<std::string>());
    draft.clampFrom = pathOfText(value.at("clamp_from").get<std::string>());
    value.at("memory_limit").get_to(draft.memoryLimit);
    value.at("fresh").get_to(draft.fresh);
    draft.part = value.value("part", std::string());
    draft.storeTexts = value.value("store_texts", true);
    return draft;
  } catch (const Json::exception&) {  // what the library says stays the cause
    std::throw_with_nested(InputError({{},
                                       "capture draft",
                                       "model, corpus, plan and out",
                                       "an object without one of them, or of other kinds"}));
  }
}

}  // namespace plastiscope
