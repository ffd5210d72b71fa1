"""study["L16H4"] and the plots of a head have the numbers of the files and of the program's figures."""

import re
import sys

import h5py
import numpy as np
import pytest
from conftest import EXAMPLE, ROOT, needs_program, needs_window, ps

pytestmark = needs_program
HEAD = "L16H4"


@pytest.fixture
def axes():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("agg")
    from matplotlib import pyplot

    yield pyplot.figure().add_subplot()
    pyplot.close("all")


def drawn(analysis, figure, folder, **options):
    """The table of numbers that the program writes beside a figure."""
    ps.render(analysis, figure=figure, out=folder / f"{figure}.svg", **options)
    return ps.frames.read_csv(folder / f"{figure}.csv")


def test_a_head_has_the_numbers_of_the_files(analysis):
    head = analysis[HEAD]
    with h5py.File(EXAMPLE) as raw, h5py.File(analysis.analysis_file) as results:
        np.testing.assert_array_equal(head.queries.vectors, raw["layers/16/query/vectors/04"][:].astype(np.float32))
        np.testing.assert_array_equal(head.keys.position, raw["layers/16/key/position"][:])
        cells = {name: results[f"tables/map_aligned/{name}"][:] for name in
                 ("layer", "head", "distance_cell", "midpoint_cell", "pp", "pairs")}  # fmt: skip
        bins = {name: results[f"tables/profile_aligned/{name}"][:] for name in ("layer", "head", "tau", "ap_aligned")}
    of_head = (cells["layer"] == 16) & (cells["head"] == 4)
    found = 0
    for i, j, pp, pairs in zip(*(cells[name][of_head] for name in list(cells)[2:]), strict=True):
        at = list(head.map.distance).index(256 * i), list(head.map.midpoint).index(256 * j)
        assert head.map.pairs[at] == pairs
        np.testing.assert_equal(head.map.values[at], pp)
        found += np.isfinite(pp)
    assert found == np.isfinite(head.map.values).sum() > 100 and np.asarray(head.map) is head.map.values
    rows = (bins["layer"] == 16) & (bins["head"] == 4)
    np.testing.assert_array_equal(head.profile.values, bins["ap_aligned"][rows])
    np.testing.assert_array_equal(head.profile.position, bins["tau"][rows])
    assert head.metrics["ap_overall"] == analysis.table("heads", "pandas").loc[16, 4]["ap_overall"]
    assert analysis[16, 4].head == analysis[ps.Head(16, 4)].head == head.head
    for wrong in ("L1H1", (16, 99)):
        with pytest.raises(ps.InputError, match="expected a captured head, found one that was not captured"):
            analysis[wrong]
    with pytest.raises(ps.UsageError, match="expected heads such as"):
        analysis["16"]


def test_arrays_of_xarray_keep_coordinates(analysis):
    pytest.importorskip("xarray", reason="xarray is not installed")
    head = analysis[HEAD]
    cells = head.map.to_xarray()
    assert float(cells.sel(distance=256, midpoint=512)) == head.map.values[1, 2] and cells.attrs == {"cell": 256}
    near = head.profile.to_xarray().sel(position=slice(0, 200))
    assert near.shape == (2,) and near["end"].values.tolist() == [128, 256]
    rows = head.queries.to_xarray()
    late = rows[rows["position"] > 4000]
    assert late.shape[1] == 64 and late.shape[0] == (head.queries.position > 4000).sum() > 0


@needs_window
def test_plots_have_the_numbers_of_the_figures(axes, analysis, tmp_path):
    assert ps.plot.plane(analysis, HEAD, ax=axes) is axes
    table = drawn(analysis, "ab-scatter", tmp_path, head=HEAD)
    for kind, shown in zip(("key", "query"), axes.collections[::2], strict=True):
        of_kind = table["kind"] == kind
        expected = np.stack([table["x"][of_kind], table["y"][of_kind]], axis=1)
        np.testing.assert_allclose(shown.get_offsets(), expected, rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(shown.get_array(), table["position"][of_kind])
    axes.clear()
    line = ps.plot.profile(analysis, HEAD, ax=axes).lines[0]
    table = drawn(analysis, "profile", tmp_path, head=HEAD)
    np.testing.assert_allclose(line.get_ydata(), table["ap"][table["series"] == HEAD])
    axes.clear()
    image = ps.plot.grid(analysis, "ap_aligned_drop", ax=axes).images[0]
    table = drawn(analysis, "head-grid", tmp_path, metric="ap_aligned_drop")
    np.testing.assert_allclose(np.ma.filled(image.get_array(), np.nan).ravel(), table["ap_aligned_drop"])
    assert image.norm.vmin == -image.norm.vmax
    with pytest.raises(ps.UsageError, match='found "ap_dropp"'):
        ps.plot.grid(analysis, "ap_dropp", ax=axes)


def test_the_map_hatches_cells_of_few_pairs(axes, analysis):
    mesh, hatched = ps.plot.map(analysis, HEAD, ax=axes).collections[:2]
    cells = analysis[HEAD].map
    shown = mesh.get_array()
    np.testing.assert_array_equal(~np.ma.getmaskarray(shown), (cells.pairs >= 30).T)
    np.testing.assert_array_equal(shown.compressed(), cells.values.T[(cells.pairs >= 30).T])
    assert len(hatched.get_paths()) == ((cells.pairs < 30) & np.isfinite(cells.values)).sum() > 0


def test_plots_have_the_colours_of_the_program():
    text = (ROOT / "core/figures/plot_palette.cpp").read_text()
    late = dict(re.findall(r"Ink::Late(\w+), (0x\w+, 0x\w+)", text))
    ramps = iter(re.findall(r"std::array\{(.*), late\}", text))
    for kind in ("query", "key"):
        light, dark = late[kind.title()].split(", ")
        in_order = [next(ramps).replace("U", "").split(", ") + [last] for last in (dark, light)]
        written = [tuple("#" + colour[2:] for colour in ramp) for ramp in reversed(in_order)]
        assert written == list(ps.plot._RAMPS[kind])


@pytest.mark.parametrize(
    "package, call",
    [
        ("matplotlib", lambda study: ps.plot.plane(study, HEAD)),
        ("xarray", lambda study: study[HEAD].map.to_xarray()),
        ("pandas", lambda study: study.table("heads", "pandas")),
        ("polars", lambda study: study.table("heads", "polars")),
    ],
)
def test_a_missing_package_is_named_with_its_command(package, call, analysis, monkeypatch):
    class Missing:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == package:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing, *sys.meta_path])
    with pytest.raises(ps.UsageError, match=f"needs {package}, which is not installed: pip install {package}"):
        call(analysis)
