// Cell detection in German.
import * as shared from './shared'
import type { GermanRecipe } from './shape'

export const cellDetection: GermanRecipe = {
  name: 'Zellerkennung (wie QuPath)',
  description:
    'Für alle, die die Zellerkennung von QuPath kennen: ihre Parameter und Vorgaben. Es ist unsere eigene Umsetzung; die Ergebnisse sind ähnlich, nicht gleich.',
  layers: {
    channel: 'Kanal',
    background: 'Hintergrund',
    difference: 'Erkennungsbild',
    mask: 'Maske',
    marker: 'Marker',
    labels: 'Kerne',
    cells: 'Zellen',
  },
  stages: {
    image: {
      ...shared.image,
      params: {
        pixelSizeUm: {
          ...shared.pixelSize,
          help: 'QuPaths „requested pixel size“: µm pro Pixel, mit denen der Schnitt analysiert wird. 0: die volle Auflösung des Schnitts.',
        },
      },
    },
    tissue: shared.tissue,
    detection: {
      label: 'Erkennungsbild',
      help: 'Worin Kerne erkannt werden.',
      params: {
        image: { ...shared.nucleiImage, label: 'Erkennungsbild' },
        backgroundRadius: {
          label: 'Hintergrundradius',
          help: 'Radius der Öffnung, die den Hintergrund schätzt. 0: keiner wird abgezogen.',
        },
        backgroundByReconstruction: {
          label: 'Öffnung durch Rekonstruktion',
          help: 'Folgt den Kanten des Hintergrunds; eine einfache Öffnung folgt der Kreisscheibe.',
        },
        backgroundReach: {
          label: 'Reichweite der Rekonstruktion',
          help: 'Wie weit der Hintergrund einer Struktur folgt, ab da, wo die Kreisscheibe passt. Ganzer Schnitt: ohne Grenze, vor der ersten Kachel eines Laufs für den ganzen Schnitt bestimmt.',
          zero: 'ganzer Schnitt',
        },
        medianRadius: { label: 'Radius des Medianfilters', help: 'Halbe Seite des Medianfensters. 0: keins.' },
        sigma: { label: 'Sigma', help: 'Sigma des Gauß-Filters: kleiner findet mehr und kleinere Kerne.' },
      },
    },
    nucleus: {
      label: 'Kern',
      help: 'Welche Objekte Kerne sind.',
      params: {
        minArea: { label: 'Kleinste Fläche', help: 'Kleinere Kerne entfallen.' },
        maxArea: { label: 'Größte Fläche', help: 'Kerne mit dieser Fläche oder mehr entfallen.' },
        threshold: {
          label: 'Schwelle',
          help: 'Hämatoxylin über dem Hintergrund, als optische Dichte: jedes Pixels nach dem Glätten und des Mittelwerts des Kerns.',
        },
        maxBackground: {
          label: 'Höchster Hintergrund',
          help: 'Wo der Hintergrund über dieser Dichte liegt, wird nichts erkannt.',
        },
        splitByShape: { label: 'Nach Form trennen', help: 'Schneidet Kerne an ihren Taillen.' },
        splitDepth: { label: 'Trenntiefe', help: 'Wie viel tiefer als seine Taille ein Teil sein muss.' },
      },
    },
    cell: {
      label: 'Zelle',
      help: 'Die Zelle um jeden Kern.',
      params: {
        expansion: {
          label: 'Zellausdehnung',
          help: 'Wie weit eine Zelle über ihren Kern hinausreicht, wenn sie nicht an eine andere stößt.',
        },
        object: {
          label: 'Objekte sind',
          help: 'Was gezählt, gemessen und exportiert wird.',
          choices: { both: 'Kerne mit ihren Zellen', nucleus: 'Kerne', cell: 'Zellen' },
        },
        membraneWidth: shared.membraneWidth,
      },
    },
  },
}
