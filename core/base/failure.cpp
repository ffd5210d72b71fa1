#include "core/base/failure.h"

#include <exception>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "core/base/foreign_text.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace {

constexpr const char* kInternal = "internal failure, please report it";

// What a library threw before one of our errors took its place.
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
  const bool full = error.code() == std::errc::no_space_on_device;
  return {full ? ErrorKind::Resources : ErrorKind::Input,
          sanitized(pathText(error.path1()) + ": " +
                        (full ? "the disk is full" : "cannot be used: " + error.code().message()),
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
