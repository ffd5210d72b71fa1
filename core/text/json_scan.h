#pragma once
// Looking at JSON text without building it: so that a large array is parsed element by element.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace plastiscope {

// The elements of the array that `text` consists of. Only brackets and strings are looked at; each element
// must be parsed by a real parser, which finds what is wrong inside.
class JsonArrayScanner {
 public:
  struct Element {
    std::string_view bytes;
    std::int64_t line;  // where it starts, from 1
  };
  // InputError when the text is not an array.
  JsonArrayScanner(std::string_view text, const std::filesystem::path& file);
  // Nothing behind the last element. InputError when the array is cut off or something stands behind it.
  std::optional<Element> next();

 private:
  void skipSpace();
  void toNextToken();  // InputError at the end of the text
  std::size_t elementEnd() const;
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;

  std::string_view m_text;
  std::filesystem::path m_file;
  std::size_t m_position = 0;
  std::int64_t m_line = 1;
  bool m_first = true;
};

// \uD8xx without a \uDCxx behind it, or the reverse, becomes \uFFFD. Returns how many.
std::int64_t replaceLoneSurrogates(std::string& json);

}  // namespace plastiscope
