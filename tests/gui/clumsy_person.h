#pragma once
// Sends random events to the window: clicks, drags, wheel turns and keys, in menus and dialogs too; opens and
// closes panels, tabs and files; starts and cancels work. A seed repeats the choices.
#include <QElapsedTimer>
#include <QEventLoop>
#include <QObject>
#include <QPointer>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "app/desktop/main_window.h"
#include "core/capture/capture_request.h"

class QFileDialog;
class QUrl;

namespace plastiscope::test {

class ClumsyPerson : public QObject {
  Q_OBJECT
 public:
  struct Belongings {
    std::vector<std::filesystem::path> files;  // captures and analyses that are opened
    std::filesystem::path folder;              // for written files
    std::optional<CaptureRequest> capture;     // started at random; outputs are numbered
  };
  ClumsyPerson(Session& session, MainWindow& window, Belongings belongings, unsigned seed);
  ~ClumsyPerson() override;

  // Sends `events` presses, moves, releases, keys, wheel turns and commands, at most one every `pause`
  // milliseconds, and returns when all menus and dialogs are closed.
  void live(int events, double pause);
  int events() const { return m_events; }
  // Called before each action with its number, name and place.
  std::function<void(const QString& line)> log;
  const std::map<QString, int>& counts() const { return m_counts; }

 private:
  struct Kind;
  static const std::vector<Kind>& kinds();

  void tick();
  void act();
  void closeWhatIsOpen();
  void answer(QFileDialog& dialog);
  void say(const QString& what, const QWidget* where = nullptr, QPoint at = {});
  int below(int end);
  template <typename List>
  auto anyOf(const List& list) -> decltype(list[0]);
  bool showsSomethingElse() const;  // a menu or a dialog
  QWidget* anyWidget();             // a visible widget of the front window
  template <typename Widget>
  Widget* seen(const char* name = "");

  void click();
  void rightClick();
  void doubleClick();
  void move();
  void drag();
  void wheel();
  void key();
  void type();
  void command();
  void changeDock();
  void changeTab();
  void openFile();
  void compare();
  void filterHeads();
  void chooseHead();
  void changeTheme();
  void resizeWindow();
  void stepBack();
  void beginCapture();
  void beginAnalysis();
  void cancelJob();

 private Q_SLOTS:
  void leaveUrl(const QUrl&) {}  // no file manager, no browser

 private:
  // A visible point of a widget.
  struct Place {
    QPointer<QWidget> widget;
    QPoint at;
  };
  Place anyPlace();
  void press(const Place& place, Qt::MouseButton button, Qt::KeyboardModifiers keys, bool twice);

  Session& m_session;
  MainWindow& m_window;
  Belongings m_belongings;
  std::mt19937 m_random;
  std::map<QString, int> m_counts;
  int m_panels = 0;  // added to the figure page
  int m_number = 0, m_events = 0, m_first = 0, m_last = 0;
  int m_actingIn = -1;  // level of the event loop of the current action
  int m_home = 0;       // level of the event loop of live()
  double m_pause = 0;
  QElapsedTimer m_clock;
  QEventLoop* m_loop = nullptr;
};

}  // namespace plastiscope::test
