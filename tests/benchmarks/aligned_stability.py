"""Measures how aligned plasticity depends on the capture rate, the bins and the texts. Prints a table in Markdown.

    python aligned_stability.py --cli plastiscope-cli CAPTURE=RATE ... [--reference 24] [--bins 8 16 32 80 160] [--texts 14]

Captures of the same model, texts and heads at several rates (uniform sampler). Each is analysed with every number of bins,
and the reference over two random halves of the texts. So that all cover the same positions, values are means over bins
with midpoints from position 256 on, and bins with two queries count (--min-queries 2): the estimator has no bias for few queries. Columns: mean over
heads, aligned and binned; how far the aligned mean moved from the reference (its capture, 32 bins, all texts); and the
share of heads whose value moved by less than half the wider of both intervals of ap_aligned.
"""
import argparse
import csv
import pathlib
import random
import subprocess
import tempfile


FIRST = 256  # position


def analyse(args, capture, folder, name, options):
    out = folder / name
    subprocess.run([args.cli, "--quiet", "analyze", capture, "--out", str(out) + ".h5", "--csv", str(out), "--fresh", "--min-queries",
                    "2", *options], check=True, stderr=subprocess.DEVNULL)

    def profile(table, column):
        with open(out / table, newline="") as rows:
            for row in csv.DictReader(rows):
                if float(row["tau"]) >= FIRST and row[column]:
                    heads[row["layer"], row["head"]].setdefault(column, []).append(float(row[column]))

    with open(out / "heads.csv", newline="") as rows:
        heads = {(row["layer"], row["head"]): dict(half=(float(row["ap_aligned_high"]) - float(row["ap_aligned_low"])) / 2)
                 for row in csv.DictReader(rows) if row["ap_aligned_low"]}
    profile("profile_aligned.csv", "ap_aligned")
    profile("profile.csv", "ap")
    return {place: dict(half=head["half"], ap_aligned=mean(head.get("ap_aligned", [])), ap_overall=mean(head.get("ap", [])))
            for place, head in heads.items()}


def mean(values):
    values = [value for value in values if value == value]
    return sum(values) / len(values) if values else float("nan")


def line(label, heads, reference):
    inside, shifts = [], []
    for place, head in heads.items():
        other = reference[place]
        if not (head["ap_aligned"] == head["ap_aligned"] and other["ap_aligned"] == other["ap_aligned"]):
            continue
        shifts.append(head["ap_aligned"] - other["ap_aligned"])
        inside.append(abs(shifts[-1]) <= max(head["half"], other["half"]))
    print(f"| {label} | {mean(h['ap_aligned'] for h in heads.values()):.3f} | {mean(shifts):+.3f} | "
          f"{100 * mean(inside):.0f} % | {mean(h['ap_overall'] for h in heads.values()):.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="+", metavar="CAPTURE=RATE")
    parser.add_argument("--cli", default="plastiscope-cli")
    parser.add_argument("--reference", default="24")
    parser.add_argument("--bins", nargs="+", default=["8", "16", "32", "80", "160"])
    parser.add_argument("--texts", type=int, default=14)
    args = parser.parse_args()
    captures = {rate: file for file, rate in (given.split("=") for given in args.captures)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        reference = analyse(args, captures[args.reference], folder, "reference", ["--bins", "32"])
        print("| rate, bins, texts | aligned | shift | heads within | binned |\n|---|---|---|---|---|")
        for rate, file in captures.items():
            for bins in args.bins:
                line(f"{rate}, {bins}, all", analyse(args, file, folder, f"{rate}-{bins}", ["--bins", bins]), reference)
        texts = list(range(args.texts))
        random.Random(0).shuffle(texts)
        for half in (texts[: args.texts // 2], texts[args.texts // 2:]):
            some = analyse(args, captures[args.reference], folder, f"half-{half[0]}", [
                "--bins", "32", "--examples", ",".join(map(str, sorted(half)))])
            line(f"{args.reference}, 32, a random half", some, reference)


if __name__ == "__main__":
    main()
