"""Geometry: points, polygons, meshes, free room. It knows no map."""
