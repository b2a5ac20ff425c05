"""Trains a model: `python -m roboinstruct_ros.learn.training --base BASE --examples PAIRS.jsonl
--out DIR`.

If the training is killed, the same command resumes from its last checkpoint with the same examples,
optimizer and learning rate; with --steps it ends with the same weights as without the interruption.
Options (`options.TrainingOptions`) are in a YAML file. For several GPUs, use `accelerate launch`
with config/learn/fsdp.yaml instead of `python`.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
import warnings
from pathlib import Path

from roboinstruct_ros.domain.configuration import InputError, load_yaml
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.learn.training.job import FAULT, TrainingJob, take
from roboinstruct_ros.learn.training.options import TrainingOptions
from roboinstruct_ros.sandbox.confinement import die_with_parent

MEMORY = ":".join(
    f"glibc.malloc.{name}={value}"
    for name, value in {"hugetlb": 1, "mmap_threshold": 2**25, "trim_threshold": 2**32}.items()
)
"""Keep freed memory, up to 4 GB, in large pages: requesting it again costs a sixth of a step.
Blocks of 32 MB and more are returned: each step needs other sizes, and the gaps would add up."""


def _job() -> TrainingJob:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--job", type=Path, help="all of it as one JSON file, as a step writes it")
    parser.add_argument("--base", type=Path, help="GGUF, or a folder; without it, from nothing")
    parser.add_argument("--examples", type=Path, help="lines of prompt and completion")
    parser.add_argument("--held-out", type=Path, help="lines that are only looked at")
    parser.add_argument("--out", type=Path, default=Path("train_out"))
    parser.add_argument("--seed", type=int, default=2025)
    parser.add_argument("--options", type=Path, help="YAML file")
    parser.add_argument("--steps", type=int, help="in the place of the file's")
    parser.add_argument("--minutes", type=float, help="in the place of the file's")
    parser.add_argument("--from", dest="begin", default="", help="an adapter to go on with")
    parser.add_argument("--domain", default=SERVICE_ROBOT, help="of the verifier, for method grpo")
    parser.add_argument("--map", help="of the verifier; without it, the open world")
    given = parser.parse_args()
    if given.job:
        return TrainingJob.model_validate_json(given.job.read_text())
    if not given.examples:
        parser.error("give --examples, or --job")
    options = load_yaml(given.options, TrainingOptions) if given.options else TrainingOptions()
    over = {"steps": given.steps, "minutes": given.minutes, "begin": given.begin}
    if given.steps or given.minutes:
        options = options.model_copy(update={"steps": None, "minutes": None})
    options = options.model_copy(update={name: value for name, value in over.items() if value})
    return TrainingJob(
        out=given.out, base=given.base, examples=given.examples, held_out=given.held_out,
        seed=given.seed, domain=given.domain, map=given.map, options=options,
    )  # fmt: skip


def _as_processes(job: TrainingJob) -> None:
    """Restart as several processes that share the work, and with the memory settings."""
    count = job.options.processes
    again = dict(os.environ, GLIBC_TUNABLES=MEMORY, TOKENIZERS_PARALLELISM="false")
    # Busy-waiting threads would starve other work on the machine.
    again |= {"HF_HUB_OFFLINE": "1", "OMP_WAIT_POLICY": "PASSIVE"}
    # Without a terminal, a progress bar is a useless line.
    again |= {"TRANSFORMERS_VERBOSITY": "error", "TQDM_DISABLE": "1"}
    launch = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={count}"]
    ours = ["-m", "roboinstruct_ros.learn.training", *sys.argv[1:]]
    if count > 1 and "WORLD_SIZE" not in os.environ:
        from roboinstruct_ros.learn.training.train import checked

        checked(job)  # one error line instead of one per process
        again |= {"OMP_NUM_THREADS": "1"}
        os.execve(sys.executable, [sys.executable, *launch, *ours], again)
    if os.environ.get("GLIBC_TUNABLES") != MEMORY:
        os.execve(sys.executable, [sys.executable, *ours], again)


def _told(error: Exception, out: Path) -> str:
    """One line; the traceback is in a file."""
    reason = next(iter(str(error).splitlines()), "") or "nothing was said"
    told = f"{out}: {type(error).__name__}: {reason}"
    try:
        (out / FAULT).write_text(traceback.format_exc())
    except OSError:  # the disk is full
        return told
    return f"{told} ({FAULT} there has all of it)"


def main() -> int:
    """Exit 0 on success, 1 with one line on failure."""
    if "--job" in sys.argv or "WORLD_SIZE" in os.environ:  # a child process
        die_with_parent()
    try:
        job = _job()
        job.out.mkdir(parents=True, exist_ok=True)
        if "--job" not in sys.argv and os.environ.get("RANK", "0") == "0":
            take(job)  # a run compares the inputs of its steps itself
        _as_processes(job)
        warnings.simplefilter("ignore")
        logging.getLogger("transformers").setLevel(logging.ERROR)
        import torch

        cores = len(os.sched_getaffinity(0))
        torch.set_num_threads(job.options.threads or max(1, cores // job.options.processes))
        from roboinstruct_ros.learn.training.train import train

        result = train(job)
    except InputError as error:
        print(f"cannot train: {error}", file=sys.stderr)
        return 1
    except Exception as error:  # five libraries raise errors of any type
        print(f"cannot train: {_told(error, job.out)}", file=sys.stderr)
        return 1
    if os.environ.get("RANK", "0") == "0":
        print(f"done: {result.steps} steps in {result.seconds / 60:.1f} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
