// Pages of a dump and of runs (see html_page.h for what a page is).
#pragma once

#include <string>
#include <vector>

#include "plot/attention_dump.h"
#include "plot/run_log.h"
#include "plot/run_samples.h"

namespace heed {

// A dump, sentence by sentence.
std::string render_viewer(const std::string& title, const std::vector<AttentionRecord>& records);

struct ReportedRun {
  std::string name;
  std::vector<Panel> by_update;  // of its log, over updates, whatever the curves are drawn over
  RunSamples samples;            // may be none
};

// Learning curves and, of each run, the sample sentences at each validation. `axis` and `panels`:
// what the curves are, as for draw_curves.
std::string render_report(RunAxis axis, const std::vector<Panel>& panels,
                          const std::vector<ReportedRun>& runs);

}  // namespace heed
