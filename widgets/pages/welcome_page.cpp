#include "widgets/pages/welcome_page.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kBodyWidth = 1224, kFileRowHeight = 34, kShownModels = 6, kShownRecent = 6,
              kListHeight = kShownModels * kFileRowHeight + 86;
constexpr QSize kPicture(176, 126);
constexpr int kBesideBody = 40, kInHero = 20;  // margins
constexpr int kHeroText = 420;                 // minimum width of the text beside pictures

// A framed row or card that works like a button: mouse, Enter and Space.
class ClickFrame : public QFrame {
 public:
  explicit ClickFrame(QWidget* parent) : QFrame(parent) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
  }
  void onClick(std::function<void()> run) { m_run = std::move(run); }

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) run();
  }
  void keyPressEvent(QKeyEvent* event) override {
    const bool press =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    press ? run() : QFrame::keyPressEvent(event);
  }

 private:
  void run() {
    const auto chosen = m_run;  // a copy: the action may delete this row
    chosen();
  }

  std::function<void()> m_run;
};

// Label that looks like a key of a keyboard.
QLabel* keyCap(const QString& key, QWidget* parent) {
  QLabel* label = styledLabel(key, "key", parent, -1);
  label->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  return label;
}

QLabel* picture(const QIcon& icon, int side, QWidget* parent) {
  auto* label = new IconLabel(side, parent, icon);
  label->setFixedWidth(side);
  return label;
}

QPushButton* link(const QString& text, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setProperty("link", true);
  button->setCursor(Qt::PointingHandCursor);
  return button;
}

// Icon, name and muted remark; a note at the right edge may follow.
ClickFrame* listRow(const QIcon& icon, const QString& name, const QString& remark, QWidget* parent) {
  auto* row = new ClickFrame(parent);
  row->setProperty("row", true);
  row->setFixedHeight(kFileRowHeight);
  auto* title = styledLabel(name, nullptr, row);
  auto* detail = styledLabel(remark, "muted", row, -0.5);
  detail->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  rowIn(row, {picture(icon, 16, row), title, {detail, 1}}, {.margins = {10, 0, 10, 0}, .spacing = 8});
  row->setAccessibleName(name);
  return row;
}

void clear(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

QString dayText(std::int64_t seconds) {
  const QDate day = QDateTime::fromSecsSinceEpoch(seconds).date();
  const qint64 ago = day.daysTo(QDate::currentDate());
  if (seconds <= 0) return {};
  if (ago <= 0) return WelcomePage::tr("today");
  if (ago == 1) return WelcomePage::tr("yesterday");
  return ago < 7 ? QLocale().dayName(day.dayOfWeek()) : QLocale().toString(day, QLocale::ShortFormat);
}

QLabel* fitsNote(const LibraryEntry& entry, QWidget* parent) {
  if (entry.note == QObject::tr("not usable")) return styledLabel(entry.note, "bad", parent, -0.5);
  return entry.fits ? styledLabel(QObject::tr("✓ fits in memory"), "good", parent, -0.5)
                    : styledLabel(QObject::tr("⚠ streamed from disk"), "caution", parent, -0.5);
}

QFrame* card(const char* kind, QWidget* parent) {
  auto* frame = new QFrame(parent);
  frame->setProperty("card", QString::fromLatin1(kind));
  return frame;
}

// Card with a heading line and a list of rows.
struct ListCard {
  QFrame* frame;
  QHBoxLayout* heading;
  QVBoxLayout* rows;
  QHBoxLayout* foot;
};
ListCard listCard(const QString& title, QWidget* parent) {
  ListCard result{card("true", parent), new QHBoxLayout, new QVBoxLayout, new QHBoxLayout};
  result.heading->setContentsMargins(10, 10, 10, 10);
  result.heading->addWidget(styledLabel(title, "strong", result.frame));
  result.heading->addStretch(1);
  result.frame->setMinimumHeight(kListHeight);
  result.rows->setSpacing(0);
  result.foot->setContentsMargins(6, 6, 10, 8);
  columnIn(result.frame, {result.heading, result.rows, Stretch(), result.foot},
           {.margins = {1, 0, 1, 0}, .spacing = 0});
  return result;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("welcomePage"));
  auto* body = named("welcomeBody", new QWidget);
  body->setMaximumWidth(kBodyWidth + 80);
  QLabel* title = styledLabel(tr("Plastiscope"), "strong", body, 10);
  QFont bold = title->font();
  bold.setWeight(QFont::DemiBold);
  title->setFont(bold);
  QLabel* sentence = styledLabel(
      tr("Attention plasticity measures how far a new query can still change which of two earlier tokens "
         "scores higher: near 1 its content decides, near 0 the order is the same for every query."),
      "muted", body, 0.75);
  sentence->setWordWrap(true);
  columnIn(
      body,
      {title, sentence, Gap{4}, buildExample(), buildActions(), buildLists(), buildDropHint(), Stretch()},
      {.margins = {kBesideBody, 32, kBesideBody, 24}, .spacing = 12});
  auto* centre = named("welcomeBody", new QWidget);
  rowIn(centre, {Stretch(), {body, 100}, Stretch()}, {.margins = {}});
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(centre);
  columnIn(this, {scroll}, {.margins = {}});
  setRecent({});
  setModelsSearching();
  setExample({});
}

