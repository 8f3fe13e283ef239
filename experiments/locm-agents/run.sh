#!/usr/bin/env bash
# The strengths that docs/strength.md states, each by one command: prints the command and what it printed.
#
#     bash experiments/locm-agents/run.sh > experiments/locm-agents/results.txt
set -euo pipefail
deckatlas=${DECKATLAS:-.venv/bin/deckatlas}

show() {
    echo "\$ deckatlas $*"
    "$deckatlas" "$@"
    echo
}

show play locm coac:original baseline1 --games 2000 --seed 1
show play locm coac:original baseline2 --games 2000 --seed 1
show play locm coac baseline1 --games 2000 --seed 1
show play locm coac baseline2 --games 2000 --seed 1
show play locm baseline2 baseline1 --games 10000 --seed 1
show play locm coac/rg baseline1 --games 2000 --seed 1
show play locm coac/rg coac/baseline1 --games 2000 --seed 1
show play locm coac coac --games 4000 --seed 1
show gauntlet locm coac chad rg baseline1 baseline2 onelane --games 2000 --seed 1
show play locm coac/onelane coac/coac --games 2000 --seed 1
for playouts in 100 1000 10000 32000; do
    show play locm chad:playouts=$playouts coac --games 2000 --seed 1
done

for agent in rg onelane; do
    show play locm chad:playouts=10000 $agent --games 1000 --seed 1
done
# What the published table says of OneLaneIsEnough and ReinforcedGreediness, asked of weaker versions of them.
for agent in coac rg chad baseline1 baseline2; do
    show play locm onelane:nodes=100 $agent --games 2000 --seed 1
done
for agent in rg:nodes=1 rg:nodes=30 rg/greedy rg/random; do
    show play locm chad $agent --games 2000 --seed 1
done
show gauntlet locm coac/planner coac/coac coac/onelane coac/rg coac/mcts --games 1000 --seed 1

# The planner against every other agent, with the same draft on both sides.
for agent in coac coac:original onelane chad rg dfs fmc mcts mcts0 mctsp bbmcts baseline1 baseline2 greedy random pass; do
    show play locm coac/planner "coac/$agent" --games 2000 --seed 1
done


# The draft policy `atlas`, under three pilots, and among the other drafts under the planner.
for pilot in planner greedy coac; do
    show play locm "atlas/$pilot" "coac/$pilot" --games 2000 --seed 1
done
show play locm planner coac --games 2000 --seed 1
show gauntlet locm atlas/planner coac/planner closetai/planner icebox/planner rg/planner chad/planner --games 2000 --seed 1
