#include "core/text/corpus_index.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/text/corpus_file.h"
#include "core/text/record_scan.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

namespace {

// Collects the short values of the outermost object.
class FieldTaker : public nlohmann::json_sax<Json> {
 public:
  explicit FieldTaker(std::map<std::string, std::string>& fields) : m_fields(fields) {}
  bool isObject() const { return m_isObject; }

  bool null() override { return true; }
  bool boolean(bool value) override { return take(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return take(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return take(std::to_string(value)); }
  bool number_float(number_float_t value, const string_t&) override { return take(Json(value).dump()); }
  bool string(string_t& value) override { return value.size() > CorpusIndex::kLongestField || take(value); }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    m_isObject = m_isObject || m_depth == 0;
    m_keys.emplace_back();
    return ++m_depth <= kMaxDepth;
  }
  bool key(string_t& value) override {
    if (m_depth == 1) m_key = value;
    return m_keys.back().insert(value).second;
  }
  bool end_object() override {
    m_keys.pop_back();
    return end_array();
  }
  bool start_array(std::size_t) override { return ++m_depth <= kMaxDepth; }
  bool end_array() override {
    --m_depth;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  static constexpr int kMaxDepth = 64;
  bool take(const std::string& value) {
    if (m_depth == 1) m_fields[m_key] = value;
    return true;
  }

  std::map<std::string, std::string>& m_fields;
  std::string m_key;
  std::vector<std::set<std::string>> m_keys;  // of all enclosing objects
  int m_depth = 0;
  bool m_isObject = false;
};

}  // namespace

CorpusIndex::CorpusIndex(std::filesystem::path file, Progress& progress) : m_file(std::move(file)) {
  const auto scanner = recordScannerOf(m_file);
  std::error_code unknown;
  const auto fileBytes = std::filesystem::file_size(m_file, unknown);
  ProgressState state{"read", 0, unknown ? 0 : static_cast<double>(fileBytes), "byte", -1, -1};
  while (const auto raw = scanner->next()) {
    progress.throwIfStopped();
    state.done = static_cast<double>(raw->offset);
    progress.advanced(state);
    CorpusEntry entry{raw->offset, raw->bytes.size(), raw->line, {}};
    std::string text = repairUtf8(raw->bytes);
    replaceLoneSurrogates(text);
    FieldTaker taker(entry.fields);
    if (!Json::sax_parse(text, &taker) || !taker.isObject())
      entry.fields = shortFields(parseRecord(raw->bytes, m_file, raw->line, progress));  // throws if invalid
    m_entries.push_back(std::move(entry));
  }
}

std::string CorpusIndex::bytesOf(const CorpusEntry& entry) const {
  return bytesAt(m_file, entry.offset, entry.size);
}

bool isSelected(const std::map<std::string, std::string>& fields,
                const std::vector<std::pair<std::string, std::string>>& select) {
  return std::ranges::all_of(select, [&](const auto& wanted) {
    const auto value = fields.find(wanted.first);
    return value != fields.end() && std::ranges::any_of(select, [&](const auto& choice) {
             return choice.first == wanted.first && choice.second == value->second;
           });
  });
}

std::map<std::string, std::string> shortFields(const Json& record) {
  std::map<std::string, std::string> fields;
  for (const auto& [key, value] : record.items()) {
    if (value.is_null() || value.is_structured()) continue;
    std::string text = value.is_string() ? value.get<std::string>() : canonicalJson(value);
    if (text.size() <= CorpusIndex::kLongestField) fields.emplace(key, std::move(text));
  }
  return fields;
}

}  // namespace plastiscope
