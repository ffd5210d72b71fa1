"""The capture ../analysis/odd.h5 as other people's programs write it again: chunks, HDF5's own filters, other text and
number types. The values stay the same. Made with Python and h5py; the versions that made the committed files are in
versions.json. Run in this folder: python make_rewritten.py
"""
import json
import platform
import shutil
import zlib

import h5py
import numpy as np

SOURCE = "../analysis/odd.h5"


def copy(name, dataset_options, attribute=lambda name, value: value, data=lambda path, d: d[()], **file_options):
    """Every group, attribute and dataset of the source; dataset_options(path, dataset) are those of create_dataset."""
    with h5py.File(SOURCE) as source, h5py.File(name, "w", **file_options) as target:
        def attributes(old, new):
            for key, value in old.attrs.items():
                new.attrs[key] = attribute(key, value)

        def visit(path, old):
            if isinstance(old, h5py.Group):
                new = target.create_group(path)
            else:
                new = target.create_dataset(path, data=data(path, old), **dataset_options(path, old))
            attributes(old, new)

        attributes(source, target)
        source.visititems(visit)


def texts(dataset):
    return h5py.check_string_dtype(dataset.dtype) is not None


def own_type(path, dataset):
    """Texts of variable length stay what they are in filtered files."""
    return {"dtype": dataset.dtype} if texts(dataset) else {}


def filtered(**options):
    return lambda path, d: {**own_type(path, d), **({} if texts(d) else options)}


def whole_numbers(**options):
    return lambda path, d: {**own_type(path, d), **(options if d.dtype.kind == "i" else {})}


def vectors(**options):
    return lambda path, d: {**own_type(path, d), **(options if "vectors" in path else {})}


def chunked(path, d):
    return {**own_type(path, d), "chunks": tuple(max(1, n // 3) for n in d.shape), "maxshape": (None,) * d.ndim}


def other_attribute(name, value):
    if name in ("window", "bucket_size", "head_dim"):
        return np.int32(value)
    if name in ("layers", "query_heads", "key_heads", "format_version"):
        return np.uint8(value)
    if name == "context_length":
        return np.array([value], ">i8")  # a list of one, the other byte order
    if name in ("rope", "query_scale") and not isinstance(value, str):
        return bool(value)
    if name == "rate":
        return np.float32(value) if float(np.float32(value)) == value else value
    if name in ("format", "sampler", "point", "attention"):
        return np.bytes_(value)  # of fixed length
    return value


def other_texts(path, d):
    return d.asstr()[()].astype("S70") if texts(d) else d[()]


VARIANTS = {
    "chunked": (chunked, dict(libver=("v110", "v110"))),
    "gzip": (filtered(compression="gzip", compression_opts=6), dict(libver=("v108", "v110"))),
    "shuffle": (filtered(compression="gzip", shuffle=True, fletcher32=True, chunks=True), {}),
    "scaleoffset": (whole_numbers(scaleoffset=0), {}),
    "szip": (vectors(compression="szip"), dict(libver=("v108", "v110"))),
    "lzf": (vectors(compression="lzf"), dict(libver=("v108", "v110"))),  # a plugin of h5py
}

for name, (options, file_options) in VARIANTS.items():
    copy(f"{name}.h5", options, **file_options)
copy("types.h5", lambda path, d: {}, attribute=other_attribute, data=other_texts)
copy("checked.h5", lambda path, d: own_type(path, d))
with h5py.File("checked.h5", "r+") as f:
    def add_checksum(path, d):
        if isinstance(d, h5py.Dataset):
            data = b"".join(text + b"\0" for text in d[()]) if texts(d) else d[()].tobytes()
            d.attrs["crc32"] = np.int64(zlib.crc32(data))

    f.visititems(add_checksum)
# One number of a key head changed after its checksum was taken.
shutil.copyfile("checked.h5", "damaged_key.h5")
with h5py.File("damaged_key.h5", "r+") as f:
    f["layers/00/key/vectors/00"][17, 2] += 1
json.dump({"python": platform.python_version(), "numpy": np.__version__, "h5py": h5py.__version__,
           "hdf5": h5py.version.hdf5_version}, open("versions.json", "w"))
