// Max-tree nuclei in German.
import * as shared from './shared'
import type { GermanRecipe } from './shape'

export const maxTreeNuclei: GermanRecipe = {
  name: 'Max-Tree-Kerne',
  description:
    'Betrachtet alle Schwellen zugleich und behält die Formen, die nach Fläche, Form und Kontrast am meisten Kernen gleichen. Ein Max-Tree ist der Baum aller Schwellen eines Bilds.',
  layers: { channel: 'Kanal', mask: 'Maske', marker: 'Gewählte Knoten', labels: 'Kerne' },
  stages: {
    image: shared.image,
    tissue: shared.tissue,
    channel: {
      label: 'Kanal',
      help: 'Das Graubild, aus dem der Baum entsteht.',
      params: {
        image: shared.nucleiImage,
        smoothing: { label: 'Glättung', help: 'Sigma des Gauß-Filters, der zuerst angewandt wird.' },
      },
    },
    nodes: {
      label: 'Knoten',
      help: 'Ein Knoten ist eine zusammenhängende Komponente auf einem Niveau. Von den zulässigen wird die Menge ohne Verschachtelung gewählt, deren Summe am größten ist: Wurzel der Fläche mal eine Potenz der Elliptizität.',
      params: {
        minArea: { label: 'Kleinster Knoten', help: 'Kleinere Knoten werden nicht betrachtet.' },
        maxArea: { label: 'Größter Knoten', help: 'Knoten mit dieser Fläche oder mehr werden nicht betrachtet.' },
        maxElongation: { label: 'Streckung', help: 'Lange Achse zu kurzer Achse, höchstens.' },
        minEllipticity: {
          label: 'Elliptizität',
          help: 'Fläche zur Fläche der Ellipse mit gleichen Momenten, mindestens.',
        },
        minContrast: {
          label: 'Kontrast',
          help: 'Mittelwert des Knotens über dem Niveau seines Elternknotens, als Anteil am Niveau des Schnitts.',
        },
        level: {
          label: 'Niveau',
          help: 'Niveau eines Knotens, mindestens, als Anteil an dem des Schnitts (Otsu, einmal aus seinem Übersichtsbild).',
        },
        shapeWeight: {
          label: 'Gewicht der Form',
          help: 'Die Potenz der Elliptizität. Höher: mehr und rundere Kerne; niedriger: weniger und größere.',
        },
      },
    },
    objects: {
      label: 'Objekte',
      help: 'Bereinigt die gewählten Knoten.',
      params: {
        openRadius: {
          label: 'Radius der Öffnung',
          help: 'Radius der Kreisscheibe, die in einen Kern passen muss.',
        },
        holeArea: shared.holeArea,
      },
    },
    cells: shared.cells,
  },
}
