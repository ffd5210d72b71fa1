#include "core/text/corpus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/path_text.h"
#include "core/text/corpus_file.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_files.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::array kTextFields = {"text", "context", "content", "document", "prompt"};
constexpr std::size_t kLongestField = 40;  // of a field name in a message, in bytes
constexpr std::array kIdFields = {"id", "_id"};

std::string whereOf(const CorpusRecord& record) {
  return pathText(record.file) + (record.place.empty() ? "" : ": " + record.place);
}

std::string fieldNames(const Json& record) {
  if (record.empty()) return "an empty object";
  return "the fields " +
         joined(record.items(), [](const auto& field) { return sanitized(field.key(), kLongestField); });
}

// False for null, and for NaN, which pandas writes for a missing text.
bool hasValue(const Json& record, const std::string& key) {
  if (!record.contains(key)) return false;
  const Json& value = record.at(key);
  return !value.is_null() && !(value.is_number_float() && std::isnan(value.get<double>()));
}

// The field to use: the given one, else the first of `usual` that exists, else "".
template <typename Names>
std::string fieldOf(const Json& record, const std::string& given, const Names& usual) {
  if (!given.empty()) return given;
  for (const char* name : usual) {
    if (hasValue(record, name)) return name;
  }
  return "";
}

// The text of --template: {NAME} is a field, {{ and }} are braces; \n, \t and \\ as in C.
std::string filledTemplate(const std::string& form, const CorpusRecord& record) {
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const char each = form[i], next = i + 1 < form.size() ? form[i + 1] : '\0';
    if ((each == '{' || each == '}') && next == each) {
      text += form[i++];
    } else if (each == '\\' && (next == 'n' || next == 't' || next == '\\')) {
      text += next == 'n' ? '\n' : next == 't' ? '\t' : '\\';
      ++i;
    } else if (each == '{' || each == '}') {
      const std::size_t close = form.find('}', i);
      const std::string field = close > i ? form.substr(i + 1, close - i - 1) : "";
      if (close == std::string::npos || field.empty())
        throw UsageError("--template: expected {FIELD}, or {{ and }} for braces, found \"" +
                         sanitized(form.substr(i), kLongestField) + "\"");
      const bool there = record.value.is_object() && record.value.contains(field);
      const Json value = there ? record.value.at(field) : Json();
      if (value.is_null() || value.is_structured())
        throw InputError({record.file, record.place,
                          "a text or number in the field " + field + " of --template",
                          there || !record.value.is_object() ? shortJson(there ? value : record.value)
                                                             : fieldNames(record.value)});
      text += value.is_string() ? value.get<std::string>() : canonicalJson(value);
      i = close;
    } else {
      text += each;
    }
  }
  return text;
}

// Short values other than those of the id and the text.
std::string keptFields(const Json& record, const std::string& id, const std::string& text) {
  Json kept = Json::object();
  for (const auto& [name, value] : record.items()) {
    const bool number = value.is_number() && std::isfinite(value.get<double>());
    const bool fits = value.is_string() && value.get_ref<const std::string&>().size() <= kLongestKeptField;
    if (kept.size() < kKeptFields && (number || fits || value.is_boolean()) && name != id && name != text &&
        name.size() <= kLongestKeptField)
      kept[repairUtf8(name)] = value;
  }
  return kept.empty() ? "" : canonicalJson(kept);
}

// The list of a record with messages; null if it holds none.
Json messagesOf(const Json& record, const std::string& given) {
  for (const std::string name : {"messages", "conversations"}) {
    const std::string& field = given.empty() ? name : given;
    if (record.is_object() && record.contains(field) && record.at(field).is_array()) return record.at(field);
  }
  return nullptr;
}

bool isBlank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string::npos;
}

// Returns "" and sets `problem` when there is no text.
std::string textOf(const CorpusRecord& record, const std::string& given, std::string& problem) {
  const std::string field = fieldOf(record.value, given, kTextFields);
  if (field.empty() || !hasValue(record.value, field)) {
    const std::string wanted = given.empty() ? joined(kTextFields) : given;
    const auto there = std::ranges::find_if(kTextFields, [&](const char* name) {
      return (given.empty() || given == name) && record.value.contains(name);
    });
    if (there != kTextFields.end() || record.value.contains(given))
      problem = "the field " + (given.empty() ? *there : given) + " is null";
    else
      problem = "none of the fields " + wanted + " holds a text (" + fieldNames(record.value) + ")";
    return "";
  }
  const Json& value = record.value.at(field);
  if (!value.is_string()) {
    throw InputError({record.file, record.place + ", field " + field, "a text", shortJson(value)});
  }
  return value.get<std::string>();
}

