"""Prints what h5py finds in an HDF5 file, and what anndata makes of it where it is installed."""
import json
import sys
import warnings

import h5py
import numpy


def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (numpy.bool_, bool)):
        return int(value)
    if isinstance(value, numpy.ndarray):
        return [plain(each) for each in value.ravel().tolist()]
    if isinstance(value, numpy.generic):
        value = value.item()
    return None if isinstance(value, float) and value != value else value


def node(entity):
    attributes = {name: plain(value) for name, value in entity.attrs.items()}
    if isinstance(entity, h5py.Group):
        return {"attributes": attributes, "members": {name: node(each) for name, each in entity.items()}}
    values = plain(entity[()])
    return {
        "attributes": attributes,
        "shape": list(entity.shape),
        "values": values if isinstance(values, list) else [values],
    }


def annotated(path):
    try:
        import anndata
    except ImportError:
        return None
    warnings.simplefilter("error")
    data = anndata.read_h5ad(path)
    categorical = [name for name in data.obs if data.obs[name].dtype.name == "category"]
    # A part of it, written by anndata and read again.
    data[: min(2, data.n_obs)].copy().write_h5ad(path + ".part")
    assert anndata.read_h5ad(path + ".part").n_vars == data.n_vars
    return {
        "shape": list(data.shape),
        "obs": {name: data.obs[name].dtype.name for name in data.obs},
        "categories": {name: list(data.obs[name].cat.categories) for name in categorical},
        "obsm": sorted(data.obsm),
        "colors": [str(each) for each in data.uns.get("class_colors", [])],
    }


with h5py.File(sys.argv[1], "r") as file:
    tree = node(file)
is_annotated = tree["attributes"].get("encoding-type") == "anndata"
print(json.dumps({"tree": tree, "anndata": annotated(sys.argv[1]) if is_annotated else None}))
