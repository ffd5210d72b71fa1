"""Loses one of four workers of a capture, again and again: lost_workers.py BUILD [--times N] [--seed S].

Four processes capture a part each of the same texts. One of them is killed (SIGKILL) or stopped (SIGSTOP) at a random moment.
While it is stopped, a second start of its command must be refused at once, and so must a merge without its part; then it is
killed or continued. All four commands are started again, as by a launcher, and the parts are merged: the result must equal an
undisturbed run, no text may be reported as done twice, and no command may take longer than 30 seconds.
Prints a table; exit code 1 on any other outcome.
"""
import argparse
import json
import pathlib
import signal
import sys
import tempfile
import time

from workshop import Workshop, contents

PARTS, LONGEST = 4, 30.0


class Workers:
    def __init__(self, shop):
        self.shop, self.problems, self.longest = shop, [], 0.0
        folder, started = shop.place(), time.monotonic()
        self.captured(folder)
        self.lasts = time.monotonic() - started
        self.merge(folder, 0)
        self.expected = contents(folder / "whole.h5")

    def command(self, folder, part):
        return [*self.shop.capture(folder / f"part{part}.h5", "--part", f"{part}/{PARTS}"), "--progress", "json"]

    def captured(self, folder):
        """Runs all four to their end; returns their output."""
        return [self.end(worker, 0) for worker in self.started(folder)]

    def started(self, folder):
        return [self.shop.start(self.command(folder, part)) for part in range(PARTS)]

    def end(self, process, *codes):
        """Output of a process, which must end in time and with one of these exit codes."""
        started = time.monotonic()
        said = process.communicate(timeout=10 * LONGEST)[1]
        self.longest = max(self.longest, time.monotonic() - started)
        if process.returncode not in codes:
            self.problems.append(f"exit code {process.returncode}: {said.strip()[-300:]}")
        return said

    def merge(self, folder, *codes):
        parts = [folder / f"part{part}.h5" for part in range(PARTS)]
        return self.end(self.shop.start([self.shop.tool, "merge", *parts, "--out", folder / "whole.h5", "--quiet"]), *codes)

    def lose(self, stopped):
        """Loses one of the four; returns whether it was still running."""
        random, folder = self.shop.random, self.shop.place()
        workers = self.started(folder)
        lost = random.randrange(PARTS)
        time.sleep(self.lasts * random.uniform(0, 1))
        workers[lost].send_signal(signal.SIGSTOP if stopped else signal.SIGKILL)
        early = workers[lost].poll() is None or workers[lost].returncode < 0
        said = [self.end(worker, 0) if part != lost else "" for part, worker in enumerate(workers)]
        if stopped:
            self.while_stopped(folder, workers[lost], lost)
            workers[lost].send_signal(signal.SIGCONT if random.random() < 0.5 else signal.SIGKILL)
        said[lost] = self.end(workers[lost], 0, -signal.SIGKILL)
        again = self.captured(folder)
        self.count(done for text in [*said, *again] for done in units(text))
        self.merge(folder, 0)
        if contents(folder / "whole.h5") != self.expected:
            self.problems.append("another merge")
        return early

    def while_stopped(self, folder, worker, lost):
        if (folder / f"part{lost}.h5").exists() or not (folder / f"part{lost}.h5.partial").exists():
            return  # it had not started, or had finished
        self.end(self.shop.start(self.command(folder, lost)), 3)
        self.merge(folder, 3)
        if worker.poll() is not None:
            self.problems.append("a stopped worker ended")

    def count(self, done):
        seen = set()
        for unit in done:
            if unit in seen:
                self.problems.append(f"done twice: {unit}")
            seen.add(unit)


def units(said):
    """The texts that a command reported as durable."""
    events = (json.loads(line) for line in said.splitlines() if line.startswith("{"))
    return [json.dumps(event, sort_keys=True) for event in events if event.get("event") == "unit"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=100, help="that one is lost in each way")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    print(f"{'one of 4':12}{'times':>7}{'before its end':>16}{'problems':>10}{'longest wait':>14}", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        workers = Workers(Workshop(options.build, pathlib.Path(temporary), options.seed))
        for way in ("killed", "stopped"):
            workers.problems, workers.longest = [], 0.0
            early = sum(workers.lose(way == "stopped") for _ in range(options.times))
            slow = workers.longest > LONGEST
            print(f"{way:12}{options.times:>7}{early:>16}{len(workers.problems):>10}{workers.longest:>12.1f} s", flush=True)
            for problem in workers.problems[:10]:
                print(f"  {problem}")
            failed += len(workers.problems) + slow
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
