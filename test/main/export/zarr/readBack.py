# A Zarr as Python's zarr reads it, on standard output as JSON: every group and array with its attributes, and numbers as base64 of their bytes.
import base64, json, sys
import zarr

def told(node):
    if isinstance(node, zarr.Group):
        return {'attributes': dict(node.attrs), 'members': {name: told(node[name]) for name in node.keys()}}
    values = node[...]
    about = {'attributes': dict(node.attrs), 'shape': node.shape, 'dtype': str(node.dtype)}
    if node.dtype.kind in 'OU':
        return {**about, 'texts': values.ravel().tolist()}
    return {**about, 'bytes': base64.b64encode(values.tobytes()).decode()}

out = {'tree': told(zarr.open_group(sys.argv[1], mode='r')), 'anndata': None}
if len(sys.argv) > 2:
    import warnings
    warnings.simplefilter('error', UserWarning)
    import anndata
    import numpy, pandas
    a = anndata.read_zarr(sys.argv[1] + '/' + sys.argv[2])
    b = anndata.read_h5ad(sys.argv[3])
    assert a.X.dtype == b.X.dtype and numpy.array_equal(a.X, b.X, equal_nan=True)
    pandas.testing.assert_frame_equal(a.obs.drop(columns='region'), b.obs)
    pandas.testing.assert_frame_equal(a.var, b.var)
    for key in b.obsm:
        assert numpy.array_equal(a.obsm[key], b.obsm[key])
    for key, value in b.uns['morphoscope'].items():
        assert a.uns['morphoscope'][key] == value, key
    out['anndata'] = {
        'shape': a.shape,
        'obs': {name: str(a.obs[name].dtype) for name in a.obs},
        'index': list(a.obs.index),
        'var': list(a.var.index),
        'categories': {name: list(a.obs[name].cat.categories) for name in a.obs if str(a.obs[name].dtype) == 'category'},
        'spatial': a.obsm['spatial'].ravel().tolist(),
        'region': str(a.uns['spatialdata_attrs']['region']),
        'slide': str(a.uns['morphoscope']['slide']),
        'umPerPx': float(a.uns['morphoscope'].get('um_per_px_x', float('nan'))),
    }
json.dump(out, sys.stdout)
