#pragma once
// The capture dialog by itself, its texts on one tab, operated through its controls.
#include <gtest/gtest.h>

#include <QTabWidget>
#include <QTableView>
#include <QTreeWidget>
#include <filesystem>
#include <memory>

#include "gui/wait_for.h"
#include "support/temporary_folder.h"
#include "support/tiny_llama.h"
#include "widgets/capture/capture_dialog.h"

namespace plastiscope::test {

class CaptureDialogFixture : public testing::Test {
 protected:
  // A model that captures quickly, with a tokenizer.
  std::filesystem::path provideModel() {
    const std::filesystem::path model = folder / "model";
    TinyLlama().write(model);
    std::filesystem::copy_file(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "text/gpt2/tokenizer.json",
                               model / "tokenizer.json");
    return model;
  }
  void show(const QString& commandLineProgram) {
    dialog = std::make_unique<CaptureDialog>(std::vector<LibraryEntry>(), folder / "out", commandLineProgram,
                                             workers);
    dialog->show();
  }
  void showRecords() {
    show(QStringLiteral("plastiscope-cli"));
    find<QTabWidget>("captureSources")->setCurrentIndex(1);
  }
  template <typename Widget>
  Widget* find(const char* name) {
    auto* widget = dialog->findChild<Widget*>(QString::fromLatin1(name));
    EXPECT_NE(widget, nullptr) << name;
    return widget;
  }
  QAbstractItemModel& table() { return *find<QTableView>("recordTable")->model(); }
  QTreeWidgetItem* filter(int field, int value) {
    return find<QTreeWidget>("recordFilters")->topLevelItem(field)->child(value);
  }

  TemporaryFolder folder;
  Workers workers;
  std::unique_ptr<CaptureDialog> dialog;
};

}  // namespace plastiscope::test
