#pragma once
// The help dock: what the view under the pointer, the metric in use and every other view mean, with formula,
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
  // The tab in front: "compare", "benchmarks", or none of its own. Its entry comes first.
  void showPage(const QString& page);
  // The entry of what the pointer or the keyboard is in comes first: a view of the catalogue, a dock of a
  // comparison, ...; the page's where that has none.
  void showView(const QString& view);

  // No entry and no picture is awaited.
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
  // What comes first at once, the other entries one by one: laid out together they would hold the window up.
  void render();
  void addNext();
  int widthOfPictures() const;
  void readPictures();
  std::vector<Entry> m_entries;
  std::string m_metric;
  int m_pictureWidth = 0;
  QHash<QUrl, QImage> m_pictures;   // in that width
  QSet<QUrl> m_wanted;              // pictures that are asked for and not there yet
  QString m_page, m_view;           // the view whose entry comes first; "" = none
  std::deque<const Entry*> m_rest;  // not there yet
  QTimer m_next;
  JobRunner m_reader;
};

}  // namespace plastiscope
