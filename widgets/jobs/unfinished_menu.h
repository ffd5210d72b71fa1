#pragma once
// What can be done with captures that were interrupted: resume, look at, discard.
class QMenu;
class QWidget;

namespace plastiscope {

class CaptureList;
struct CaptureRequest;

void fillUnfinishedMenu(QMenu& menu, CaptureList& captures);
// Asks first: what is finished of it is lost.
void discardAfterAsking(CaptureList& captures, const CaptureRequest& draft, QWidget* parent);

}  // namespace plastiscope
