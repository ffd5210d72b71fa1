#pragma once
// The library as a tree: Models, Captures, Analyses; within each, families with their mark and their entries.
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <vector>

#include "widgets/models/library_entry.h"

namespace plastiscope {

class LibraryModel : public QStandardItemModel {
  Q_OBJECT
 public:
  // Path as text; section: true for headings.
  enum Role { PathRole = Qt::UserRole + 1, NoteRole, SectionRole };

  explicit LibraryModel(QObject* parent = nullptr);

  // Replaces the content of one section.
  void setModels(const std::vector<LibraryEntry>& entries) { replace({EntryKind::Model}, entries); }
  void setStudies(const std::vector<LibraryEntry>& entries) {
    replace({EntryKind::Capture, EntryKind::Analysis}, entries);
  }
  // Adds an entry or replaces the one with the same path; returns its index.
  QModelIndex add(const LibraryEntry& entry);

  const LibraryEntry* entryAt(const QModelIndex& index) const;  // nullptr for headings
  const LibraryEntry* entryOf(const std::filesystem::path& path) const;
  QModelIndex indexOf(const std::filesystem::path& path) const;
  std::vector<LibraryEntry> entries(EntryKind kind) const;

 protected:
  QMimeData* mimeData(const QModelIndexList& indexes) const override;  // file URLs, for dragging
  QStringList mimeTypes() const override;

 private:
  void replace(std::initializer_list<EntryKind> kinds, const std::vector<LibraryEntry>& entries);
  void rebuild();

  std::vector<LibraryEntry> m_entries;
};

// Draws entries with their note at the right edge, and headings in bold with a count.
class LibraryDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Properties of an entry as rich text for tool tips.
QString cardText(const LibraryEntry& entry);

}  // namespace plastiscope
