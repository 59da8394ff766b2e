// Names that the engine gives to results, regions and recipes, in German: titles and messages have them.

export const names = `
Region
  Region
Region {n}
  Region {}
Points
  Punkte
Points {n}
  Punkte {}
Line
  Linie
Line {n}
  Linie {}
{p}: points
  {}: Punkte
{p}: points {n}
  {}: Punkte {}
{p}: line
  {}: Linie
{p}: line {n}
  {}: Linie {}
Class {n}
  Klasse {}
Hot spot
  Hotspot
Hot spot {n}
  Hotspot {}
Whole slide
  Ganzer Schnitt
Whole slide, run {n}
  Ganzer Schnitt, Lauf {}
{p}, run {n}
  {}, Lauf {}
Preview
  Vorschau
Imported, measured as {p}
  Importiert, gemessen wie {}
H&E nuclei
  H&E-Kerne
IHC nuclei
  IHC-Kerne
Fluorescence nuclei
  Fluoreszenzkerne
Max-tree nuclei
  Max-Tree-Kerne
Cell detection (QuPath-like)
  Zellerkennung (wie QuPath)
IWPP nuclei
  IWPP-Kerne
`
