// The search of the agent `search`. In a separate file, so that the compiler can inline the rules.
#include "agents/hearthstone_search.hpp"

#include "agents/hearthstone_search_run.hpp"

namespace deckatlas::hearthstone {

template class TurnSearch<StatsRater>;

}  // namespace deckatlas::hearthstone
