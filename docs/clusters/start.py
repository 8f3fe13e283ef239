"""Starts a scheduler here and workers as jobs of a queue, prints the address for `--cluster`, and ends with Ctrl-C.

Usage: python start.py slurm|sge JOBS, in a folder that all machines see, with jobqueue.yaml beside this file.
"""

import sys
import time
from pathlib import Path

import dask
import yaml
from dask_jobqueue import SGECluster, SLURMCluster

QUEUES = {"slurm": SLURMCluster, "sge": SGECluster}


def start(queue: str) -> SLURMCluster | SGECluster:
    """A scheduler whose workers will be jobs of a queue."""
    settings = yaml.safe_load(Path(__file__).with_name("jobqueue.yaml").read_text(encoding="utf-8"))
    dask.config.update(dask.config.config, settings)
    return QUEUES[queue](python="python")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in QUEUES or not sys.argv[2].isdecimal():
        sys.exit(__doc__)
    with start(sys.argv[1]) as cluster:
        cluster.scale(jobs=int(sys.argv[2]))
        print(cluster.scheduler_address, flush=True)
        while True:
            time.sleep(60)
