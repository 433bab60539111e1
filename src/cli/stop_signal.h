// SIGINT and SIGTERM as a wish to stop: the run saves and ends by itself.
#pragma once

namespace heed::cli {

// Gives both signals to a thread of their own. Called before any other thread starts, as threads
// inherit what they leave alone. A signal still ends the process as usual.
void watch_stop_signals();

// From now on the first signal only sets the flag; a further one, two seconds later or more, ends
// the process as usual.
void catch_stop_signals();
bool stop_requested();

}  // namespace heed::cli
