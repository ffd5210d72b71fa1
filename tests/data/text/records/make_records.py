"""Writes records.parquet: nine records with the fields of LongBench-Pro (made up), as pyarrow writes them.

pyarrow 26.0.1; run it in this folder. Row groups of four, so that reading crosses their borders.
"""
import pyarrow as pa
import pyarrow.parquet as pq

rows = [
    {
        "id": f"r{i}",
        "context": f"a text of r{i} " + "with some words " * (i + 1),
        "language": "English" if i % 3 else "Chinese",
        "token_length": ["8k", "16k", "128k"][i % 3 if i < 8 else 0],
        "primary_task": f"T{1 + i // 5}",
        "answer": [f"answer {i}"],
    }
    for i in range(9)
]
pq.write_table(pa.Table.from_pylist(rows), "records.parquet", row_group_size=4, compression="snappy")
for name in ("language", "token_length", "primary_task"):
    counts = {}
    for row in rows:
        counts[row[name]] = counts.get(row[name], 0) + 1
    print(name, counts)
