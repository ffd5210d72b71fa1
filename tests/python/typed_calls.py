"""Each public call as a user writes it, for mypy: test_typing.py checks this file and does not run it."""

from pathlib import Path
from typing import Any

import numpy as np

import plastiscope as ps


def models(model: Path) -> list[Any]:
    study: ps.Study = ps.capture(model, ["text"], out="a.h5", window=4096, rate=16, heads="all", dense=["L0H1"])
    estimate: ps.Estimate = ps.capture(model, {"a": "text"}, out="a.h5", estimate=True, bucket_size=256, paired=True)
    joined: ps.Study = ps.merge("a.h5", Path("b.h5"), out="c.h5", fresh=True)
    probes = ps.probe(model, kinds="needle", lengths=64, depths=[0, 1], form="numpy", progress=False)
    edges = ps.composition(model, edges=3, weights_only=True)["edges"]
    effects = ps.run_study("study.toml", out="effects", part="0/2", estimate=True)
    sweep = ps.batch("sweep.toml", out="library", processes=2, dry_run=True)
    found = (
        ps.models(),
        ps.models("models"),
        ps.info(model, engine="native"),
        ps.tokenize(model, "text", no_special=True),
    )
    lens = ps.import_transformer_lens(iter([]), None, out="lens.h5", window=1024)
    with ps.record(None, out="live.h5", window=4096) as recorder:
        recorded: ps.Study = recorder.study
    return [study, estimate["seconds"], joined, probes, edges, effects, sweep, found, lens, recorded]


def results(study: ps.Study) -> list[Any]:
    analysis: ps.Study = ps.analyze(study, pairs="all", bins=32, progress=print)
    tables = ps.compare(study, "b.h5", names=["one", "two"], interval="heads", resamples=np.int64(100))
    more = ps.correlate(study, benchmark="ruler"), ps.converge(study, heads="L16H4"), ps.verify(study)
    changed = ps.what_if(study, head=ps.Head(16, 4), scale_beta=0.5)["what_if"]
    groups = ps.groups(study, {"early": "L0-L9"}, metric="ap_drop", against="rest")
    listed = ps.runs("library", sort="date"), ps.reference("6.1", own=[study]), ps.metrics("ap_drop"), ps.figures()
    pairs = ps.pairs(study, "L16H4", cell=(1, 1), most=3), ps.attended(study, "L16H4", query_types="number")
    figure: ps.Figure = ps.render(study, figure="map", head="L16H4", preset="icml", range=(0, 1))
    csv: Path = ps.export_csv(study, "tables", force=True)
    shown = ps.show(study, window=False, heads="L16H4"), ps.find_program()
    rate = ps.options("capture").options["rate"].default
    return [analysis, tables, more, changed, groups, listed, pairs, figure.content, csv, shown, rate]


def heads(file: str) -> list[Any]:
    with ps.open(file) as study:
        head: ps.HeadView = study["L16H4"]
        values: ps.Map = head.map
        profile: ps.Profile = study[16, 4].profile
        rows: ps.Rows = head.queries.where(slice(0, 10))
        drawn = [ps.plot.plane(study, "L16H4"), ps.plot.map(study, head.head), ps.plot.profile(study, "L16H4")]
        layer: ps.Layer = study.layers[16]
        notes: ps.Notes = study.notes
        attention: ps.Attention = study.attention("L1H3", 0, range(10))
        chosen = ps.choose_heads(3, layers=4, query_heads=4), ps.head_list("L1H2"), study.set_group("a", "L1H2")
        places = ps.sample_positions("uniform", ps.sample_seed("a", 1, "query"), 100, 10).positions, ps.seed_id("a")
        table = study.table("heads", "pandas"), study.profile("L16H4"), study.map(16, 4), ps.plot.grid(study, "ap_drop")
        return [
            values.values,
            profile.low,
            rows,
            drawn,
            layer,
            notes,
            attention,
            chosen,
            places,
            table,
            values.to_xarray(),
        ]


def window(study: ps.Study) -> list[Any]:
    shown: ps.Window = ps.window()
    shown.open(study)
    shown.selection = ["L1H2", ps.Head(16, 4)]
    shown.filter = "ap_drop > 0.2"
    return [shown.head, shown.studies, shown.add_column({(1, 2): 0.5}, name="score", unit="nats")]
