#!/bin/sh
# Carries out every experiment of a checkout in its smallest size, so that two versions of Deckatlas can be compared.
#
#   sh smoke.sh CHECKOUT OUT [PAPER/ITEM...]
#
# CHECKOUT is a repository with its .venv; OUT is a folder that is made if it is missing. Without items, all files
# experiments/PAPER/ITEM.toml that have a report are carried out. For each item there is then
#
#   OUT/PAPER/ITEM/ITEM-smoke/   result.md, result.json, tables (CSV) and figures (PNG)
#   OUT/PAPER/ITEM/runs/         the stores of its runs
#   OUT/PAPER/ITEM/log.txt       what the command printed
#   OUT/PAPER/ITEM/status.txt    its exit code, and the seconds that it took
#
# An item with a status.txt is skipped: after an interruption the same command continues. Compare two such folders with
# compare_smoke.py. The exit code is 1 if an item fails.
set -u

if [ $# -lt 2 ]; then
    echo "usage: sh smoke.sh CHECKOUT OUT [PAPER/ITEM...]" >&2
    exit 2
fi
checkout=$(cd "$1" && pwd) || exit 2
mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 2
shift 2
deckatlas=$checkout/.venv/bin/deckatlas
if [ ! -x "$deckatlas" ]; then
    echo "$deckatlas is missing: install the checkout first" >&2
    exit 2
fi
cd "$checkout" || exit 2  # experiments are looked for in the current folder first

if [ $# -eq 0 ]; then
    # Files without a report only hold runs that items share.
    set -- $(grep -lE '^\[?report' experiments/*/*.toml | sed 's|^experiments/||; s|\.toml$||')
fi

failed=0
for item in "$@"; do
    folder=$out/$item
    if [ -e "$folder/status.txt" ]; then
        echo "$item: is there already, $(cat "$folder/status.txt")"
        continue
    fi
    mkdir -p "$folder" || exit 2
    begun=$(date +%s)
    "$deckatlas" reproduce "$item" --smoke --store "$folder/runs" --out "$folder" >"$folder/log.txt" 2>&1
    code=$?
    if [ $code -ge 128 ]; then
        echo "$item: stopped; the same command continues" >&2
        exit $code
    fi
    echo "exit code $code after $(($(date +%s) - begun)) s" >"$folder/status.txt"
    echo "$item: $(cat "$folder/status.txt")"
    [ $code -eq 0 ] || failed=1
done
exit $failed