void setId(CorpusText& text, const CorpusRecord& record, const std::string& given, std::int64_t index) {
  const std::string field = fieldOf(record.value, given, kIdFields);
  if (field.empty()) {
    text.id = std::to_string(index);
    text.numericId = true;
    return;
  }
  if (!hasValue(record.value, field)) {
    throw InputError({record.file, record.place, "the field " + field, fieldNames(record.value)});
  }
  const Json& value = record.value.at(field);
  const bool tooLarge =
      value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_number_integer() && !tooLarge) {
    text.id = std::to_string(value.get<std::int64_t>());
    text.numericId = true;
  } else if (value.is_string()) {
    text.id = value.get<std::string>();
    if (text.id.find('\0') != std::string::npos)
      throw InputError({record.file, record.place + ", field " + field, "an id without zero characters",
                        shortJson(value)});
  } else {
    throw InputError(
        {record.file, record.place + ", field " + field, "a text or a whole number", shortJson(value)});
  }
}

// Refuses duplicate ids: they would be sampled alike and merged in every table.
class SeenIds {
 public:
  void add(const CorpusText& text, const CorpusRecord& record) {
    const auto [entry, isNew] = m_places.emplace((text.numericId ? "#" : "t") + text.id, whereOf(record));
    if (isNew) return;
    throw InputError({record.file, record.place, "a different id for every text",
                      "\"" + sanitized(text.id) + "\" again (" + entry->second +
                          " has it too); --id-field names another field"});
  }

 private:
  std::unordered_map<std::string, std::string> m_places;
};

std::string idOfFile(const fs::path& file) {
  return pathText(file.extension() == ".txt" ? file.stem() : file.filename());
}

class CorpusReader {
 public:
  using Sink = std::function<bool(CorpusText)>;
  CorpusReader(const CorpusOptions& options, Progress& progress, const Sink& sink)
      : m_options(options), m_progress(progress), m_sink(sink) {}

  void read() {
    if (!m_options.form.empty() && !m_options.textField.empty())
      throw UsageError("expected --template or --text-field, found both");
    std::vector<fs::path> files;
    for (const fs::path& place : m_options.files) {
      std::error_code ignored;
      const bool saved =
          fs::exists(place / "state.json", ignored) || fs::exists(place / "dataset_dict.json", ignored);
      std::ranges::move(saved ? recordFilesOf(place) : std::vector{place}, std::back_inserter(files));
    }
    for (const fs::path& file : files) {
      if (isFull()) break;
      m_progress.throwIfStopped();
      m_before += corpusFormatOf(file).read(file, m_options.select, m_progress,
                                            [this](std::int64_t number, const CorpusRecord& record) {
                                              return take(m_before + number, record);
                                            });
    }
    if (m_texts == 0) refuseNone();
  }

 private:
  bool isFull() const { return m_enough || (m_options.maxExamples >= 0 && m_texts >= m_options.maxExamples); }

  // The running index counts all records, so that a selection does not change ids.
  bool take(std::int64_t index, const CorpusRecord& record) {
    if (isFull()) return false;
    m_progress.throwIfStopped();
    CorpusText text;
    std::string problem;
    const Json messages =
        m_options.chat && m_options.form.empty() ? messagesOf(record.value, m_options.textField) : Json();
    text.messages = messages;
    for (const Json& message : messages) text.text += message.dump();
    if (!m_options.form.empty()) {
      text.text = filledTemplate(m_options.form, record);
    } else if (messages.is_null()) {
      text.text = record.value.is_string() ? record.value.get<std::string>()
                                           : textOf(record, m_options.textField, problem);
    }
    if (record.value.is_string()) {
      text.id = idOfFile(record.file);
    } else if (problem.empty()) {
      setId(text, record, m_options.idField, index);
      const std::string field = fieldOf(record.value, m_options.textField, kTextFields);
      text.fields = keptFields(record.value, fieldOf(record.value, m_options.idField, kIdFields),
                               m_options.form.empty() ? field : "");
    }
    if (problem.empty() && isBlank(text.text)) problem = "an empty text";
    if (!problem.empty()) return leaveOut(record, problem);
    if (const auto zeros = std::ranges::count(text.text, '\0'); zeros > 0) {
      m_progress.warned(whereOf(record) + ": the text holds " + withCommas(zeros) +
                        (zeros == 1 ? " zero character" : " zero characters") + ", kept as it is");
    }
    m_seen.add(text, record);
    ++m_texts;
    m_enough = !m_sink(std::move(text));
    return !isFull();
  }