// Shows as many pictures as fit beside the text without scrolling.
void WelcomePage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showPictures();
}

void WelcomePage::showPictures() {
  const int room = width() - 2 * (kBesideBody + kInHero) - kHeroText;
  for (std::size_t i = 0; i < m_pictures.size(); ++i) {
    const int needed = static_cast<int>(i + 1) * (kPicture.width() + kInHero);
    m_pictures[i]->parentWidget()->setVisible(m_exampleButton->isEnabled() && needed <= room);
  }
}

QWidget* WelcomePage::buildExample() {
  QFrame* frame = card("hero", this);
  m_exampleText = named("exampleText", styledLabel({}, "muted", frame));
  m_exampleText->setWordWrap(true);
  m_exampleButton = named("openExample", new QPushButton(tr("Open the example"), frame));
  m_exampleButton->setProperty("main", true);
  m_exampleButton->setMinimumHeight(32);
  connect(m_exampleButton, &QPushButton::clicked, this, &WelcomePage::exampleRequested);
  m_tour = named("takeTour", new QPushButton(tr("Take the tour"), frame));
  m_tour->setMinimumHeight(32);
  m_tour->setToolTip(tr("The example in six steps"));
  connect(m_tour, &QPushButton::clicked, this, &WelcomePage::tourRequested);
  QPushButton* help = link(tr("What the numbers mean"), frame);
  connect(help, &QPushButton::clicked, this, &WelcomePage::helpRequested);
  auto* buttons = rowOf({m_exampleButton, m_tour, Gap{8}, help, Stretch()});
  QLabel* title = styledLabel(tr("Explore the example"), "strong", frame, 3);
  auto* left = columnOf({Stretch(), title, m_exampleText, Gap{4}, buttons, Stretch()}, {.spacing = 8});
  auto* row = rowIn(frame, {{left, 1}}, {.margins = {kInHero, 16, kInHero, 14}, .spacing = kInHero});
  const QString captions[] = {tr("Heads by layer"), tr("Queries and keys of a head"),
                              tr("Plasticity over position")};
  for (std::size_t i = 0; i < m_pictures.size(); ++i) {
    auto* host = new QWidget(frame);
    m_pictures[i] = new QLabel(host);
    m_pictures[i]->setFixedSize(kPicture);
    m_pictures[i]->setProperty("card", QStringLiteral("true"));
    m_pictures[i]->setAlignment(Qt::AlignCenter);
    QLabel* caption = styledLabel(captions[i], "muted", host, -0.5);
    caption->setAlignment(Qt::AlignCenter);
    columnIn(host, {m_pictures[i], caption}, {.margins = {}, .spacing = 4});
    row->addWidget(host);
  }
  return frame;
}

QWidget* WelcomePage::buildActions() {
  auto* host = new QWidget(this);
  auto* row = rowIn(host, {}, {.margins = {}, .spacing = 12});
  const auto add = [&](const QString& icon, const QString& title, const QString& remark, const QString& key,
                       auto signal) {
    auto* frame = new ClickFrame(host);
    frame->setProperty("card", QStringLiteral("action"));
    frame->setAccessibleName(title);
    auto* text = columnOf({styledLabel(title, "strong", frame), styledLabel(remark, "muted", frame, -0.5)},
                          {.spacing = 1});
    rowIn(frame, {picture(lineIcon(icon), 22, frame), {text, 1}, keyCap(key, frame)},
          {.margins = {14, 10, 14, 10}, .spacing = 14});
    frame->onClick(signal);
    row->addWidget(frame, 1);
  };
  add(QStringLiteral("open"), tr("Open"), tr("A capture, an analysis, a model or a session"),
      QStringLiteral("Ctrl+O"), [this] { Q_EMIT openRequested(); });
  add(QStringLiteral("capture"), tr("Capture"), tr("Run a model over texts, keep queries and keys"),
      QStringLiteral("Ctrl+N"), [this] { Q_EMIT captureRequested({}); });
  return host;
}

QWidget* WelcomePage::buildLists() {
  auto* host = new QWidget(this);
  ListCard models = listCard(tr("Models on this computer"), host);
  m_modelsNote = styledLabel(tr("Hugging Face cache, LM Studio, Ollama"), "muted", models.frame, -0.5);
  models.heading->addWidget(m_modelsNote);
  m_models = models.rows;
  QPushButton* add = link(tr("Add a folder …"), models.frame);
  m_showAll = link({}, models.frame);
  models.foot->addWidget(add);
  models.foot->addWidget(m_showAll);
  models.foot->addStretch(1);
  connect(add, &QPushButton::clicked, this, &WelcomePage::modelFolderRequested);
  connect(m_showAll, &QPushButton::clicked, this, [this] {
    m_allShown = !m_allShown;
    fillModels();
  });
  ListCard recent = listCard(tr("Recent"), host);
  m_recent = recent.rows;
  QPushButton* open = link(tr("Open a file …"), recent.frame);
  m_session = link(tr("Restore the last session"), recent.frame);
  m_session->hide();
  recent.foot->addWidget(open);
  recent.foot->addWidget(m_session);
  recent.foot->addStretch(1);
  connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
  connect(m_session, &QPushButton::clicked, this, &WelcomePage::sessionRequested);
  rowIn(host, {{models.frame, 1}, {recent.frame, 1}}, {.margins = {}, .spacing = 12});
  return host;
}

