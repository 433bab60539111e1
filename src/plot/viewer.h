// Renders the HTML pages of dumps and of runs (html_page.h describes a page).
#pragma once

#include <string>
#include <vector>

#include "plot/attention_dump.h"
#include "plot/run_curves.h"
#include "plot/run_samples.h"

namespace heed {

// A page of a dump, sentence by sentence.
std::string render_viewer(const std::string& title, const std::vector<AttentionRecord>& records);

struct ReportedRun {
  std::string name;
  std::vector<Panel> by_update;  // panels of its log over updates, whatever the axis of the curves
  RunSamples samples;            // may be empty
};

// A page of learning curves and, for each run, of the sample sentences at each validation. `axis`
// and `panels` are those of draw_curves().
std::string render_report(RunAxis axis, const std::vector<Panel>& panels,
                          const std::vector<ReportedRun>& runs);

}  // namespace heed
