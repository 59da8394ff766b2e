// German texts that several recipes share.
import type { GermanParam, GermanStage } from './shape'

export const pixelSize: GermanParam = {
  label: 'Pixelgröße',
  help: 'µm pro Pixel, mit denen der Schnitt analysiert wird. 0: die volle Auflösung des Schnitts. 0.5 ist viermal so schnell wie 0.25 und an Umrissen etwas ungenauer.',
  zero: 'voll',
}

export const image: GermanStage = {
  label: 'Bild',
  help: 'Die Auflösung, mit der der Schnitt analysiert wird.',
  params: { pixelSizeUm: pixelSize },
}

export const tissue: GermanStage = {
  label: 'Gewebe',
  help: 'Welche Teile des Schnitts überhaupt berechnet werden: die, in denen sein Übersichtsbild Gewebe zeigt.',
  params: {
    only: {
      label: 'Nur Gewebe',
      help: 'Lässt Glas und Stiftmarken aus, das spart Zeit. Dichten pro mm² Gewebe brauchen es.',
    },
    level: {
      label: 'Gewebeschwelle',
      help: 'Wie weit das Übersichtsbild vom Glas des Schnitts abweichen muss, um als Gewebe zu zählen, von 0 bis 255. Höher: weniger zählt als Gewebe.',
    },
    margin: { label: 'Rand', help: 'Breite des Rands um das Gewebe, der mitberechnet wird.' },
  },
}

export const imageChoices = { hematoxylin: 'Hämatoxylin', red: 'Rot invertiert', darkness: 'Dunkelheit' }
export const nucleiImage: GermanParam = {
  label: 'Bild',
  help: 'Worin Kerne hell sind: das Hämatoxylin aus der Farbtrennung, 255 minus den roten Kanal oder die invertierte Helligkeit.',
  choices: imageChoices,
}

export const smoothing: GermanParam = {
  label: 'Glättung',
  help: 'Sigma des Gauß-Filters gegen Rauschen. Mehr Glättung macht blasse, strukturierte Kerne ganz und verbindet nahe.',
}
export const coarseSmoothing: GermanParam = {
  label: 'Grobe Glättung',
  help: 'Sigma des Gauß-Filters für das Bild, das Einhüllende und Trennung betrachten.',
}

export const threshold: GermanStage = {
  label: 'Schwelle',
  help: 'Ein Pixel gehört zu einem Kern, wo der Kanal über dem Mittel dreier Niveaus liegt: dem des Schnitts (Otsu, einmal aus seinem Übersichtsbild), dem Mittelwert der Umgebung und einer Lage zwischen ihrer unteren und oberen Einhüllenden.',
  params: {
    level: {
      label: 'Niveau',
      help: 'Faktor für das Niveau des Schnitts. Über 1: weniger und kleinere Kerne; unter 1: mehr und größere.',
    },
    localWeight: {
      label: 'Lokales Mittel',
      help: 'Anteil des Mittelwerts der Umgebung an der Schwelle: folgt ungleicher Färbung und trennt dichte Kerne.',
    },
    localRadius: {
      label: 'Radius des Mittels',
      help: 'Halbe Seite des Fensters für dieses Mittel (zweimal gebildet).',
    },
    contrastWeight: {
      label: 'Lokaler Kontrast',
      help: 'Anteil des Niveaus zwischen den Einhüllenden der Umgebung. Mit dem lokalen Mittel zusammen höchstens 1.',
    },
    contrastRadius: { label: 'Radius des Kontrasts', help: 'Halbe Seite des Fensters für die Einhüllenden.' },
    contrastPosition: {
      label: 'Lage im Kontrast',
      help: '0: an der unteren Einhüllenden, 1: an der oberen.',
    },
  },
}

export const channelHelp = 'Das Graubild, aus dem die Maske entsteht.'

export const holeArea: GermanParam = {
  label: 'Löcher füllen unter',
  help: 'Löcher, die kleiner sind, werden gefüllt.',
}
export const mask: GermanStage = {
  label: 'Maske',
  help: 'Bereinigt das Bild nach der Schwelle.',
  params: {
    holeArea,
    openRadius: {
      label: 'Radius der Öffnung',
      help: 'Radius der Kreisscheibe, die in die Maske passen muss: entfernt Fäden und Zacken.',
    },
    minArea: {
      label: 'Kleinstes Stück',
      help: 'Kleinere Stücke der Maske werden vor dem Trennen entfernt.',
    },
  },
}

