# Makes the label images of files/, as other programs write them: /usr/bin/python3 makeFiles.py, with tifffile 2023.2.3, OpenCV 4.6.0, NumPy 1.24.2.
# 40 x 32 px, 20 labels: label 1 + i + 5 j has the 6 x 5 px from (8 i, 8 j) on. In files of 32 bits and more, 70,000 is added to each.
import os

import cv2
import numpy as np
import tifffile

y, x = np.mgrid[:32, :40]
labels = np.where((x % 8 < 6) & (y % 8 < 5), 1 + x // 8 + 5 * (y // 8), 0)
wide = np.where(labels > 0, labels + 70_000, 0)
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'files')
at = lambda name: os.path.join(folder, name)

tifffile.imwrite(at('plain-u8.tif'), labels.astype(np.uint8))
tifffile.imwrite(at('big-endian-u16.tif'), labels.astype(np.uint16), byteorder='>')
tifffile.imwrite(at('strips-u32.tif'), wide.astype(np.uint32), rowsperstrip=7)
tifffile.imwrite(at('deflate-i32.tif'), wide.astype(np.int32), compression='zlib', predictor=False, bigtiff=True)
tifffile.imwrite(at('tiled-u16.ome.tif'), labels.astype(np.uint16), tile=(16, 16), compression='zlib', metadata={'axes': 'YX'})
with tifffile.TiffWriter(at('pyramid-u32.ome.tif'), bigtiff=True) as tif:
    tif.write(wide.astype(np.uint32), tile=(16, 16), subifds=1, compression='zlib', metadata={'axes': 'YX'})
    tif.write(wide[::2, ::2].astype(np.uint32), tile=(16, 16), subfiletype=1, compression='zlib')
with tifffile.TiffWriter(at('pyramid-pages-u16.tif')) as tif:
    tif.write(labels.astype(np.uint16), tile=(16, 16))
    tif.write(labels[::2, ::2].astype(np.uint16), tile=(16, 16), subfiletype=1)
tifffile.imwrite(at('two-pages-u16.tif'), np.stack([labels, labels[::-1]]).astype(np.uint16), photometric='minisblack')
tifffile.imwrite(at('float32.tif'), labels.astype(np.float32))
odd = labels.astype(np.float32)
odd[7, :4] = [np.nan, -1, 0.5, np.inf]
tifffile.imwrite(at('odd-float32.tif'), odd)
tifffile.imwrite(at('colours.tif'), np.stack([labels] * 3, -1).astype(np.uint8), photometric='rgb')

cv2.imwrite(at('lzw-u16.tif'), labels.astype(np.uint16))
cv2.imwrite(at('zstd-u16.tif'), labels.astype(np.uint16), [cv2.IMWRITE_TIFF_COMPRESSION, 50000])
cv2.imwrite(at('cells_cp_masks.png'), labels.astype(np.uint16))
cv2.imwrite(at('grey-u8.png'), labels.astype(np.uint8))
cv2.imwrite(at('colours.png'), np.stack([labels] * 3, -1).astype(np.uint8))

for kind in ['u1', 'u2', '>u2', 'u4', 'u8', 'i4', 'i8', '>i8', 'f8']:
    name = kind.replace('>', 'big-')
    np.save(at(f'{name}.npy'), (wide if kind[-1] in '48' else labels).astype(kind))
for version in [(2, 0), (3, 0)]:
    with open(at(f'version-{version[0]}.npy'), 'wb') as file:
        np.lib.format.write_array(file, labels.astype(np.uint16), version=version)
np.save(at('one-plane.npy'), labels.astype(np.uint16)[None])
np.save(at('fortran.npy'), np.asfortranarray(labels.astype(np.uint16)))
np.save(at('objects_seg.npy'), {'masks': labels.astype(np.uint16)})
