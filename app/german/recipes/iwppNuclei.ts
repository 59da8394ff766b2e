// IWPP nuclei in German.
import * as shared from './shared'
import type { GermanRecipe } from './shape'

export const iwppNuclei: GermanRecipe = {
  name: 'IWPP-Kerne',
  description:
    'Die Methode von Teodoro und anderen (2012), mit deren Werten für 20x-Scans. IWPP ist ihr „irregular wavefront propagation pattern“. Zuerst wird der Hintergrund des ganzen Schnitts bestimmt.',
  layers: {
    channel: 'Rot invertiert',
    background: 'Hintergrund',
    difference: 'Differenz',
    mask: 'Maske',
    distance: 'Distanz',
    marker: 'Marker',
    labels: 'Kerne',
  },
  stages: {
    image: {
      ...shared.image,
      params: {
        pixelSizeUm: {
          ...shared.pixelSize,
          help: 'µm pro Pixel, mit denen der Schnitt analysiert wird. Die Werte der Autoren gehören zu 20x-Scans, 0.5. 0: die volle Auflösung des Schnitts.',
        },
      },
    },
    tissue: shared.tissue,
    background: {
      label: 'Hintergrund',
      help: 'Glas bleibt außen vor.',
      params: {
        level: {
          label: 'Hintergrund über',
          help: 'Ein Pixel ist Hintergrund, wo Rot, Grün und Blau alle darüber liegen.',
        },
      },
    },
    redCells: {
      label: 'Erythrozyten',
      help: 'Nach Farbe gefunden und aus der Maske genommen.',
      params: {
        strongRatio: {
          label: 'Rot zu Grün, Keim',
          help: 'Komponenten mit einem Pixel über diesem Wert sind Erythrozyten.',
        },
        weakRatio: { label: 'Rot zu Grün, Ausdehnung', help: 'Wie weit eine solche Komponente reicht.' },
        blueRatio: { label: 'Rot zu Blau', help: 'Wird von jedem ihrer Pixel verlangt.' },
      },
    },
    marker: {
      label: 'Marker',
      help: 'Invertiertes Rot minus seine Öffnung mit einer Kreisscheibe, darunter rekonstruiert; was über dem Niveau liegt und so groß wie Kerne ist.',
      params: {
        openRadius: {
          label: 'Radius der Scheibe',
          help: 'Radius der Kreisscheibe für die Öffnung: größer als ein Kern.',
        },
        reach: {
          label: 'Reichweite der Rekonstruktion',
          help: 'Wie weit der Hintergrund einer gefärbten Struktur folgt, ab da, wo die Kreisscheibe passt. Ganzer Schnitt: ohne Grenze, wie im Artikel, vor der ersten Kachel eines Laufs für den ganzen Schnitt bestimmt.',
          zero: 'ganzer Schnitt',
        },
        level: { label: 'Markerniveau (G1)', help: 'In einem Marker muss die Differenz darüber liegen.' },
        minArea: { label: 'Kleinster Marker', help: 'Kleinere Marker entfallen.' },
        maxArea: { label: 'Größter Marker', help: 'Marker mit dieser Fläche oder mehr entfallen.' },
      },
    },
    mask: {
      label: 'Maske',
      help: 'Kandidaten mit einem Marker, bereinigt und um einen Schritt vergrößert.',
      params: {
        level: { label: 'Maskenniveau (G2)', help: 'In einem Kandidaten muss die Differenz darüber liegen.' },
        openRadius: { label: 'Radius der Öffnung', help: 'Halbe Länge des Kreuzes, das hineinpassen muss.' },
        minArea: { label: 'Kleinster Kandidat', help: 'Kleinere entfallen.' },
        growRadius: { label: 'Vergrößern um', help: 'Halbe Länge des Kreuzes, das die Maske erweitert.' },
      },
    },
    split: {
      label: 'Trennen',
      help: 'Exakte Distanz und Wasserscheide.',
      params: {
        depth: {
          label: 'Tiefe der Minima',
          help: 'Flachere Minima der negativen Distanz sind keine eigenen Kerne.',
        },
      },
    },
    objects: {
      label: 'Objekte',
      help: shared.objectsHelp,
      params: { minArea: shared.minArea, maxArea: shared.maxArea },
    },
    cells: shared.cells,
  },
}