  bool leaveOut(const CorpusRecord& record, const std::string& problem) {
    const bool empty = problem == "an empty text";
    if (m_options.strict) throw InputError({record.file, record.place, "a text", problem});
    m_progress.warned(whereOf(record) + ": " + problem +
                      (empty ? " is left out" : "; the record is left out"));
    if (m_problem.empty() && !empty)
      m_problem = whereOf(record) + ": " + problem + "; --text-field names another";
    return true;
  }

  [[noreturn]] void refuseNone() const {
    if (!m_problem.empty()) throw InputError(m_problem);
    std::string wanted;
    for (const auto& [key, value] : m_options.select)
      wanted += (wanted.empty() ? " with " : ", ") + key + " = " + value;
    throw InputError({joined(m_options.files, pathText), "", "at least one text" + wanted, "none"});
  }

  const CorpusOptions& m_options;
  Progress& m_progress;
  const Sink& m_sink;
  std::int64_t m_texts = 0;  // passed to the sink
  std::string m_problem;     // for the first record without a text field
  bool m_enough = false;     // the sink returned false
  SeenIds m_seen;
  std::int64_t m_before = 0;  // records of the previous files
};

std::vector<std::int32_t> tokensOf(const CorpusRecord& record) {
  const Json* const list = record.value.contains("tokens") ? &record.value.at("tokens") : nullptr;
  if (list == nullptr || !list->is_array() || list->empty()) {
    const CheckedJson tokens = CheckedJson(record.value, record.file, record.place).child("tokens");
    tokens.items();  // InputError when it is not a list
    tokens.refuse("at least one token id", "an empty list");
  }
  std::vector<std::int32_t> ids;
  ids.reserve(list->size());
  for (const Json& item : *list) {
    if (!isTokenId(item))
      tokenId({item, record.file, record.place + ".tokens[" + std::to_string(ids.size()) + "]"});
    ids.push_back(item.get<std::int32_t>());
  }
  return ids;
}

}  // namespace

void visitCorpus(const CorpusOptions& options, Progress& progress,
                 const std::function<bool(CorpusText)>& sink) {
  CorpusReader(options, progress, sink).read();
}

std::vector<CorpusText> readCorpus(const CorpusOptions& options, Progress& progress) {
  std::vector<CorpusText> texts;
  visitCorpus(options, progress, [&](CorpusText text) {
    texts.push_back(std::move(text));
    return true;
  });
  return texts;
}

std::vector<CorpusText> readTokenFile(const fs::path& file, std::int64_t maxExamples) {
  std::vector<CorpusText> texts;
  SeenIds seen;
  Progress silent;
  const CorpusFormat& format = corpusFormatOf(file);
  if (format.name != "JSON lines")
    throw InputError(
        {file, "", "a .jsonl file of token ids", "the extension " + sanitized(file.extension().string())});
  if (maxExamples == 0) return texts;
  format.read(file, {}, silent, [&](std::int64_t number, const CorpusRecord& record) {
    CorpusText text;
    setId(text, record, "", number);
    text.tokens = tokensOf(record);
    text.fields = keptFields(record.value, fieldOf(record.value, "", kIdFields), "");
    seen.add(text, record);
    texts.push_back(std::move(text));
    return static_cast<std::int64_t>(texts.size()) != maxExamples;
  });
  if (texts.empty()) throw InputError({file, "", "at least one line of token ids", "none"});
  return texts;
}

}  // namespace plastiscope
