#pragma once
// Welcome page: purpose of the program, shipped example, first steps, models found, recent files.
#include <QWidget>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "widgets/models/library_entry.h"
#include "widgets/pages/preview_pictures.h"
#include "widgets/state/app_settings.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace plastiscope {

class WelcomePage : public QWidget {
  Q_OBJECT
 public:
  explicit WelcomePage(QWidget* parent = nullptr);

  void setExample(const std::optional<LibraryEntry>& example);  // nullopt: not shipped with this build
  void setPreviews(const PreviewPictures& pictures);
  void setModels(const std::vector<LibraryEntry>& models);
  void setModelsSearching();
  void setRecent(const std::vector<RecentFile>& files);
  void setSessionAvailable(bool available);

 Q_SIGNALS:
  void exampleRequested();
  void openRequested();
  void captureRequested(const std::filesystem::path& model);  // empty: no particular model
  void pathChosen(const std::filesystem::path& path);
  void modelFolderRequested();
  void sessionRequested();
  void helpRequested();
  void tourRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showPictures();  // pictures of the example, as many as fit
  QWidget* buildExample();
  QWidget* buildActions();
  QWidget* buildLists();
  QWidget* buildDropHint();
  void fillModels();

  QLabel *m_exampleText, *m_modelsNote;
  QPushButton *m_exampleButton, *m_tour, *m_showAll, *m_session;
  std::array<QLabel*, 3> m_pictures{};
  QVBoxLayout *m_models, *m_recent;
  std::vector<LibraryEntry> m_modelEntries;
  bool m_allShown = false;
};

}  // namespace plastiscope
