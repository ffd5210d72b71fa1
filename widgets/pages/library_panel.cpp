#include "widgets/pages/library_panel.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {

LibraryPanel::LibraryPanel(LibraryModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_proxy(new QSortFilterProxyModel(this)),
      m_filter(new QLineEdit(this)),
      m_tree(new QTreeView(this)) {
  m_filter->setObjectName(QStringLiteral("libraryFilter"));
  m_filter->setPlaceholderText(tr("Filter library"));
  m_filter->setAccessibleName(tr("Filter library"));
  m_filter->addAction(lineIcon(QStringLiteral("filter"), QStringLiteral("muted")),
                      QLineEdit::LeadingPosition);
  m_filter->setClearButtonEnabled(true);
  m_proxy->setSourceModel(&model);
  m_proxy->setRecursiveFilteringEnabled(true);
  m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_tree->setObjectName(QStringLiteral("libraryTree"));
  m_tree->setAccessibleName(tr("Library: models, captures, analyses"));
  m_tree->setModel(m_proxy);
  m_tree->setHeaderHidden(true);
  m_tree->setIndentation(14);
  m_tree->setIconSize({14, 14});
  m_tree->setDragEnabled(true);
  m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_tree->setItemDelegate(new LibraryDelegate(m_tree));
  m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
  m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_tree->setUniformRowHeights(true);
  m_tree->expandAll();
  auto* top = new QVBoxLayout;
  top->setContentsMargins(6, 6, 6, 6);
  top->addWidget(m_filter);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(m_tree, 1);

  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_proxy->setFilterFixedString(text);
    m_tree->expandAll();
  });
  // The model is rebuilt as a whole: everything is open again, the choice is kept by its path.
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

void LibraryPanel::showMenu(const QPoint& place) {
  QMenu menu;
  const LibraryEntry* entry = m_model.entryAt(m_proxy->mapToSource(m_tree->indexAt(place)));
  if (entry) {
    const std::filesystem::path path = entry->path;
    if (entry->kind == EntryKind::Model) {
      connect(menu.addAction(lineIcon(QStringLiteral("capture")), tr("Capture with this model …")),
              &QAction::triggered, this, [this, path] { Q_EMIT captureRequested(path); });
    } else {
      connect(menu.addAction(lineIcon(QStringLiteral("open")), tr("Open")), &QAction::triggered, this,
              [this, path] { Q_EMIT opened(path); });
      connect(menu.addAction(lineIcon(QStringLiteral("chart")), tr("Compare")), &QAction::triggered, this,
              [this, path] { Q_EMIT compareRequested(path); });
    }
    connect(menu.addAction(tr("Copy path")), &QAction::triggered, this,
            [path] { QGuiApplication::clipboard()->setText(fileText(path)); });
    connect(menu.addAction(tr("Show in file manager")), &QAction::triggered, this,
            [path] { QDesktopServices::openUrl(urlOfFile(path.parent_path())); });
    menu.addSeparator();
  }
  connect(menu.addAction(lineIcon(QStringLiteral("reset")), tr("Search again")), &QAction::triggered, this,
          &LibraryPanel::refreshRequested);
  menu.exec(m_tree->viewport()->mapToGlobal(place));
}

}  // namespace plastiscope
