"""Small data sets exactly in the layout of qk-sniffer (capture-format.md), broken files, and what an import must give.

    python make_qk_sniffer.py        writes everything beside this file

Tables are built as the author's saver builds them: int32 columns, FixedSizeListArray of float32, sliding_window as
pa.array of Python values (so the null type when all are None), zstd. Made with pyarrow 26.0.1 and numpy 2.x; another
version of pyarrow changes bytes of the files but no value.
"""
import hashlib
import json
import shutil
import struct
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent
D = 16
WINDOW = 64
BUCKET = 4
IDS = [7, -669729832, 2**31 - 1]  # the second: low 32 bits of the 64-bit number of the text id "abc"


def rows_of(layer, kind, examples):
    """Positions of one (layer, kind): uniform over buckets, in data set order, ascending inside an example."""
    rng = np.random.default_rng([layer, ord(kind)])
    out = []
    for example in examples:
        positions = np.flatnonzero(rng.random(WINDOW) < 1.5 / BUCKET)
        out += [(IDS[example], int(p)) for p in positions]
    return out


def vectors_of(layer, head, kind, rows):
    rng = np.random.default_rng([layer, head, ord(kind), 1])
    return rng.standard_normal((rows, D)).astype(np.float32)


def table(rows, vectors, window=None, tokens=False, bucket=BUCKET, window_type=None):
    columns = {
        "bucket": pa.array([p // bucket for _, p in rows], type=pa.int32()),
        "example_id": pa.array([e for e, _ in rows], type=pa.int32()),
        "position": pa.array([p for _, p in rows], type=pa.int32()),
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1), type=pa.float32()), vectors.shape[1]),
        "sliding_window": pa.array([window] * len(rows), type=window_type),
    }
    if tokens:
        columns["token_str"] = pa.array([f"token{p}" for _, p in rows], type=pa.string())
    return pa.table(columns)


def write(file, made, **options):
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(made, file, compression="zstd", **options)


