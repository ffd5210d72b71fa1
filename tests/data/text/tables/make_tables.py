"""The same records in every format of tables and compressed files that are read as texts, and what they hold.

    python make_tables.py        writes everything beside this file

Written by pyarrow, datasets, gzip and zstandard (the command zstd); other versions change bytes, but no value.
"""
import gzip
import json
import shutil
import subprocess
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

HERE = Path(__file__).parent
RECORDS = [
    {"id": "a", "context": "one, \"two\"\nthree", "question": "Which?", "year": 1999, "score": 0.5, "good": True},
    {"id": "b", "context": "größer: 世界", "question": "Wie groß?", "year": 2001, "score": -2.0, "good": False},
    {"id": "c", "context": "x" * 3000, "question": "How long?", "year": 2024, "score": 1e30, "good": True},
]
CHATS = [
    {"id": "q1", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello.\n"}]},
    {"id": "q2", "messages": [{"role": "system", "content": "<b>Short</b>."}, {"role": "user", "content": "1 & 1?"}]},
]


def main():
    table = pa.Table.from_pylist(RECORDS)
    with pa.OSFile(str(HERE / "stream.arrow"), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    with pa.OSFile(str(HERE / "file.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    pq.write_table(table, HERE / "plain.parquet")
    pq.write_table(pa.Table.from_pylist(CHATS), HERE / "chats.parquet")
    pa.csv.write_csv(table, HERE / "quoted.csv")
    lines = "".join(json.dumps(each) + "\n" for each in RECORDS).encode()
    # Two members, as split files that were joined have.
    (HERE / "lines.jsonl.gz").write_bytes(b"".join(gzip.compress(part, mtime=0) for part in (lines[:200], lines[200:])))
    subprocess.run(["zstd", "-qf", "-o", HERE / "lines.jsonl.zst"], input=lines, check=True)
    saved = HERE / "saved"
    shutil.rmtree(saved, ignore_errors=True)
    datasets.Dataset.from_list(RECORDS).save_to_disk(saved, num_shards=2)
    (saved / "cache-0123456789abcdef.arrow").write_bytes(b"of datasets.map, not to be read")
    (HERE / "records.json").write_text(json.dumps(RECORDS, indent=1) + "\n")
    (HERE / "chats.json").write_text(json.dumps(CHATS, indent=1) + "\n")


if __name__ == "__main__":
    main()
