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
show gauntlet locm coac rg baseline1 baseline2 onelane --games 2000 --seed 1
show play locm coac/onelane coac/coac --games 2000 --seed 1
# Chad, which takes long, against the other five; ReinforcedGreediness also as it plays against a slow opponent.
for agent in coac onelane rg rg/rg-late baseline2 baseline1; do
    show play locm chad $agent --games 100 --seed 1
done
for playouts in 100 1000 10000 32000; do
    show play locm chad:playouts=$playouts coac --games 2000 --seed 1
done
# What the published table says of OneLaneIsEnough, asked of a weaker version of it.
for agent in coac rg baseline1 baseline2; do
    show play locm onelane:nodes=100 $agent --games 2000 --seed 1
done
show gauntlet locm coac/planner coac/coac coac/onelane coac/rg coac/mcts --games 1000 --seed 1

# The planner against every other agent, with the same draft on both sides.
for agent in coac coac:original onelane rg dfs fmc mcts mcts0 mctsp bbmcts baseline1 baseline2 greedy random pass; do
    show play locm coac/planner "coac/$agent" --games 2000 --seed 1
done
show play locm coac/planner coac/chad --games 100 --seed 1

# The draft policy `atlas`, under four pilots, and among the other drafts under the planner.
for pilot in planner greedy coac; do
    show play locm "atlas/$pilot" "coac/$pilot" --games 2000 --seed 1
done
for draft in coac rg; do
    show play locm atlas/rg $draft/rg --games 2000 --seed 1
done
show play locm planner coac --games 2000 --seed 1
show gauntlet locm atlas/planner coac/planner closetai/planner icebox/planner rg/planner chad/planner --games 2000 --seed 1