export const split: GermanStage = {
  label: 'Trennen',
  help: 'Trennt Kerne, die sich berühren: ein Marker für jedes Maximum aus Tiefe und Dunkelheit, dann die Wasserscheide.',
  params: {
    depth: {
      label: 'Markertiefe',
      help: 'Wie weit sich ein Maximum abheben muss, um ein eigener Kern zu sein. Kleiner: mehr Trennungen.',
    },
    smoothing: {
      label: 'Glättung der Tiefe',
      help: 'Sigma des Gauß-Filters, der die Tiefe rundet, damit ein rauer Umriss keinen Kern teilt.',
    },
    stain: {
      label: 'Dunkelheit beim Trennen',
      help: 'Kerne, die sich berühren, werden nach Tiefe und Dunkelheit getrennt. Färbung, so dunkel wie das Niveau des Schnitts, zählt so viel Tiefe. 0: nur die Form entscheidet.',
    },
    wholeEllipticity: {
      label: 'Ganz lassen über',
      help: 'Ein Stück, dessen Fläche mindestens diesen Anteil der Ellipse mit gleichen Momenten hat, ist schon ein Kern. Über 1: keines.',
    },
    wholeArea: { label: 'Ganz lassen unter', help: 'Größere Stücke werden unabhängig von ihrer Form getrennt.' },
    separateRadius: {
      label: 'Trennradius',
      help: 'Radius der Kreisscheibe, die in jedes getrennte Teil passen muss.',
    },
  },
}

export const minArea: GermanParam = { label: 'Kleinster Kern', help: 'Kleinere Objekte entfallen.' }
export const maxArea: GermanParam = { label: 'Größter Kern', help: 'Objekte mit dieser Fläche oder mehr entfallen.' }
export const objectsHelp = 'Welche der Teile Kerne sind.'
export const objects: GermanStage = {
  label: 'Objekte',
  help: objectsHelp,
  params: {
    minArea,
    maxArea,
    minContrast: {
      label: 'Kontrast',
      help: 'Wie weit sich ein Objekt von seiner Umgebung (der unteren Einhüllenden) abheben muss, als Anteil am Niveau des Schnitts.',
    },
    typicalArea: {
      label: 'Typischer Kern',
      help: 'Ein Objekt dieser Fläche braucht genau diesen Kontrast; kleinere brauchen mehr, größere weniger (mit der vierten Wurzel der Fläche).',
    },
  },
}

export const membraneWidth: GermanParam = {
  label: 'Membranbreite',
  help: 'Wie weit die Membran einer Zelle von ihrem Rand nach innen reicht. Der Rest außerhalb des Kerns ist Zytoplasma.',
}
export const cells: GermanStage = {
  label: 'Zellen',
  help: 'Eine Zelle um jeden Kern, für das, was in Zytoplasma und Membran liegt.',
  params: {
    expansion: {
      label: 'Zellausdehnung',
      help: 'Wie weit eine Zelle über ihren Kern hinausreicht, wenn sie nicht an eine andere stößt. 0: keine Zellen.',
      zero: 'keine',
    },
    membraneWidth,
  },
}

/** Of the recipes with stains. */
export const stainsStage = {
  label: 'Färbungen',
  help: 'Die Farben der beiden Färbungen, als optische Dichte von Rot, Grün und Blau. Anfangs sind es die von Ruifrok und Johnston (2001); für einen anders gefärbten oder gescannten Schnitt nehmen Sie seine eigenen.',
}
const light = { red: ['Rot', 'rotes'], green: ['Grün', 'grünes'], blue: ['Blau', 'blaues'] } as const
/** "Hämatoxylin, Rot" */
export const stainColour = (stain: string, colour: keyof typeof light): GermanParam => ({
  label: `${stain}, ${light[colour][0]}`,
  help: `Wie viel ${light[colour][1]} Licht ${stain} schluckt, neben seinen beiden anderen Farben.`,
})

export const candidates: GermanStage = {
  label: 'Mehrere Schwellen',
  help: 'Dichte Kerne trennen sich bei hoher Schwelle, blasse zeigen sich bei niedriger. Jede Schwelle gibt ihre Objekte. Wo Objekte übereinander liegen, bleibt das, was am meisten einem Kern gleicht: rund, mit steilem Rand und groß genug.',
  params: {
    levels: {
      label: 'Schwellen',
      help: 'Wie viele versucht werden, rund um das Niveau oben. 1: nur dieses. Jede weitere kostet etwa noch einmal so viel und findet dichte und blasse Kerne besser.',
    },
    ratio: { label: 'Von einer zur nächsten', help: 'Jedes Niveau ist so vielmal so hoch wie das darunter.' },
    wholeArea: {
      label: 'Fläche eines ganzen Kerns',
      help: 'Ein Objekt dieser Fläche oder mehr zählt voll. Ein kleineres zählt weniger, mit der Wurzel seines Anteils.',
    },
    fitNone: {
      label: 'Ellipsenmaß, das nichts zählt',
      help: 'Fläche eines Objekts als Anteil an der Ellipse mit gleichen Momenten.',
    },
    fitFull: { label: 'Ellipsenmaß, das voll zählt', help: 'Zwischen beiden Maßen zählt ein Objekt anteilig.' },
    edge: {
      label: 'Rand, der voll zählt',
      help: 'Wie weit der Kanal über den Umriss eines Objekts ansteigt, als Anteil am Niveau des Schnitts.',
    },
    edgeRadius: { label: 'Breite eines Rands', help: 'Halbe Breite, über die dieser Anstieg gemessen wird.' },
  },
}

/** Of layers, by their ids; recipes differ in some. */
export const layers = {
  channel: 'Kanal',
  background: 'Untere Einhüllende',
  difference: 'Kontrast',
  mask: 'Maske',
  distance: 'Tiefe und Dunkelheit',
  marker: 'Marker',
  labels: 'Kerne',
}