def expected_of(rows, vectors, order):
    """What the capture must hold: rows by example (in `order`, first appearance) and position."""
    number = {example: i for i, example in enumerate(order)}
    sort = sorted(range(len(rows)), key=lambda i: (number[rows[i][0]], rows[i][1]))
    return {
        "position": [rows[i][1] for i in sort],
        "example": [number[rows[i][0]] for i in sort],
        "bucket": [rows[i][1] // BUCKET for i in sort],
        "sha256": hashlib.sha256(np.ascontiguousarray(vectors[sort]).tobytes()).hexdigest(),
    }


def state(model, metadata, counts):
    return json.dumps({"model_name": model, "model_metadata": metadata, "bucket_counts": counts}, indent=2, sort_keys=True)


def branch():
    """The normal case: 4 layers of 4 query and 2 key heads, a random choice of heads in three of them."""
    root = HERE / "branch"
    heads = {0: ([0, 3], [0, 1]), 1: ([2], [1]), 3: ([0, 1], [0])}
    # The last example has no rows in layer 0; layer 3 has a sliding window, the others the null type. The author's
    # saver leaves the type to pyarrow, which makes int64 of Python's numbers; the keys get the layout's int32.
    examples = {0: [0, 1], 1: [0, 1, 2], 3: [0, 1, 2]}
    windows = {3: 32}
    expected = {"ids": [str(i) for i in IDS], "heads": {}}
    counts = {}
    for layer, (query, key) in heads.items():
        for kind, indices in (("q", query), ("k", key)):
            rows = rows_of(layer, kind, examples[layer])
            for head in indices:
                name = f"l{layer:02d}h{head:02d}{kind}"
                vectors = vectors_of(layer, head, kind, len(rows))
                # Two row groups, as a saver that flushes makes them.
                write(root / name / "data.parquet", table(rows, vectors, windows.get(layer), window_type=pa.int32() if kind == "k" and layer == 3 else None),
                      row_group_size=len(rows) // 2 + 1)
                expected["heads"][name] = expected_of(rows, vectors, IDS)
                for _, p in rows:
                    counts[str(p // BUCKET)] = counts.get(str(p // BUCKET), 0) + 1
    metadata = {
        "source_dataset": "someone/long-texts", "dataset_name": "", "dataset_split": "test", "attention_scope": "all_attention",
        "distributed_world_size": 1, "dataset_repo": "", "dataset_branch": "tiny",
        "head_sampling_strategy": "random_query", "head_sampling_seed": 5, "head_sampling_requested_query_heads": 5,
        "head_sampling_selected_query_heads": 5, "head_sampling_selected_key_heads": 4, "head_sampling_num_layers": 4,
        "head_sampling_num_query_heads": 4, "head_sampling_num_key_heads": 2, "head_sampling_full_attention_only": 0,
        "sampling_bucket_size": BUCKET, "sampling_strategy": "uniform",
    }
    (root / "_saver_state.json").write_text(state("someone/tiny", metadata, counts) + "\n")
    (root / "README.md").write_text("# sniffed-qk\n\n- `model`: `someone/other`\n")
    return expected


def unsorted():
    """No _saver_state.json, only README.md; rows in another order, as max_rows_per_batch leaves them; token texts."""
    root = HERE / "unsorted"
    rows = rows_of(0, "q", [1, 0])
    shuffled = [rows[i] for i in np.random.default_rng(3).permutation(len(rows))]
    order = list(dict.fromkeys(e for e, _ in shuffled))
    expected = {"ids": [str(i) for i in order], "heads": {}}
    for name, head, kind in (("l00h00q", 0, "q"), ("l00h01q", 1, "q"), ("l00h00k", 0, "k")):
        vectors = vectors_of(0, head, kind, len(rows))
        write(root / name / "data.parquet", table(shuffled, vectors, tokens=True))
        expected["heads"][name] = expected_of(shuffled, vectors, order)
    (root / "README.md").write_text(
        "# sniffed-qk (model specialization)\n\n## Current Specialization Metadata\n- `model`: `someone/unsorted`\n"
        "- `source_dataset`: `unknown`\n- `sampling_strategy`: `uniform`\n- `captured_configs`: `3`\n\n## Bucket Parameters\n"
        f"- `sampling_bucket_size`: `{BUCKET}`\n\n## Additional Captured Metadata\n- `capture_pre_rope`: `1`\n")
    return expected


def older():
    """One folder per model, the state by model name, log buckets."""
    root = HERE / "older"
    expected = {"ids": ["0"], "heads": {}}
    rows = [(0, p) for p in (0, 3, 7, 8, 15, 16, 33, 63)]
    for name, kind in (("l02h00q", "q"), ("l02h00k", "k")):
        vectors = vectors_of(2, 0, kind, len(rows))
        made = table(rows, vectors)
        bucket = [max(3, (p + 1).bit_length() - 1) for _, p in rows]
        made = made.set_column(0, "bucket", pa.array(bucket, type=pa.int32()))
        write(root / "someone_older_1b" / name / "data.parquet", made)
        expected["heads"][name] = expected_of(rows, vectors, [0]) | {"bucket": bucket}
    (root / "_saver_state.json").write_text(json.dumps({
        "model_metadata": {"someone/older-1b": {"source_dataset": "a/b", "sanitized_split": "someone_older_1b"},
                           "else/other": {"sampling_strategy": "all"}},
        "bucket_counts": {"someone/older-1b": {"3": 10, "4": 2}}}, indent=2) + "\n")
    return expected


def twice():
    """Rows that are there again with the same values: one at once, all of a file, and rows in another order."""
    root = HERE / "twice"
    rows = rows_of(0, "q", [0, 1])
    again = {"l00h00q": [0, *range(len(rows))], "l00h01q": [*range(len(rows))] * 2,
             "l00h02q": [*range(len(rows)), 5, 0, 5], "l00h03q": range(len(rows)),
             "l00h00k": [4, 2, 0, 1, 2, 3, *range(4, len(rows))], "l00h01k": [4, 2, 0, 1, 3, *range(5, len(rows))]}
    expected = {"ids": [str(i) for i in IDS[:2]], "heads": {}}
    for name, taken in again.items():
        vectors = vectors_of(0, int(name[4:6]), name[-1], len(rows))
        write(root / name / "data.parquet", table([rows[i] for i in taken], vectors[list(taken)]))
        expected["heads"][name] = expected_of(rows, vectors, IDS[:2])
    (root / "README.md").write_text(f"- `model`: `someone/twice`\n- `sampling_bucket_size`: `{BUCKET}`\n")
    return expected


def zigzag(value):
    value, out = value << 1, b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def with_row_count(content, rows, count):
    """The same file whose footer states another number of rows (field 3 of the compact-thrift FileMetaData)."""
    length = struct.unpack("<I", content[-8:-4])[0]
    footer = content[-8 - length:-8]
    old = b"\x16" + zigzag(rows) + b"\x19"
    assert footer.count(old) == 1
    footer = footer.replace(old, b"\x16" + zigzag(count) + b"\x19")
    return content[:-8 - length] + footer + struct.pack("<I", len(footer)) + b"PAR1"


def broken():
    """Single files that take the place of branch/l01h02q/data.parquet."""
    root = HERE / "broken"
    rows = rows_of(1, "q", [0, 1, 2])
    vectors = vectors_of(1, 2, "q", len(rows))
    good = table(rows, vectors)

    def put(name, made):
        write(root / f"{name}.parquet", made)

    def replaced(column, values):
        return good.set_column(good.column_names.index(column), column, values)

    for column in ("bucket", "example_id", "position", "vector"):
        put(f"no_{column}", good.drop_columns([column]))
    put("position_int64", replaced("position", good["position"].cast(pa.int64())))
    put("bucket_text", replaced("bucket", good["bucket"].cast(pa.string())))
    put("bucket_date", replaced("bucket", good["bucket"].cast(pa.date32())))
    put("example_list", replaced("example_id", pa.array([[e] for e, _ in rows], type=pa.list_(pa.int32()))))
    put("vector_float64", replaced("vector", pa.array(vectors.astype(np.float64).tolist(), type=pa.list_(pa.float64()))))
    put("vector_number", replaced("vector", pa.array(vectors[:, 0], type=pa.float32())))
    put("vector_struct", replaced("vector", pa.array([{"a": 1.0, "b": 2.0}] * len(rows))))
    ragged = vectors.tolist()
    ragged[5] = ragged[5][:-1]
    put("ragged", replaced("vector", pa.array(ragged, type=pa.list_(pa.float32()))))
    ragged[5] = None
    put("null_vector", replaced("vector", pa.array(ragged, type=pa.list_(pa.float32()))))
    ragged[5] = vectors[5].tolist()
    ragged[5][3] = None
    put("null_in_vector", replaced("vector", pa.array(ragged, type=pa.list_(pa.float32()))))
    put("shorter_vectors", table(rows, vectors[:, :8]))
    for name, value in (("nan", np.nan), ("infinite", np.inf)):
        changed = vectors.copy()
        changed[5, 3] = value
        put(name, table(rows, changed))
    positions = good["position"].to_pylist()
    put("null_position", replaced("position", pa.array([None] + positions[1:], type=pa.int32())))
    put("negative_position", replaced("position", pa.array([-1] + positions[1:], type=pa.int32())))
    put("negative_bucket", replaced("bucket", pa.array([-1] + good["bucket"].to_pylist()[1:], type=pa.int32())))
    put("row_twice", pa.concat_tables([good.slice(0, 1), good]))
    other = vectors.copy()
    other[0, 3] += 1
    put("row_twice_other_vector", pa.concat_tables([good, table(rows, other).slice(0, 1)]))
    buckets = pa.array([good["bucket"][0].as_py() + 1], type=pa.int32())
    moved = good.slice(0, 1).set_column(good.column_names.index("bucket"), "bucket", buckets)
    put("row_twice_other_bucket", pa.concat_tables([good, moved]))
    put("two_windows", replaced("sliding_window", pa.array([16] * 3 + [32] * (len(rows) - 3), type=pa.int32())))
    put("some_windows", replaced("sliding_window", pa.array([16] * 3 + [None] * (len(rows) - 3), type=pa.int32())))
    put("window_text", replaced("sliding_window", pa.array(["16"] * len(rows))))
    put("zero_window", replaced("sliding_window", pa.array([0] * len(rows), type=pa.int32())))
    whole = (root / "row_twice.parquet").read_bytes()
    (root / "huge_count.parquet").write_bytes(with_row_count(whole, len(rows) + 1, 1 << 40))
    (root / "wrong_count.parquet").write_bytes(with_row_count(whole, len(rows) + 1, 1000))
    # In layer 0 two heads share their rows: one row less, one other position.
    shared = rows_of(0, "q", [0, 1])
    other = vectors_of(0, 3, "q", len(shared))
    put("row_missing", table(shared[:-1], other[:-1]))
    moved = shared[:4] + [(shared[4][0], shared[4][1] + 1)] + shared[5:]
    assert moved[4] not in shared
    put("row_moved", table(moved, other))
    same = table(shared, other)
    place = same.schema.get_field_index("bucket")
    buckets = same.column(place).to_pylist()
    buckets[4] += 1
    put("bucket_moved", same.set_column(place, same.schema.field(place), pa.array(buckets, type=pa.int32())))


def texts():
    """A corpus: two row groups, texts with a missing one, integer ids, numbers, a list that is left out."""
    made = pa.table({
        "id": pa.array([10, -3, 2**40, 4], type=pa.int64()),
        "text": pa.array(["one", "zwei \u00e4\u6f22", None, "four " * 300]),
        "score": pa.array([0.5, 1.0, None, -2.25]),
        "good": pa.array([True, False, True, None]),
        "small": pa.array([1, 2, 3, 250], type=pa.uint8()),
        "large": pa.array([1, 2**64 - 1, 3, 4], type=pa.uint64()),
        "tags": pa.array([["a"], [], None, ["b", "c"]], type=pa.list_(pa.string())),
    })
    write(HERE / "texts.parquet", made, row_group_size=3)


def main():
    for name in ("branch", "unsorted", "older", "twice", "broken"):
        shutil.rmtree(HERE / name, ignore_errors=True)
    expected = {"branch": branch(), "unsorted": unsorted(), "older": older(), "twice": twice()}
    broken()
    texts()
    expected["pyarrow"] = pa.__version__
    (HERE / "expected.json").write_text(json.dumps(expected, sort_keys=True) + "\n")


main()
