#pragma once
// Escapes untrusted text (names in models, values of records, messages of libraries) for terminals, messages
// and CSV files. JSON needs no escaping here; the window shows such text as plain text.
#include <cstdint>
#include <string>
#include <string_view>

namespace plastiscope {

// Default limit for a name or value inside a message, in bytes.
constexpr std::size_t kLongestName = 120;
// Limit for a whole message, in bytes.
constexpr std::size_t kLongestMessage = 4000;

// One line that is safe to print: bytes that are not UTF-8 and control characters become \xHH; C1 controls
// and characters that reorder or break lines become \uHHHH. Longer texts lose their middle, and show how much
// was left out.
std::string sanitized(std::string_view text, std::size_t longest = kLongestName);

// A CSV field (RFC 4180). A text that a spreadsheet would read as a formula (begins with = + - @, tab or
// carriage return and is not a number) gets a leading apostrophe; so does one that consists of apostrophes
// followed by such a text, so that withoutFormulaMark restores it exactly.
std::string csvField(std::string_view text);
// The text of a field that was read: removes that apostrophe.
std::string_view withoutFormulaMark(std::string_view field);

// "the file is cut short: it ends after 12 of at least 5,008 bytes", for Fault::found (error.h).
std::string cutShort(std::uint64_t bytes, std::uint64_t needed);

// Shortest text that reads back to the same double, with '.', whatever the locale; "" for NaN (missing).
std::string numberText(double value);

}  // namespace plastiscope
