"""Reads density.ome.tif by tifffile: shape, type, pixel size and place, mean of each level."""

import re
import sys

import numpy
import tifffile

with tifffile.TiffFile(sys.argv[1]) as file:
    series = file.series[0]
    image = series.asarray()
    xml = file.ome_metadata
    size = float(re.search(r'PhysicalSizeX="([^"]+)"', xml).group(1))
    place = [float(re.search(rf'Position{axis}="([^"]+)"', xml).group(1)) for axis in "XY"]
    print(image.shape, image.dtype, size, place)
    for level in series.levels:
        print(level.shape, float(numpy.nanmean(level.asarray())))
