#include "core/text/gguf_fields.h"

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMostTokens = 2'000'000;

std::int32_t specialId(const GgufFile& file, const char* name, std::size_t tokens) {
  const auto id = file.integer(ggufKey(name));
  if (!id || *id < 0 || static_cast<std::size_t>(*id) >= tokens) {
    throw InputError({file.path(), ggufKey(name), "the id of a token, because it is to be added",
                      id ? std::to_string(*id) : std::string("none")});
  }
  return static_cast<std::int32_t>(*id);
}

template <typename Value>
const std::vector<Value>* listOfLength(const GgufFile& file, const char* name, std::size_t length) {
  const auto* values = ggufList<Value>(file, name, kMostTokens);
  if (values != nullptr && values->size() != length) {
    throw InputError({file.path(), ggufKey(name), withCommas(static_cast<long long>(length)) + " entries",
                      withCommas(static_cast<long long>(values->size()))});
  }
  return values;
}

}  // namespace

std::string ggufKey(const char* name) {
  return std::string("tokenizer.ggml.") + name;
}

template <typename Value>
const std::vector<Value>* ggufList(const GgufFile& file, const char* name, std::size_t most) {
  const auto entry = file.metadata().find(ggufKey(name));
  if (entry == file.metadata().end()) return nullptr;
  const auto* values = std::get_if<std::vector<Value>>(&entry->second);
  if (values == nullptr) throw InputError({file.path(), ggufKey(name), "a list", "another type"});
  if (values->size() > most) {
    throw InputError({file.path(), ggufKey(name),
                      "at most " + withCommas(static_cast<long long>(most)) + " entries",
                      withCommas(static_cast<long long>(values->size()))});
  }
  return values;
}

template const std::vector<std::string>* ggufList(const GgufFile&, const char*, std::size_t);
template const std::vector<std::int64_t>* ggufList(const GgufFile&, const char*, std::size_t);

GgufTokens readGgufTokens(const GgufFile& file) {
  const auto* texts = ggufList<std::string>(file, "tokens", kMostTokens);
  if (texts == nullptr) throw InputError({file.path(), ggufKey("tokens"), "a list", "no such entry"});
  return {*texts, listOfLength<std::int64_t>(file, "token_type", texts->size()),
          listOfLength<double>(file, "scores", texts->size())};
}

std::vector<PostStep> readGgufTemplate(const GgufFile& file, std::size_t tokens, bool addBosByDefault) {
  AddTemplate around;
  if (file.flag(ggufKey("add_bos_token")).value_or(addBosByDefault))
    around.before.push_back(specialId(file, "bos_token_id", tokens));
  if (file.flag(ggufKey("add_eos_token")).value_or(false))
    around.after.push_back(specialId(file, "eos_token_id", tokens));
  if (around.before.empty() && around.after.empty()) return {};
  return {around};
}

}  // namespace plastiscope
