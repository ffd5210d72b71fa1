#include "widgets/pages/library_panel.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QUrl>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

// Label elided with "…" instead of widening the panel; the full text is in the tool tip.
class DetailLabel : public QLabel {
 public:
  DetailLabel(const QString& text, QWidget* parent) : QLabel(parent), m_full(text) {
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setToolTip(plainTip(text));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setMinimumWidth(20);
    setText(text);
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    setText(fontMetrics().elidedText(m_full, Qt::ElideRight, width()));
    QLabel::resizeEvent(event);
  }

 private:
  QString m_full;
};

}  // namespace

LibraryPanel::LibraryPanel(LibraryModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_proxy(new QSortFilterProxyModel(this)),
      m_filter(named("libraryFilter", new QLineEdit(this))),
      m_tree(named("libraryTree", new QTreeView(this))) {
  m_filter->setPlaceholderText(tr("Filter library"));
  m_filter->setAccessibleName(tr("Filter library"));
  m_filter->addAction(lineIcon(QStringLiteral("filter"), QStringLiteral("muted")),
                      QLineEdit::LeadingPosition);
  m_filter->setClearButtonEnabled(true);
  m_proxy->setSourceModel(&model);
  m_proxy->setRecursiveFilteringEnabled(true);
  m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_tree->setAccessibleName(tr("Library: models, captures, analyses"));
  m_tree->setModel(m_proxy);
  m_tree->setHeaderHidden(true);
  m_tree->setIndentation(14);
  m_tree->setIconSize({14, 14});
  m_tree->setDragEnabled(true);
  m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_tree->setItemDelegate(new LibraryDelegate(m_tree));
  m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
  m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_tree->setUniformRowHeights(true);
  m_tree->expandAll();
  auto* top = columnOf({m_filter}, {.margins = {6, 6, 6, 6}});
  columnIn(this, {top, {m_tree, 1}}, {.margins = {}, .spacing = 0});

  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_proxy->setFilterFixedString(text);
    m_tree->expandAll();
  });
  // The model is rebuilt as a whole: expands everything again and restores the selection by path.
  connect(&m_model, &QAbstractItemModel::rowsInserted, this, &LibraryPanel::rebuilt, Qt::QueuedConnection);
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
    if (const LibraryEntry* entry = selected()) m_chosen = entry->path;
    Q_EMIT selectionChanged();
  });
  connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
    if (const LibraryEntry* entry = m_model.entryAt(m_proxy->mapToSource(index))) Q_EMIT opened(entry->path);
  });
  connect(m_tree, &QWidget::customContextMenuRequested, this, &LibraryPanel::showMenu);
}

void LibraryPanel::select(const std::filesystem::path& path) {
  const QSignalBlocker quiet(this);
  m_chosen = path;
  m_tree->setCurrentIndex(m_proxy->mapFromSource(m_model.indexOf(path)));
}

void LibraryPanel::rebuilt() {
  m_tree->expandAll();
  if (!m_tree->currentIndex().isValid() && !m_chosen.empty()) select(m_chosen);
}

const LibraryEntry* LibraryPanel::selected() const {
  return m_model.entryAt(m_proxy->mapToSource(m_tree->currentIndex()));
}

namespace {

void addPlaces(QMenu& menu, const std::filesystem::path& path) {
  QObject::connect(menu.addAction(LibraryPanel::tr("Copy path")), &QAction::triggered,
                   [path] { QGuiApplication::clipboard()->setText(fileText(path)); });
  QObject::connect(menu.addAction(LibraryPanel::tr("Show in file manager")), &QAction::triggered,
                   [path] { QDesktopServices::openUrl(urlOfFile(path.parent_path())); });
  menu.addSeparator();
}

}  // namespace

