#pragma once
// The one way out of text that strangers made (names in models, values of records, messages of libraries): to
// a terminal, into a message, into a CSV file. JSON escapes by itself, the window shows such text as plain
// text.
#include <cstdint>
#include <string>
#include <string_view>

namespace plastiscope {

// A name or value inside a message: at most this many bytes of it.
constexpr std::size_t kLongestName = 120;
// A whole message.
constexpr std::size_t kLongestMessage = 4000;

// One line that is safe to print: bytes that are not UTF-8 and control characters become \xHH; C1 controls
// and marks that reorder or break lines become \uHHHH. Of longer texts the middle is left out and counted.
std::string sanitized(std::string_view text, std::size_t longest = kLongestName);

// A text as a field of a CSV file (RFC 4180). One that a spreadsheet would take for a formula (it begins with
// = + - @, a tab or a carriage return and is no number) gets an apostrophe in front; so does one that
// consists of apostrophes and such a beginning, so that reading takes exactly one away.
std::string csvField(std::string_view text);
// What a field that was read stands for: without that apostrophe.
std::string_view withoutFormulaMark(std::string_view field);

// "the file is cut short: it ends after 12 of at least 5,008 bytes": the found of a fault (error.h).
std::string cutShort(std::uint64_t bytes, std::uint64_t needed);

// Shortest text that reads back to the same double, with '.', whatever the locale; "" for NaN (missing).
std::string numberText(double value);

}  // namespace plastiscope
