#pragma once
// Help dock: explains the view under the pointer, the current metric and every other view, with formula,
// unit, sign and caveat.
#include <QHash>
#include <QImage>
#include <QSet>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>
#include <deque>
#include <string>
#include <vector>

#include "widgets/jobs/job_runner.h"

namespace plastiscope {

class HelpPanel : public QTextBrowser {
  Q_OBJECT
 public:
  explicit HelpPanel(Workers& workers, QWidget* parent = nullptr);
  void showMetric(const std::string& column);
  // Kind of the current tab: "compare", "benchmarks", or "" for others. Its entry comes first.
  void showPage(const QString& page);
  // Shows the entry of the view with pointer or focus first: a view of the catalogue, a dock of a
  // comparison, ...; without one the page's entry.
  void showView(const QString& view);

  // True if all entries and pictures are loaded.
  bool settled() const { return m_rest.empty() && m_wanted.isEmpty() && !m_reader.running(); }

  struct Entry {
    QString title, text;
    QString view, picture;  // may be empty
  };

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  QVariant loadResource(int type, const QUrl& name) override;

 private:
  void showFirst(const QString& view);
  // Shows the first entries at once and adds the others one by one: laying out all would block the window.
  void render();
  void addNext();
  int widthOfPictures() const;
  void readPictures();
  std::vector<Entry> m_entries;
  std::string m_metric;
  int m_pictureWidth = 0;
  QHash<QUrl, QImage> m_pictures;   // at the current width
  QSet<QUrl> m_wanted;              // requested pictures that are not loaded yet
  QString m_page, m_view;           // view whose entry comes first; "" = none
  std::deque<const Entry*> m_rest;  // not added yet
  QTimer m_next;
  JobRunner m_reader;
};

}  // namespace plastiscope
