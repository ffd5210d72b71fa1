#pragma once
// Resets environment, working folder, pointer and windows before each test, because many tests run in one
// process in any order.
#include <gtest/gtest.h>
#include <unistd.h>

#include <QApplication>
#include <QCursor>
#include <QToolTip>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace plastiscope::test {

class EachTestAfresh : public testing::EmptyTestEventListener {
 public:
  // Needs the QApplication. `prepare` runs before every test.
  explicit EachTestAfresh(std::function<void()> prepare = [] {})
      : m_prepare(std::move(prepare)), m_folder(std::filesystem::current_path()), m_variables(variables()) {
    QApplication::setQuitOnLastWindowClosed(false);  // later tests open more windows
  }

 private:
  static std::map<std::string, std::string> variables() {
    std::map<std::string, std::string> all;
    for (char** each = environ; *each != nullptr; ++each) {
      const std::string text = *each;
      const std::size_t equals = text.find('=');
      if (equals != std::string::npos) all[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return all;
  }

  void OnTestStart(const testing::TestInfo&) override {
    QCursor::setPos(0, 0);
    m_prepare();
  }

  void OnTestEnd(const testing::TestInfo&) override {
    for (QWidget* window : QApplication::topLevelWidgets()) window->close();
    QToolTip::hideText();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
    std::filesystem::current_path(m_folder);
    for (const auto& [name, value] : variables()) {
      if (!m_variables.contains(name)) ::unsetenv(name.c_str());
    }
    for (const auto& [name, value] : m_variables) ::setenv(name.c_str(), value.c_str(), 1);
  }

  std::function<void()> m_prepare;
  std::filesystem::path m_folder;
  std::map<std::string, std::string> m_variables;
};

// Runs all tests this way; GoogleTest owns the listener.
inline int runAllTestsAfresh(std::function<void()> prepare = [] {}) {
  testing::UnitTest::GetInstance()->listeners().Append(new EachTestAfresh(std::move(prepare)));
  return RUN_ALL_TESTS();
}

}  // namespace plastiscope::test
