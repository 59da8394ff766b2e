// IHC nuclei in German.
import * as shared from './shared'
import type { GermanRecipe } from './shape'

export const ihcNuclei: GermanRecipe = {
  name: 'IHC-Kerne',
  description:
    'Kerne in Hämatoxylin und DAB: Ki-67, ER, PR und andere Kernmarker. Ein brauner und ein blauer Kern, die sich berühren, sind zwei. Das mittlere DAB eines Kerns sagt, ob er positiv ist.',
  layers: { ...shared.layers, brown: 'Braune Kerne' },
  stages: {
    image: shared.image,
    tissue: shared.tissue,
    stains: {
      ...shared.stainsStage,
      params: {
        hematoxylinRed: shared.stainColour('Hämatoxylin', 'red'),
        hematoxylinGreen: shared.stainColour('Hämatoxylin', 'green'),
        hematoxylinBlue: shared.stainColour('Hämatoxylin', 'blue'),
        dabRed: shared.stainColour('DAB', 'red'),
        dabGreen: shared.stainColour('DAB', 'green'),
        dabBlue: shared.stainColour('DAB', 'blue'),
      },
    },
    channel: {
      label: 'Kanal',
      help: shared.channelHelp,
      params: {
        image: {
          label: 'Bild',
          help: 'Worin Kerne hell sind: Hämatoxylin oder DAB, was an einem Pixel stärker ist, oder eines davon allein.',
          choices: { both: 'Hämatoxylin oder DAB', hematoxylin: 'Hämatoxylin', dab: 'DAB' },
        },
        strongest: {
          label: 'Stärkste Färbung',
          help: 'Färbung über dieser optischen Dichte zählt nur so viel, damit dunkelbraune Kerne blasse blaue nicht verdecken.',
        },
        dabWeight: {
          label: 'Gewicht von DAB',
          help: 'So viel zählt DAB neben Hämatoxylin. Kleiner: brauner Schleier im Zytoplasma bleibt außen vor.',
        },
        smoothing: shared.smoothing,
        coarseSmoothing: shared.coarseSmoothing,
      },
    },
    threshold: shared.threshold,
    brown: {
      label: 'Braune Kerne',
      help: 'Braune Kerne werden für sich gefunden, damit keiner einen blauen Nachbarn schluckt.',
      params: {
        apart: {
          label: 'Braun von Blau trennen',
          help: 'Ein brauner und ein blauer Kern, die sich berühren, sind zwei Objekte. Aus: nur Form und Dunkelheit trennen sie.',
        },
        level: {
          label: 'Braun über',
          help: 'DAB über dieser optischen Dichte ist braun. Das legt fest, wo ein brauner Kern endet, nicht, welche Kerne positiv sind.',
        },
        share: {
          label: 'Anteil am braunsten',
          help: 'Braun ist außerdem, was diesen Anteil am stärksten Braun der Umgebung hat. Größer: trennt einen hellbraunen Kern von einem dunklen daneben.',
        },
        radius: {
          label: 'Umgebung heißt bis',
          help: 'Wie weit um ein Pixel das stärkste Braun gesucht wird.',
        },
        core: {
          label: 'Inneres eines braunen Kerns',
          help: 'An der höchsten Schwelle ist ein brauner Kern, was diesen Anteil des roten Lichts schluckt, das ringsum geschluckt wird. Braunes Zytoplasma schluckt davon wenig. Der Anteil sinkt von einer Schwelle zur nächsten, und ab der mittleren zählt alles Braune.',
          zero: 'alles Braune',
        },
        smoothing: { label: 'Glättung des Brauns', help: 'Sigma des Gauß-Filters gegen Rauschen.' },
        openRadius: {
          label: 'Öffnungsradius für Braun',
          help: 'Radius der Kreisscheibe, die in einen braunen Kern passen muss: entfernt Fäden und Flecken.',
        },
        minArea: {
          label: 'Kleinster brauner Kern',
          help: 'Kleinere braune Stücke gehören zu dem, was sie umgibt.',
        },
        gap: {
          label: 'Abstand zu blauen Kernen',
          help: 'Was so nah an einem braunen Kern liegt, ist kein Anfang eines blauen.',
        },
      },
    },
    mask: {
      ...shared.mask,
      params: {
        ...shared.mask.params,
        holeArea: { ...shared.holeArea, help: 'Löcher, die kleiner sind, werden gefüllt, auch in braunen Kernen.' },
      },
    },
    split: shared.split,
    objects: shared.objects,
    candidates: {
      ...shared.candidates,
      params: {
        ...shared.candidates.params,
        levels: {
          label: 'Schwellen',
          help: 'Wie viele versucht werden, rund um das Niveau oben. 1: nur dieses, das braucht ein Viertel der Zeit.',
        },
        restRadius: {
          label: 'Neben Kernen noch einmal suchen',
          help: 'Blasse Kerne neben dunklen werden in dem gesucht, was diese von der niedrigsten Maske übrig lassen. Radius der Kreisscheibe, die hineinpassen muss. Kleiner: dort wird mehr gefunden.',
          zero: 'aus',
        },
      },
    },
    cells: {
      ...shared.cells,
      params: {
        ...shared.cells.params,
        membraneAbove: {
          label: 'Membran gefärbt über',
          help: 'DAB, über dem ein Pixel der Membran als gefärbt zählt.',
        },
        leastShare: {
          label: 'Mindestanteil',
          help: 'Anteil des Rands, der gefärbt sein muss: Darunter ist eine Zelle 0.',
        },
        completeShare: {
          label: 'Vollständig ab',
          help: 'Anteil des Rands, ab dem eine Membran als vollständig zählt.',
        },
        moderateAbove: {
          label: '2+ ab',
          help: 'Mittleres DAB der gefärbten Membran, ab dem eine vollständige 2+ ist.',
        },
        strongAbove: {
          label: '3+ ab',
          help: 'Mittleres DAB der gefärbten Membran, ab dem eine vollständige 3+ ist.',
        },
      },
    },
    classes: {
      label: 'Positiv und negativ, H-Score',
      help: 'Welche Kerne als gefärbt zählen und wie stark. Die Grenzwerte sind optische Dichten des mittleren DAB eines Kerns, für jeden Schnitt dieselben.',
      params: {
        by: {
          label: 'Klassen',
          help: 'Negativ und positiv geben den positiven Anteil, wie bei Ki-67: nach dem mittleren DAB eines Kerns oder danach, wie viel von ihm braun ist. 0, 1+, 2+ und 3+ geben den H-Score: die Prozente von 1+, 2+ und 3+, mal 1, 2 und 3. Ändert keinen Umriss.',
          choices: {
            positive: 'Negativ, positiv (Ki-67)',
            area: 'Negativ, positiv nach brauner Fläche',
            grades: '0, 1+, 2+, 3+ (H-Score)',
          },
        },
        positiveAbove: {
          label: 'Positiv über',
          help: 'Ein Kern, dessen mittleres DAB über dieser optischen Dichte liegt, ist positiv, sonst negativ. Für den H-Score ist es der Grenzwert von 1+. Ändert keinen Umriss.',
        },
        areaAbove: {
          label: 'Positiv über',
          help: 'Ein Kern ist positiv, wenn mehr als dieser Prozentsatz seiner Fläche braun ist, sonst negativ. Das nimmt auch teilweise braune Kerne auf. Ändert keinen Umriss.',
        },
        brownAbove: {
          label: 'Braun über',
          help: 'Ein Pixel, dessen DAB über dieser optischen Dichte liegt, ist braun. Der braune Anteil der Fläche jedes Kerns wird gemessen, gleich welche Klassen gelten. Ändert keinen Umriss.',
        },
        moderateAbove: {
          label: '2+ über',
          help: 'Ein Kern, dessen mittleres DAB über dieser optischen Dichte liegt, ist mindestens mäßig, 2+. Auch QuPath beginnt mit 0.4. Ändert keinen Umriss.',
        },
        strongAbove: {
          label: '3+ über',
          help: 'Ein Kern, dessen mittleres DAB über dieser optischen Dichte liegt, ist stark, 3+. Auch QuPath beginnt mit 0.6. Ändert keinen Umriss.',
        },
      },
    },
  },
}
