#!/usr/bin/env bash

#$ -N deckatlas
#$ -l h_vmem=1G
#$ -l h_rt=08:00:00
#$ -cwd
#$ -j y
#$ -pe smp 16
source .venv/bin/activate
python -m distributed.cli.dask_worker tcp://HOST:PORT --name dummy-name --nthreads 16 --memory-limit 7.45GiB --nanny --death-timeout 60 --lifetime 470m --lifetime-stagger 5m
