#!/usr/bin/env bash

#SBATCH -J deckatlas
#SBATCH -n 1
#SBATCH --cpus-per-task=16
#SBATCH --mem=8G
#SBATCH -t 08:00:00
source .venv/bin/activate
python -m distributed.cli.dask_worker tcp://HOST:PORT --name dummy-name --nthreads 16 --memory-limit 7.45GiB --nanny --death-timeout 60 --lifetime 470m --lifetime-stagger 5m
