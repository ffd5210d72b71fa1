#pragma once

// Prints for planted heads and sizes: bias of ap_aligned and coverage of its interval over `draws` draws.
void studyAlignedCoverage(int draws);
