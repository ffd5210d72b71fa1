#include "gui/clumsy_person.h"

#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>
#include <algorithm>
#include <utility>

#include "core/analysis/settings.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_window.h"

namespace fs = std::filesystem;

namespace plastiscope::test {
namespace {

constexpr int kMaxTabs = 7, kFilesWritten = 3, kMaxPanels = 3;  // per figure page, which keeps studies
constexpr const char* kSchemes[] = {"file", "http", "https"};

QString nameOf(const QWidget* widget) {
  QString name = widget->metaObject()->className();
  if (!widget->objectName().isEmpty()) name += '#' + widget->objectName();
  return name;
}

}  // namespace

// An action and its relative frequency.
struct ClumsyPerson::Kind {
  const char* name;
  int weight;
  void (ClumsyPerson::*act)();
  bool anywhere = false;  // in menus and dialogs too
};

const std::vector<ClumsyPerson::Kind>& ClumsyPerson::kinds() {
  using P = ClumsyPerson;
  static const std::vector<Kind> kKinds = {
      {"click", 300, &P::click, true},
      {"right click", 30, &P::rightClick, true},
      {"double click", 30, &P::doubleClick, true},
      {"move", 150, &P::move, true},
      {"drag", 130, &P::drag, true},
      {"wheel", 130, &P::wheel, true},
      {"key", 120, &P::key, true},
      {"text", 15, &P::type, true},
      {"command", 20, &P::command},
      {"dock", 12, &P::changeDock},
      {"tab", 10, &P::changeTab},
      {"file", 4, &P::openFile},
      {"comparison", 1, &P::compare},
      {"filter", 8, &P::filterHeads},
      {"head", 20, &P::chooseHead},
      {"theme", 1, &P::changeTheme},
      {"resize", 4, &P::resizeWindow},
      {"undo", 20, &P::stepBack},
      {"capture", 2, &P::beginCapture},
      {"analysis", 2, &P::beginAnalysis},
      {"cancel", 2, &P::cancelJob},
  };
  return kKinds;
}

ClumsyPerson::ClumsyPerson(Session& session, MainWindow& window, Belongings belongings, unsigned seed)
    : m_session(session), m_window(window), m_belongings(std::move(belongings)), m_random(seed) {
  for (const char* scheme : kSchemes) QDesktopServices::setUrlHandler(scheme, this, "leaveUrl");
  QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
}

ClumsyPerson::~ClumsyPerson() {
  for (const char* scheme : kSchemes) QDesktopServices::unsetUrlHandler(scheme);
}

void ClumsyPerson::live(int events, double pause) {
  QEventLoop loop;
  m_loop = &loop;
  m_first = m_events;
  m_last = m_events + events;
  m_pause = pause;
  m_home = QThread::currentThread()->loopLevel() + 1;
  m_clock.start();
  QTimer::singleShot(0, this, &ClumsyPerson::tick);
  loop.exec();
  m_loop = nullptr;
}

void ClumsyPerson::tick() {
  const int level = QThread::currentThread()->loopLevel();
  const bool over = m_events >= m_last;
  if (over && level == m_home && m_actingIn < 0 && !showsSomethingElse()) return m_loop->quit();
  // Started before the action, because menus and dialogs run their own event loops.
  const double next = (m_events - m_first + 1) * m_pause - static_cast<double>(m_clock.elapsed());
  QTimer::singleShot(std::max(0, static_cast<int>(next)), Qt::PreciseTimer, this, &ClumsyPerson::tick);
  if (level == m_actingIn) return;  // inside a running action
  const int outer = std::exchange(m_actingIn, level);
  if (over) {
    closeWhatIsOpen();
  } else {
    ++m_number;
    ++m_events;
    act();
  }
  m_actingIn = outer;
}

void ClumsyPerson::closeWhatIsOpen() {
  if (QWidget* popup = QApplication::activePopupWidget()) {
    popup->close();
  } else if (QWidget* dialog = QApplication::activeModalWidget()) {
    dialog->close();
  } else if (QWindow* window = m_window.windowHandle()) {  // something is being dragged
    QTest::mouseRelease(window, Qt::LeftButton);
  }
}

void ClumsyPerson::act() {
  if (!m_window.isVisible()) {
    say(QStringLiteral("shown again"));
    return m_window.show();
  }
  QWidget* dialog = QApplication::activeModalWidget();
  if (auto* files = qobject_cast<QFileDialog*>(dialog)) return answer(*files);
  if (showsSomethingElse() && below(30) == 0) {
    say(QStringLiteral("closed"),
        QApplication::activePopupWidget() ? QApplication::activePopupWidget() : dialog);
    return closeWhatIsOpen();
  }
  const bool anywhere = showsSomethingElse();
  int weights = 0;
  for (const Kind& kind : kinds()) weights += kind.anywhere || !anywhere ? kind.weight : 0;
  int at = below(weights);
  for (const Kind& kind : kinds()) {
    if (anywhere && !kind.anywhere) continue;
    if ((at -= kind.weight) >= 0) continue;
    ++m_counts[QLatin1String(kind.name)];
    return (this->*kind.act)();
  }
}

// Restricts file dialogs to the given files and folder.
void ClumsyPerson::answer(QFileDialog& dialog) {
  const bool chosen = below(2) == 0;
  const fs::path file = dialog.acceptMode() == QFileDialog::AcceptSave
                            ? m_belongings.folder / ("saved-" + std::to_string(below(kFilesWritten)))
                        : dialog.fileMode() == QFileDialog::Directory ? m_belongings.folder
                                                                      : anyOf(m_belongings.files);
  say(chosen ? QStringLiteral("chosen: %1").arg(QString::fromStdString(file.string()))
             : QStringLiteral("no file"),
      &dialog);
  if (chosen) dialog.selectFile(QString::fromStdString(file.string()));
  QMetaObject::invokeMethod(&dialog, chosen ? "accept" : "reject");
}

void ClumsyPerson::say(const QString& what, const QWidget* where, QPoint at) {
  if (!log) return;
  QString line = QStringLiteral("%1 %2").arg(m_number).arg(what);
  if (where != nullptr) {
    line += QStringLiteral(" %1,%2").arg(at.x()).arg(at.y());
    for (const QWidget* each = where; each != nullptr;
         each = each->isWindow() ? nullptr : each->parentWidget())
      line += QStringLiteral(" < ") + nameOf(each);
  }
  log(line);
}

int ClumsyPerson::below(int end) {
  return end <= 0 ? 0 : static_cast<int>(m_random() % static_cast<unsigned>(end));
}

template <typename List>
auto ClumsyPerson::anyOf(const List& list) -> decltype(list[0]) {
  using Index = decltype(list.size());
  return list[static_cast<Index>(below(static_cast<int>(list.size())))];
}

bool ClumsyPerson::showsSomethingElse() const {
  return QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr;
}

QWidget* ClumsyPerson::anyWidget() {
  QWidget* front = QApplication::activePopupWidget();
  if (front == nullptr) front = QApplication::activeModalWidget();
  if (front == nullptr) {
    QWidgetList windows = QApplication::topLevelWidgets();  // floating panels among them
    windows.removeIf([](const QWidget* each) {
      return !each->isVisible() || each->windowType() == Qt::ToolTip || each->windowHandle() == nullptr;
    });
    front = windows.isEmpty() || below(4) > 0 ? &m_window : anyOf(windows);
  }
  QWidgetList widgets{front};
  for (QWidget* widget : front->findChildren<QWidget*>()) {
    if (widget->isVisible() && widget->isEnabled() && widget->width() > 2 && widget->height() > 2 &&
        widget->window() == front)
      widgets.append(widget);
  }
  return anyOf(widgets);
}

template <typename Widget>
Widget* ClumsyPerson::seen(const char* name) {
  QList<Widget*> widgets =
      *name == '\0' ? m_window.findChildren<Widget*>() : m_window.findChildren<Widget*>(QLatin1String(name));
  widgets.removeIf([](const Widget* each) { return !each->isVisible(); });
  return widgets.isEmpty() ? nullptr : anyOf(widgets);
}

ClumsyPerson::Place ClumsyPerson::anyPlace() {
  QWidget* widget = anyWidget();
  return {widget, QPoint(below(widget->width()), below(widget->height()))};
}

void ClumsyPerson::press(const Place& place, Qt::MouseButton button, Qt::KeyboardModifiers keys, bool twice) {
  QWidget* window = place.widget->window();
  const QPoint at = place.widget->mapTo(window, place.at);
  if (window->windowHandle() == nullptr || !window->rect().contains(at)) return;
  if (twice)
    QTest::mouseDClick(window->windowHandle(), button, keys, at);
  else
    QTest::mouseClick(window->windowHandle(), button, keys, at);
  m_events += twice ? 3 : 1;  // further presses and releases
}

void ClumsyPerson::click() {
  const Place place = anyPlace();
  say(QStringLiteral("click"), place.widget, place.at);
  press(place, Qt::LeftButton, below(8) == 0 ? Qt::ShiftModifier : Qt::NoModifier, false);
}

void ClumsyPerson::rightClick() {
  const Place place = anyPlace();
  say(QStringLiteral("right click"), place.widget, place.at);
  press(place, Qt::RightButton, {}, false);
}

void ClumsyPerson::doubleClick() {
  const Place place = anyPlace();
  say(QStringLiteral("double click"), place.widget, place.at);
  press(place, Qt::LeftButton, {}, true);
}

void ClumsyPerson::move() {
  const Place place = anyPlace();
  QWidget* window = place.widget->window();
  say(QStringLiteral("move"), place.widget, place.at);
  if (window->windowHandle() != nullptr)
    QTest::mouseMove(window->windowHandle(), place.widget->mapTo(window, place.at));
}

// Drags between two points of the same window or widget.
void ClumsyPerson::drag() {
  const Place from = anyPlace();
  QPointer<QWidget> window = from.widget->window();
  const QWidget* within = below(3) == 0 ? window.data() : from.widget.data();
  const QPoint start = from.widget->mapTo(window, from.at);
  const QPoint end = within->mapTo(window, QPoint(below(within->width()), below(within->height())));
  const Qt::KeyboardModifiers keys = below(3) == 0 ? Qt::ShiftModifier : Qt::NoModifier;
  say(QStringLiteral("drag to %1,%2 from").arg(end.x()).arg(end.y()), from.widget, from.at);
  const auto shown = [&] { return window && window->windowHandle() != nullptr; };
  if (!shown() || !window->rect().contains(start)) return;
  QTest::mousePress(window->windowHandle(), Qt::LeftButton, keys, start);
  for (int i = 1; i <= 4 && shown(); ++i, ++m_events)
    QTest::mouseMove(window->windowHandle(), start + (end - start) * i / 4);
  ++m_events;
  if (shown()) QTest::mouseRelease(window->windowHandle(), Qt::LeftButton, keys, end);
}

void ClumsyPerson::wheel() {
  const Place place = anyPlace();
  say(QStringLiteral("wheel"), place.widget, place.at);
  QWheelEvent event(place.at, place.widget->mapToGlobal(place.at), {}, {0, below(2) == 0 ? 120 : -120},
                    Qt::NoButton, below(6) == 0 ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(place.widget, &event);
}

void ClumsyPerson::key() {
  static constexpr Qt::Key kKeys[] = {
      Qt::Key_Up,      Qt::Key_Down,   Qt::Key_Left,     Qt::Key_Right,       Qt::Key_Home,
      Qt::Key_End,     Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Escape,      Qt::Key_Tab,
      Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Space,    Qt::Key_BracketLeft, Qt::Key_BracketRight,
      Qt::Key_Delete,  Qt::Key_7,      Qt::Key_S};
  QPointer<QWidget> widget = QApplication::focusWidget();
  if (!widget || below(4) == 0) widget = anyWidget();
  const Qt::Key key = kKeys[below(std::size(kKeys))];
  say(QKeySequence(key).toString(), widget);
  ++m_events;
  const Qt::KeyboardModifiers keys = below(10) == 0 ? Qt::ShiftModifier : Qt::NoModifier;
  QTest::keyPress(widget, key, keys);
  if (widget) QTest::keyRelease(widget, key, keys);  // the press may have closed it
}

void ClumsyPerson::type() {
  static constexpr const char* kTexts[] = {
      "layer > 3", "L1", "ap_drop < 0.5 and r_q > 0.9", "the", "  ", "12", "marked", "((", "\xC3\xBC"};
  QPointer<QWidget> widget = QApplication::focusWidget();
  if (!widget) widget = anyWidget();
  const QString text = QString::fromUtf8(kTexts[below(std::size(kTexts))]);
  say(QStringLiteral("typed \"%1\"").arg(text), widget);
  for (const QChar letter : text) {
    if (!widget) return;
    QKeyEvent press(QEvent::KeyPress, 0, Qt::NoModifier, QString(letter));
    QApplication::sendEvent(widget, &press);
    ++m_events;
  }
}

void ClumsyPerson::command() {
  QList<QAction*> actions = m_window.findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly);
  actions.removeIf([](const QAction* each) { return !each->isEnabled() || each->objectName().isEmpty(); });
  QAction* action = anyOf(actions);
  if (action->objectName() == QLatin1String("actionQuit") && below(10) > 0) return;
  if (action->objectName() == QLatin1String("actionToPage") && ++m_panels > kMaxPanels) return;
  say(QStringLiteral("command ") + action->objectName());
  action->trigger();
}

// Floats, closes, shows, moves or stacks a dock.
void ClumsyPerson::changeDock() {
  PanelWindow* panels = m_window.tabs().panels();
  QMainWindow* house = panels != nullptr && below(3) > 0 ? static_cast<QMainWindow*>(panels) : &m_window;
  QList<QDockWidget*> docks = house->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
  if (docks.isEmpty()) return;
  QDockWidget* dock = anyOf(docks);
  static constexpr Qt::DockWidgetArea kAreas[] = {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea,
                                                  Qt::TopDockWidgetArea, Qt::BottomDockWidgetArea};
  const int what = below(6);
  say(QStringLiteral("dock, way %1").arg(what), dock);
  if (what == 0) dock->setFloating(!dock->isFloating());
  if (what == 1 || what == 2) dock->toggleViewAction()->trigger();
  if (what == 3) house->addDockWidget(kAreas[below(4)], dock);
  if (what == 4) dock->raise();
  if (what == 5 && panels != nullptr && below(3) == 0) panels->resetLayout();
}

void ClumsyPerson::changeTab() {
  auto* tabs = m_window.findChild<QTabWidget*>(QStringLiteral("tabs"));
  const int tab = below(tabs->count());
  const bool closed = below(3) == 0;
  say(QStringLiteral("tab %1 %2").arg(tab).arg(closed ? QStringLiteral("closed") : QStringLiteral("chosen")));
  if (closed)
    Q_EMIT tabs->tabCloseRequested(tab);
  else if (below(4) == 0)
    tabs->tabBar()->moveTab(tab, below(tabs->count()));
  else
    tabs->setCurrentIndex(tab);
}

void ClumsyPerson::openFile() {
  auto* tabs = m_window.findChild<QTabWidget*>(QStringLiteral("tabs"));
  if (tabs->count() > kMaxTabs) Q_EMIT tabs->tabCloseRequested(below(tabs->count()));
  const fs::path& file = anyOf(m_belongings.files);
  say(QStringLiteral("open ") + QString::fromStdString(file.filename().string()));
  m_window.openPaths({file});
}

void ClumsyPerson::compare() {
  SessionTab start;
  for (int i = 2 + below(3); i > 0; --i) start.compared.push_back(anyOf(m_belongings.files));
  start.compare.charts = below(2) == 0;
  say(QStringLiteral("comparison of %1").arg(start.compared.size()));
  m_window.openComparison(start);
}

void ClumsyPerson::filterHeads() {
  static constexpr const char* kFilters[] = {"",       "layer > 3", "L1", "ap_drop < 0.5", "r_q > 0.9 and",
                                             "marked", "x"};
  auto* line = seen<QLineEdit>("headFilter");
  if (line == nullptr) return;
  const char* text = kFilters[below(std::size(kFilters))];
  say(QStringLiteral("filter \"%1\"").arg(text), line);
  line->setText(QString::fromUtf8(text));
}

void ClumsyPerson::chooseHead() {
  ModelPage* page = m_window.currentPage();
  if (page == nullptr || page->model().heads().empty()) return;
  const HeadName head = anyOf(page->model().heads());
  say(QStringLiteral("head ") + QString::fromStdString(head.text()));
  page->selection().setHead(head);
}

void ClumsyPerson::changeTheme() {
  const bool dark = below(2) == 0;
  say(dark ? QStringLiteral("dark") : QStringLiteral("light"));
  m_window.setTheme(dark ? QStringLiteral("dark") : QStringLiteral("light"));
}

void ClumsyPerson::resizeWindow() {
  const QSize size(800 + below(800), 560 + below(440));
  say(QStringLiteral("resize %1 x %2").arg(size.width()).arg(size.height()));
  m_window.resize(size);
}

void ClumsyPerson::stepBack() {
  Selection* selection = m_window.tabs().selection();
  const bool back = below(3) > 0;
  if (selection == nullptr || !(back ? selection->canUndo() : selection->canRedo())) return;
  say(back ? QStringLiteral("undo") : QStringLiteral("redo"));
  back ? selection->undo() : selection->redo();
}

void ClumsyPerson::beginCapture() {
  if (!m_belongings.capture || m_session.captures.running()) return;
  CaptureRequest request = *m_belongings.capture;
  const std::string number = std::to_string(below(kFilesWritten));
  request.out = m_belongings.folder / ("captured-" + number + ".h5");
  request.fresh = below(2) == 0;
  say(QStringLiteral("capture"));
  std::error_code ignored;
  fs::remove(request.out, ignored);
  m_session.captures.start(request);
}

void ClumsyPerson::beginAnalysis() {
  ModelPage* page = m_window.currentPage();
  if (page == nullptr || page->study().capture == nullptr || m_session.jobs.active().size() > 3) return;
  AnalysisSettings settings;
  settings.pairs = below(2) == 0 ? 0 : 512;
  const std::string number = std::to_string(below(kFilesWritten));
  say(QStringLiteral("analysis"));
  m_session.studyJobs.analyze(
      {page->study().capture, settings, m_belongings.folder / ("again-" + number + ".analysis.h5"), nullptr},
      {});
}

void ClumsyPerson::cancelJob() {
  const QList<JobHandle*>& jobs = m_session.jobs.active();
  if (jobs.isEmpty()) return;
  JobHandle* job = anyOf(jobs);
  say(QStringLiteral("cancel ") + job->title());
  job->cancel();
}

}  // namespace plastiscope::test
