"""What other people's libraries find in an export's folder, as JSON: counts, and how far each file's values are from objects.csv."""
import json
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from os.path import join

import anndata
import fiona
import geopandas
import h5py
import numpy as np
import pandas
import tifffile
import zarr
from skimage import io, measure

# GeoJSON is of the earth for GeoPandas; px are meant.
warnings.filterwarnings("ignore")
folder = sys.argv[1]
csv = pandas.read_csv(join(folder, "objects.csv"))
mpp = json.load(open(join(folder, "run.json")))["slide"]["mppX"]
area = csv["area_um2"].to_numpy() / mpp**2
found = {"csv": len(csv)}

frame = geopandas.read_file(join(folder, "objects.geojson"))
with fiona.open(join(folder, "objects.geojson")) as source:
    found["fiona"] = [len(source), sorted({feature["geometry"]["type"] for feature in source})]
document = json.load(open(join(folder, "objects.geojson")))
nuclei = geopandas.GeoDataFrame.from_features(
    [{"type": "Feature", "properties": {}, "geometry": f.get("nucleusGeometry", f["geometry"])} for f in document["features"]]
).geometry
found["geopandas"] = {
    "rows": len(frame),
    "valid": bool(frame.geometry.is_valid.all() and nuclei.is_valid.all()),
    "cells": int((frame["objectType"] == "cell").sum()),
    "nucleusArea": float(np.abs(nuclei.area.to_numpy() - area).max()),
    "cellArea": float(np.nanmax(np.abs(frame.geometry.area.to_numpy() - csv["cell_area_um2"].to_numpy() / mpp**2))),
    "nucleusInCell": float(np.max(nuclei.difference(frame.geometry, align=False).area.to_numpy())),
}

with tifffile.TiffFile(join(folder, "labels.ome.tif")) as tiff:
    pages = tiff.series[0].asarray()
labels, cells = (pages[0], pages[1]) if pages.ndim == 3 else (pages, None)
x0, y0 = json.load(open(join(folder, "run.json")))["region"]["x"], json.load(open(join(folder, "run.json")))["region"]["y"]
props = measure.regionprops_table(labels, properties=("label", "area", "centroid"))
by_id = csv.set_index("id").loc[props["label"]]
inside = by_id["bounds_x_px"] - x0 >= 0
inside &= by_id["bounds_y_px"] - y0 >= 0
inside &= by_id["bounds_x_px"] + by_id["bounds_width_px"] <= x0 + labels.shape[1]
inside &= by_id["bounds_y_px"] + by_id["bounds_height_px"] <= y0 + labels.shape[0]
inside = inside.to_numpy()
found["labels"] = {
    "ids": len(props["label"]),
    "inside": int(inside.sum()),
    "area": float(np.abs(props["area"] - by_id["area_um2"].to_numpy() / mpp**2)[inside].max()),
    "x": float(np.abs(props["centroid-1"] + 0.5 + x0 - by_id["centroid_x_px"].to_numpy())[inside].max()),
    "y": float(np.abs(props["centroid-0"] + 0.5 + y0 - by_id["centroid_y_px"].to_numpy())[inside].max()),
    "cellsHoldNuclei": bool(cells is not None and (cells[labels > 0] == labels[labels > 0]).all()),
}
found["zarr"] = bool((zarr.open(join(folder, "labels.zarr"), "r")["0"][:] == labels).all())
found["overlay"] = list(io.imread(join(folder, "overlay.png")).shape)

data = anndata.read_h5ad(join(folder, "objects.h5ad"))
column = list(data.var["name"]).index("Area")
with h5py.File(join(folder, "objects.h5ad"), "r") as file:
    shape = list(file["X"].shape)
found["h5ad"] = {
    "shape": shape,
    "rows": data.n_obs,
    "area": float(np.abs(data.X[:, column] / mpp**2 - area).max()),
    "x": float(np.abs(data.obsm["spatial"][:, 0] / mpp - csv["centroid_x_px"].to_numpy()).max()),
}
found["lmd"] = int(ElementTree.parse(join(folder, "shapes.lmd.xml")).getroot().find("ShapeCount").text)
print(json.dumps(found))
