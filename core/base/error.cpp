#include "core/base/error.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace {
std::string sentenceOf(const Fault& fault) {
  std::string text = pathText(fault.file);
  if (!fault.place.empty()) text += (text.empty() ? "" : ": ") + fault.place;
  if (!text.empty()) text += ": ";
  if (!fault.expected.empty()) text += "expected " + fault.expected + ", found ";
  return text + fault.found;
}
}  // namespace

InputError::InputError(const Fault& fault) : Error(ErrorKind::Input, sentenceOf(fault)) {}

std::string withCommas(long long count) {
  std::string digits = std::to_string(count < 0 ? -count : count);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), ",");
  return count < 0 ? "-" + digits : digits;
}

std::string byteText(unsigned long long bytes) {
  static const char* const kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 999.5 && unit < 5) {
    value /= 1000;
    ++unit;
  }
  char text[48];
  std::snprintf(text, sizeof text, unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

namespace {

constexpr const char* kInternal = "internal failure, please report it";

// Message of the nested exception, usually thrown by a library.
std::string causeOf(const std::exception& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& cause) {
    return sanitized(cause.what(), kLongestMessage);
  } catch (...) {
  }
  return {};
}

Failure failureOf(const std::filesystem::filesystem_error& error) {
  const char* const noRoom = noRoomWords(error.code().value());
  return {noRoom ? ErrorKind::Resources : ErrorKind::Input,
          sanitized(pathText(error.path1()) + ": " +
                        (noRoom ? noRoom : "cannot be used: " + error.code().message()),
                    kLongestMessage),
          sanitized(error.what(), kLongestMessage)};
}

}  // namespace

Failure caughtFailure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.kind(), sanitized(error.what(), kLongestMessage), causeOf(error)};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::Resources, "not enough memory; finished work is kept", {}};
  } catch (const std::filesystem::filesystem_error& error) {
    return failureOf(error);
  } catch (const nlohmann::json::exception& error) {
    return {ErrorKind::Internal, std::string(kInternal) + ": a JSON value is not of the expected kind",
            sanitized(error.what(), kLongestMessage)};
  } catch (const std::exception& error) {
    return {ErrorKind::Internal, kInternal, sanitized(error.what(), kLongestMessage)};
  } catch (...) {
    return {ErrorKind::Internal, kInternal, {}};
  }
}

}  // namespace plastiscope
