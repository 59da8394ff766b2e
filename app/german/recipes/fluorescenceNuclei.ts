// Fluorescence nuclei in German.
import * as shared from './shared'
import type { GermanRecipe } from './shape'

export const fluorescenceNuclei: GermanRecipe = {
  name: 'Fluoreszenzkerne',
  description:
    'Helle Kerne auf dunklem Hintergrund: DAPI, Hoechst und andere Kernfarbstoffe. Für jede Belichtung, ungleiche Hintergründe und Kerne in Haufen.',
  layers: { ...shared.layers, distance: 'Tiefe und Helligkeit' },
  stages: {
    image: shared.image,
    tissue: {
      ...shared.tissue,
      params: {
        ...shared.tissue.params,
        level: {
          label: 'Gewebeschwelle',
          help: 'Wie weit das Übersichtsbild vom Schwarz des Schnitts abweichen muss, um als Gewebe zu zählen, von 0 bis 255. Höher: weniger zählt als Gewebe.',
        },
      },
    },
    channel: {
      label: 'Kanal',
      help: shared.channelHelp,
      params: {
        image: {
          label: 'Bild',
          help: 'Worin Kerne hell sind: das Hellste aus Rot, Grün und Blau an jedem Pixel, oder eines davon.',
          choices: { brightest: 'Hellstes', blue: 'Blau', green: 'Grün', red: 'Rot' },
        },
        strongest: {
          label: 'Hellstes Licht',
          help: 'Licht über diesem Vielfachen des Niveaus zählt nur so viel, damit helle Kerne schwache nicht verdecken.',
        },
        smoothing: {
          label: 'Glättung',
          help: 'Sigma des Gauß-Filters gegen Rauschen. Mehr Glättung macht strukturierte Kerne ganz und verbindet nahe.',
        },
        coarseSmoothing: shared.coarseSmoothing,
      },
    },
    threshold: shared.threshold,
    mask: shared.mask,
    split: {
      ...shared.split,
      help: 'Trennt Kerne, die sich berühren: ein Marker für jedes Maximum aus Tiefe und Helligkeit, dann die Wasserscheide.',
      params: {
        ...shared.split.params,
        stain: {
          label: 'Helligkeit beim Trennen',
          help: 'Kerne, die sich berühren, werden nach Tiefe und Helligkeit getrennt. Licht, so hell wie das Niveau des Schnitts, zählt so viel Tiefe. 0: nur die Form entscheidet.',
        },
      },
    },
    objects: shared.objects,
    cells: shared.cells,
  },
}