bool LibraryPanel::addSeveral(QMenu& menu) {
  std::vector<std::filesystem::path> studies;
  for (const QModelIndex& index : m_tree->selectionModel()->selectedIndexes()) {
    const LibraryEntry* entry = m_model.entryAt(m_proxy->mapToSource(index));
    if (entry != nullptr && entry->kind != EntryKind::Model) studies.push_back(entry->path);
  }
  if (studies.size() < 2) return false;
  connect(menu.addAction(lineIcon(QStringLiteral("open")), tr("Open %1 studies").arg(studies.size())),
          &QAction::triggered, this, [this, studies] {
            for (const auto& study : studies) Q_EMIT opened(study);
          });
  connect(menu.addAction(lineIcon(QStringLiteral("chart")), tr("Compare %1 studies").arg(studies.size())),
          &QAction::triggered, this, [this, studies] { Q_EMIT comparisonRequested(studies); });
  return true;
}

void LibraryPanel::showMenu(const QPoint& place) {
  QMenu menu;
  if (addSeveral(menu)) {
    menu.exec(m_tree->viewport()->mapToGlobal(place));
    return;
  }
  const LibraryEntry* entry = m_model.entryAt(m_proxy->mapToSource(m_tree->indexAt(place)));
  if (entry) {
    const std::filesystem::path path = entry->path;
    if (entry->kind == EntryKind::Model) {
      connect(menu.addAction(lineIcon(QStringLiteral("capture")), tr("Capture with this model …")),
              &QAction::triggered, this, [this, path] { Q_EMIT captureRequested(path); });
    } else if (entry->kind == EntryKind::Published) {
      connect(menu.addAction(lineIcon(QStringLiteral("chart")), tr("Compare")), &QAction::triggered, this,
              [this, path] { Q_EMIT compareRequested(path); });
    } else {
      connect(menu.addAction(lineIcon(QStringLiteral("open")), tr("Open")), &QAction::triggered, this,
              [this, path] { Q_EMIT opened(path); });
      connect(menu.addAction(lineIcon(QStringLiteral("chart")), tr("Compare")), &QAction::triggered, this,
              [this, path] { Q_EMIT compareRequested(path); });
    }
    if (entry->kind != EntryKind::Published) addPlaces(menu, path);  // built into the program
  }
  connect(menu.addAction(lineIcon(QStringLiteral("reset")), tr("Search again")), &QAction::triggered, this,
          &LibraryPanel::refreshRequested);
  menu.exec(m_tree->viewport()->mapToGlobal(place));
}

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent),
      m_icon(new IconLabel(16, this)),
      m_name(new QLabel(this)),
      m_empty(new QLabel(this)),
      m_body(new QWidget(this)) {
  m_name->setProperty("strong", true);
  m_name->setTextFormat(Qt::PlainText);
  m_name->setWordWrap(true);
  m_empty->setProperty("muted", true);
  m_empty->setWordWrap(true);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setText(tr("Select a model, a capture or an analysis"));
  auto* head = rowOf({m_icon, {m_name, 1}}, {.spacing = 6});
  columnIn(m_body, {head, Stretch()}, {.margins = {10, 8, 8, 8}, .spacing = 6});
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(m_body);
  scroll->viewport()->setAutoFillBackground(false);
  m_body->setAutoFillBackground(false);
  columnIn(this, {m_empty, scroll}, {.margins = {}});
  clear();
}

void DetailsPanel::clear() {
  m_body->parentWidget()->parentWidget()->hide();
  m_empty->show();
}

void DetailsPanel::show(const LibraryEntry& entry) {
  m_empty->hide();
  m_body->parentWidget()->parentWidget()->show();
  m_icon->setIcon(captureIcon(entry.digest, entry.architecture));
  m_name->setText(entry.name);
  delete m_rows;
  m_rows = new QWidget(m_body);
  auto* grid = new QGridLayout(m_rows);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(1, 1);
  QFont font = this->font();
  font.setPointSizeF(font.pointSizeF() - 0.75);
  int row = 0;
  for (const auto& [label, value] : entry.card) {
    auto* name = styledLabel(label, "muted", m_rows);
    name->setFont(font);
    auto* text = new DetailLabel(value, m_rows);
    text->setFont(font);
    grid->addWidget(name, row, 0);
    grid->addWidget(text, row++, 1);
  }
  static_cast<QVBoxLayout*>(m_body->layout())->insertWidget(1, m_rows);
}

}  // namespace plastiscope

#include "moc_library_panel.cpp"