QWidget* WelcomePage::buildDropHint() {
  auto* frame = named("dropHint", new QFrame(this));
  frame->setFixedHeight(52);
  rowIn(frame,
        {Stretch(), picture(lineIcon(QStringLiteral("drop"), QStringLiteral("muted")), 16, frame),
         styledLabel(tr("Drop a model, a capture or texts anywhere in this window"), "muted", frame), Gap{24},
         keyCap(QStringLiteral("Ctrl+K"), frame), styledLabel(tr("every action"), "muted", frame), Gap{8},
         keyCap(QStringLiteral("F1"), frame), styledLabel(tr("shortcuts"), "muted", frame), Stretch()});
  return frame;
}

void WelcomePage::setExample(const std::optional<LibraryEntry>& example) {
  for (QPushButton* button : {m_exampleButton, m_tour}) button->setEnabled(example.has_value());
  showPictures();
  if (!example) return m_exampleText->setText(tr("The example capture was not found in the installation."));
  QString facts;
  for (const auto& [label, value] : example->card) {
    if (label == QObject::tr("Captured") || label == QObject::tr("Window") || label == QObject::tr("Texts")) {
      // Shortens "14, 42,259 tokens" to the number of texts.
      const QString fact = label == QObject::tr("Texts")
                               ? tr("%1 texts").arg(value.section(QStringLiteral(", "), 0, 0))
                               : value;
      facts += (facts.isEmpty() ? QString() : QStringLiteral("; ")) + fact;
    }
  }
  const QString model = example->card.isEmpty() ? example->name : example->card.front().second;
  m_exampleText->setText(
      tr("A shipped capture of %1: %2. It needs no model, no GPU and no network.").arg(model, facts));
}

void WelcomePage::setPreviews(const PreviewPictures& pictures) {
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    QPixmap pixmap = QPixmap::fromImage(pictures[i]);
    pixmap.setDevicePixelRatio(static_cast<double>(pictures[i].width()) / (kPicture.width() - 2));
    m_pictures[i]->setPixmap(pixmap);
  }
}

void WelcomePage::setModelsSearching() {
  clear(m_models);
  m_showAll->hide();
  QLabel* searching = styledLabel(tr("Searching …"), "muted", this);
  searching->setContentsMargins(10, 8, 10, 8);
  m_models->addWidget(searching);
}

void WelcomePage::setModels(const std::vector<LibraryEntry>& models) {
  m_modelEntries = models;
  fillModels();
}

void WelcomePage::fillModels() {
  clear(m_models);
  const auto count = static_cast<int>(m_modelEntries.size());
  const int shown = m_allShown ? count : std::min(count, kShownModels);
  for (int i = 0; i < shown; ++i) {
    const LibraryEntry& entry = m_modelEntries[static_cast<std::size_t>(i)];
    ClickFrame* row = listRow(captureIcon(entry.digest, entry.architecture), entry.name, entry.summary, this);
    row->layout()->addWidget(fitsNote(entry, row));
    row->setToolTip(tr("Capture with this model"));
    row->onClick([this, path = entry.path] { Q_EMIT captureRequested(path); });
    m_models->addWidget(row);
  }
  if (count == 0) {
    QLabel* none =
        styledLabel(tr("None found. Add a folder that holds models, or drop a model folder or a .gguf file."),
                    "muted", this);
    none->setWordWrap(true);
    none->setContentsMargins(10, 8, 10, 8);
    m_models->addWidget(none);
  }
  m_showAll->setText(m_allShown ? tr("Show fewer") : tr("Show all %1").arg(count));
  m_showAll->setVisible(count > kShownModels);
}

void WelcomePage::setRecent(const std::vector<RecentFile>& files) {
  clear(m_recent);
  int shown = 0;
  for (const RecentFile& file : files) {
    if (shown++ == kShownRecent) break;
    ClickFrame* row = listRow(file.isSession() ? lineIcon(QStringLiteral("file"))
                                               : familyIcon(QString::fromStdString(file.architecture)),
                              fileText(file.path.filename()), QString::fromStdString(file.note), this);
    row->layout()->addWidget(styledLabel(dayText(file.openedSeconds), "muted", row, -0.5));
    row->setToolTip(plainTip(fileText(file.path)));
    row->onClick([this, path = file.path] { Q_EMIT pathChosen(path); });
    m_recent->addWidget(row);
  }
  if (shown > 0) return;
  QLabel* none = styledLabel(tr("Files that you open appear here."), "muted", this);
  none->setContentsMargins(10, 8, 10, 8);
  m_recent->addWidget(none);
}

void WelcomePage::setSessionAvailable(bool available) {
  m_session->setVisible(available);
}

}  // namespace plastiscope

#include "moc_welcome_page.cpp"
