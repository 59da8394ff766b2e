// The guide's chapters in German. Ids, controls and commands are those of app/guide.ts; the compiler says which text is missing.
import { guide, type GuideChapter } from '../guide'

type English = (typeof guide)[number]
/** As many as the English chapter has. */
type SameCount<Words extends readonly string[]> = { readonly [At in keyof Words]: string }
interface Texts<Chapter extends English> {
  readonly title: string
  readonly words: SameCount<Chapter['words']>
  readonly alt: string
  /** By the control that the number stands on. */
  readonly marks: Readonly<Record<Chapter['marks'][number]['testId'], string>>
}

const german: { readonly [Chapter in English as Chapter['id']]: Texts<Chapter> } = {
  window: {
    title: 'Das Fenster',
    words: [
      'In der Mitte ist der Schnitt. Links steht das Rezept: was berechnet wird, Schritt für Schritt, mit einem Regler für jeden Wert. Rechts steht, was herauskam: Kennzahlen, Regionen, Ergebnisse, das ausgewählte Objekt, Zeiten.',
      '{palette} findet jeden Befehl nach ein paar Buchstaben seines Namens. {help} zeigt alle Tasten; dort wählen Sie auch die von QuPath und die Sprache des Fensters. Jedes kleine „i“ erklärt den Wert daneben.',
    ],
    alt: 'Das ganze Fenster mit einem segmentierten Feld: links das Rezept, in der Mitte der Schnitt, rechts die Ergebnisse',
    marks: {
      open: 'Schnitt öffnen, oder eine Datei irgendwo ins Fenster ziehen',
      'param-channel-smoothing-slider': 'Ein Wert des Rezepts: ziehen und hinsehen',
      'layer-select': 'Der Schnitt, eine Färbung oder ein Schritt des Rezepts',
      'segment-visible': 'Segmentieren, was zu sehen ist',
      'object-count': 'Wie viele Objekte, und wie dicht',
      'zoom-in': 'Die Werkzeuge der Ansicht',
      help: 'Tasten und diese Anleitung',
    },
  },
  open: {
    title: 'Einen Schnitt öffnen',
    words: [
      'Die Startseite hat den Beispielschnitt und die Schnitte und Projekte, die Sie zuletzt geöffnet haben. Bilder zeigen das Gewebe, nie ein Etikett. Gelesen werden SVS, gekacheltes TIFF, OME-TIFF, NDPI, MIRAX, Philips, Leica, DICOM, OME-Zarr und mehr, auch einfache PNG, JPEG und TIFF.',
      'Kennt ein Schnitt seine Pixelgröße nicht, steht in der unteren Zeile „Unkalibriert“: Ein Klick darauf setzt sie. Von da an sind Längen in µm.',
    ],
    alt: 'Die Startseite mit dem Beispielschnitt und den zuletzt geöffneten Schnitten',
    marks: {},
  },
  move: {
    title: 'Sich bewegen',
    words: [
      'Ziehen verschiebt, das Mausrad zoomt am Zeiger, Pfeiltasten und + − tun dasselbe. Die untere Zeile zeigt die Vergrößerung, wie ein Objektiv sie gäbe. Ein Klick darauf, oder {magnification}, bietet die üblichen an und nimmt jede Zahl.',
      'Die kleine Karte rechts zeigt, wo Sie sind; ein Klick darin geht dorthin. Gedreht oder gespiegelt dreht sich alles mit, was über dem Schnitt liegt. Ein Knopf neben dem Maßstab führt zurück.',
      'Ein Rechtsklick auf den Schnitt zeigt, was sich mit dem Objekt, der Region und dem Feld dort tun lässt.',
    ],
    alt: 'Die Liste der Vergrößerungen über der unteren Zeile',
    marks: {
      magnification: 'Die jetzige Vergrößerung; ein Klick wählt eine andere',
      fit: 'Der ganze Schnitt',
      'actual-size': 'Ein Pixel des Schnitts auf einem Pixel des Bildschirms',
      'rotate-right': 'Drehen',
      flip: 'Spiegeln',
    },
  },
  picture: {
    title: 'Das Bild: Helligkeit, Gitter, Bild der Ansicht',
    words: [
      'Helligkeit, Kontrast und Gamma ändern, wie der Schnitt gezeigt wird, für alle Kanäle oder einen. Jeder Kanal lässt sich abschalten oder anders färben, was Fluoreszenz braucht. Ergebnisse ändern sich nicht: Sie werden aus der Datei berechnet. Ein Bild, das fast schwarz wäre, öffnet sich mit Auto-Kontrast. Solange das Bild angepasst ist, sagt es ein Knopf und nimmt es zurück. Ein Schnitt, dessen Datei ein Farbprofil hat, kann damit gezeigt werden; was analysiert wird, bleibt, wie es in der Datei steht.',
      'Die Quadrate des Gitters haben eine runde Länge, die über dem Maßstab steht. Ein Bild der Ansicht wird mit Umrissen, Maßstab und der Bedeutung der Farben (Klassen, Regionen, Skalen) gespeichert oder kopiert. Es heißt nach dem Schnitt, oder nach seinem Pseudonym, wenn Sie das für Exporte gewählt haben.',
    ],
    alt: 'Die Karte mit Helligkeit, Kontrast, Gamma und den Farben der Kanäle, und das Gitter über dem Schnitt',
    marks: {
      tone: 'Helligkeit, Kontrast, Gamma, Kanäle',
      toned: 'Zurück zum Bild, wie es in der Datei steht',
      'grid-words': 'Wie lang ein Quadrat des Gitters ist',
      'save-picture': 'Bild der Ansicht speichern',
    },
  },
  channels: {
    title: 'Kanäle der Fluoreszenz',
    words: [
      'Ein Schnitt mit mehreren Kanälen zeigt alle zusammen, jeden in seiner Farbe. Die Karte sagt, welche zu sehen sind. Klicken Sie auf den Namen eines Kanals. Ziehen Sie dann den Wert, unter dem er schwarz ist, und den, ab dem er am hellsten ist. Auto nimmt beide aus dem Feld. Zifferntasten schalten Kanäle ein und aus.',
      '„Segmentieren in“ sagt, welcher Kanal analysiert wird; zuerst ist es der einer Kernfärbung. Jedes Objekt wird in allen Kanälen gemessen, in den Einheiten der Datei. Das Projekt behält Ihre Wahl und das Aussehen der Kanäle. Was in einem anderen Kanal gefunden wurde, bleibt bei diesem. Einen Schnitt mit 16 Bit analysiert das Rezept Fluoreszenzkerne mit 16 Bit.',
    ],
    alt: 'Ein Schnitt mit drei Kanälen in Blau, Grün und Rot, und die Karte seiner Kanäle',
    marks: {
      'channel-show-0': 'Ob ein Kanal zu sehen ist',
      'channel-color-0': 'Seine Farbe',
      'channel-histogram': 'Wie oft jeder Wert im Feld vorkommt',
      'channel-high': 'Von hier an ist er am hellsten',
      'channel-auto': 'Beide Enden aus dem, was zu sehen ist',
      'channel-analysed': 'Welcher segmentiert wird',
    },
  },
  second: {
    title: 'Zwei Ansichten nebeneinander',
    words: [
      '{second} öffnet eine zweite Ansicht. Sie zeigt dasselbe Feld mit einer anderen Ebene oder einem anderen Ergebnis, oder einen anderen Schnitt. Beide gehen zusammen: Was Sie in der einen tun, macht die andere mit, und ein Kreuz zeigt, wo der Zeiger ist. Der Knopf mit der Kette entkoppelt sie, dann bewegt sich jede für sich. Wieder gekoppelt bleiben sie so übereinander liegen, wie Sie sie verlassen haben.',
      '{split} ist der schnelle Weg für ein Feld: links vom Balken der Schnitt allein, rechts davon, was berechnet wurde.',
    ],
    alt: 'Zwei Ansichten desselben Felds: Umrisse in der ersten, der Hämatoxylin-Kanal in der zweiten',
    marks: {
      'second-slide': 'Dieser Schnitt oder ein anderer',
      'second-layer-select': 'Seine Ebene',
      'second-results': 'Sein Ergebnis',
      'second-link': 'Zusammen, oder jede für sich',
    },
  },
  segment: {
    title: 'Segmentieren',
    words: [
      '{segmentVisible} segmentiert das sichtbare Feld. Ein Rechteck oder der ganze Schnitt dauern länger; wie lange, sagt das Fenster vor dem Start. Kacheln erscheinen, sobald sie fertig sind, zuerst die in der Mitte. Jedes Ergebnis bleibt in der Liste, bis Sie es löschen.',
      'Ein Klick auf einen Kern wählt ihn aus, auch wo noch nichts gelaufen ist: Dann läuft das Rezept um ihn herum. Ein Lauf lässt sich pausieren und fortsetzen. Was eine Minute Arbeit beenden würde, fragt vorher.',
    ],
    alt: 'Ein Lauf im Gange: Kacheln erscheinen von der Mitte her, der Balken zeigt, wie weit er ist',
    marks: {
      progress: 'Wie weit er ist, und wie lange er noch dauert',
      pause: 'Pausieren und fortsetzen',
      cancel: 'Beenden: was fertig ist, bleibt',
    },
  },
  stages: {
    title: 'Marker, Maske und die Schritte eines Rezepts',
    words: [
      'Ein Rezept ist eine Folge von Schritten. H&E-Kerne macht zuerst ein Graubild des Schnitts, seinen Kanal, in dem Kerne hell sind. Aus ihm und den Werten der Umgebung entsteht die Maske: jedes Pixel, das zu einem Kern gehören kann. In der Maske haben Tiefe (wie weit ein Pixel vom Rand ist) und Dunkelheit Gipfel; jeder Gipfel ist ein Marker, einer für jeden Kern. Von den Markern aus flutet die Wasserscheide die Maske. Wo zwei Fluten sich treffen, werden Kerne getrennt, die sich berühren.',
      'Marker und Maske sind auch die beiden Eingaben der Rekonstruktion: Der Marker sagt, welche Objekte gemeint sind, die Maske, wie weit jedes reichen darf. Das Bild jedes Schritts ist eine Ebene. Wählen Sie sie über dem Schnitt, und beobachten Sie sie, während Sie einen Regler ziehen.',
    ],
    alt: 'Dasselbe Feld nach jedem Schritt des Rezepts: Kanal, untere Hülle, Kontrast, Maske, Tiefe und Dunkelheit, Marker, Kerne',
    marks: {},
  },
  tune: {
    title: 'Anpassen, was zu sehen ist',
    words: [
      'Das sichtbare Feld wird neu berechnet, während ein Regler sich bewegt, vom ersten Schritt an, den der Wert betrifft. Unter dem Regler einer Schwelle steht das Histogramm dessen, was sie schneidet; bewegt sie sich, ist auf dem Schnitt gefärbt, was darüber liegt. Das „i“ neben jedem Wert erklärt ihn, mit seiner Einheit und einem kleinen Bild davon, was weniger und mehr davon bewirken.',
      'Die Färbungen des Rezepts lassen sich aus dem Schnitt bestimmen, oder aus der ausgewählten Region, wo der Schnitt selbst zu wenig zeigt. Das gilt auch für den Grenzwert zwischen positiven und negativen Kernen der IHC.',
      'Werte, die sich bewähren, behalten Sie unter einem Namen: für dieses Fenster, andere Fenster und die Befehlszeile. Alles lässt sich rückgängig machen.',
    ],
    alt: 'Das Histogramm unter dem Regler der Schwelle',
    marks: {
      'param-threshold-level-slider': 'Der Regler einer Schwelle',
      'cut-histogram': 'Was sie schneidet, und wie viel vom Feld darüber liegt',
    },
  },
  why: {
    title: 'Warum behalten oder verworfen?',
    words: [
      '{why} fragt nach dem Punkt unter dem Zeiger: welchen Wert jeder Schritt dort hat, welche Regel ihn behielt oder verwarf, und welche Werte die Antwort ändern würden. Ein Klick auf einen Vorschlag setzt den Wert.',
    ],
    alt: 'Die Karte, die sagt, welche Regel einen Punkt verwarf, was jeder Schritt dort zeigt und welche Werte ihn behielten',
    marks: { 'why-verdict': 'Das Urteil und die Regel' },
  },
  results: {
    title: 'Ein Ergebnis lesen',
    words: [
      'Anzahl, Dichte und Anteil positiv stehen zuerst. {table} öffnet die Objekttabelle: filtern, sortieren, im Histogramm einen Bereich wählen; eine Zeile wählt ihr Objekt auf dem Schnitt aus. Unter dem Histogramm der Dichte einer Färbung geben Grenzwerte den Anteil positiv mit seinem 95-%-Intervall, oder den H-Score und den Allred-Score. Tippen oder ziehen Sie sie; das Rezept hat sie dann auch. {membrane} zeichnet um jeden Kern eine Zelle und bewertet ihre Membran danach, wie viel davon braun ist und wie stark. „Auch nach anderer Spalte“ nimmt einen Grenzwert eines zweiten Messwerts hinzu: Klassen heißen dann „CD3+ CD8-“ und so weiter. Mit Klassen haben die Kennzahlen einen Hotspot: den Kreis mit dem höchsten Anteil positiv, mit seinem Intervall. Seine Größe, und wie viele Objekte er mindestens enthält, tippen Sie dort ein. {hotSpot} geht zu ihm, und er lässt sich als Region behalten. Berichte und die Übersicht des Projekts haben auch einen für jede Region, nur aus ihren eigenen Objekten. Der Knopf mit der Palette in der oberen Leiste färbt Objekte nach einem Messwert, mit Legende.',
      '{spatial} fügt Spalten hinzu, die sagen, wo Objekte liegen: den Abstand zum Rand der Regionen jeder Klasse, innen kleiner als 0; den Abstand zum nächsten Objekt jeder Klasse; wie viele Objekte in einem Umkreis liegen, pro mm²; den mittleren Abstand zu den nächsten; und Nachbarn. Sie lassen sich filtern, sortieren und zeichnen, und Exporte enthalten sie.',
      '{bands} zählt, was in Zonen entlang des Rands einer Klasse von Regionen liegt, innen und außen: Objekte jeder Klasse, pro mm² der analysierten Zone, und den Anteil positiv mit seinem Intervall. Die Grenzen tippen Sie ein. {densityMap} legt eine Karte über den Schnitt: für jede Stelle, wie viele Objekte in einem Umkreis liegen, pro mm², oder deren Anteil positiv. Wo sie hoch ist, macht sie Regionen, die sich zurücknehmen lassen.',
      '{timeline} zeigt, wann jedes Fenster des Laufs berechnet wurde, nach Gerät und Schritt. {compare} stellt zwei Ergebnisse gegenüber: was nur eines davon hat, wie weit ihre Flächen übereinstimmen, welche Werte sich unterscheiden.',
    ],
    alt: 'Die Objekttabelle unter dem Schnitt, mit dem Histogramm der Flächen',
    marks: {
      look: 'Farben von Objekten und Ebenen',
      'table-toggle': 'Die Objekttabelle',
    },
  },
  correct: {
    title: 'Von Hand korrigieren',
    words: [
      '{lasso} umfährt Objekte mit einem Lasso: Löschen Sie sie, geben Sie ihnen mit einer Ziffer eine Klasse, verbinden Sie sie zu einem, füllen Sie ihre Löcher, vergrößern oder verkleinern Sie sie. Eine Linie teilt die Objekte, die sie kreuzt. {addObjects} fügt Übersehenes mit einem Klick hinzu, und {redrawObject} zeichnet einen Umriss mit dem Pinsel neu. Alles lässt sich rückgängig machen und steht in jedem Export. {carry} übernimmt es für die Objekte des nächsten Laufs, wo es dieselben sind.',
    ],
    alt: 'Ein Lasso um einige Objekte, und die Karte, die ihre Anzahl nennt',
    marks: { 'lasso-tool': 'Das Lasso' },
  },
  regions: {
    title: 'Regionen, Zauberstab, Pinsel und Punkte',
    words: [
      'Regionen sind Rechtecke, Ellipsen, Vielecke oder von Hand gezeichnet. Shift fügt zur ausgewählten hinzu, Alt schneidet aus ihr aus. Der Pinsel malt. Der Zauberstab umrandet, was sich unter dem Zeiger abhebt; Strg mit dem Mausrad macht es größer oder kleiner, bevor ein Klick es behält. Punkte zählen durch Klicken, nach Klasse. Linien haben ihre Länge, und was das Lineal maß, lässt sich als Linie behalten.',
      'Regionen haben Namen und Klassen, zählen die Objekte in sich und gehen als GeoJSON zu QuPath und zurück. Jede lässt sich auch als Bild schreiben.',
      'Auf einem Tissue-Microarray findet {findCores} die Stanzen, in Zeilen und Spalten, auch wo einige fehlen. Dort bekommen sie ihre Namen und ihre Fälle, getippt oder aus einer CSV; ein Klick markiert eine als fehlend. Die Übersicht hat eine Tabelle nach Stanze.',
      'Zellen, die QuPath, StarDist, Cellpose oder andere gefunden haben, kommen auf demselben Weg herein, oder Sie ziehen die Datei auf den Schnitt: GeoJSON, ein Labelbild oder eine Tabelle von Punkten. Sie werden ein Ergebnis und neu gemessen. Eine Zelle mit Kern behält beide Umrisse. Was nicht in der Datei steht, fragt das Fenster. Die Übersicht nimmt ein solches Ergebnis, wo kein Rezept eines hat, oder wo Sie es wählen.',
      'Ein Nachbarschnitt desselben Blocks leiht seine Regionen und Objekte. „Aus einem Nachbarschnitt übernehmen“ legt die beiden Gewebe aufeinander, oder Stellen, die auf beiden markiert sind, und sagt, wie gut sie passen.',
    ],
    alt: 'Eine Region über dem Schnitt mit ihren Griffen und ihrem Namen, rechts ihre Werkzeuge',
    marks: {
      'region-shape': 'Eine Region: ziehen Sie sie oder ihre Griffe',
      'wand-tool': 'Der Zauberstab',
    },
  },
  export: {
    title: 'Viele Schnitte, und was das Programm verlässt',
    words: [
      'Ein Projekt enthält viele Schnitte mit ihren Regionen, Klassen und Ergebnissen. Fügen Sie sie hinzu, führen Sie das Rezept auf allen oder den angekreuzten aus, und lesen Sie eine Tabelle über Schnitte und Regionen. Es wird behalten, während Sie arbeiten. {saveProject} macht daraus einen eigenen Ordner, und die Startseite zeigt die Projekte ohne Namen.',
      '{export} schreibt Objekte, Labels, Bilder, das Rezept und die Zeiten in einen Ordner, ganz oder gar nicht, und ersetzt nichts ungefragt. objects.h5ad ist für scanpy, labels.zarr für napari, spatialdata.zarr für squidpy. shapes.lmd.xml und shapes.palm.txt sagen einem Lasermikroskop, was zu schneiden ist, nach drei Marken des Schnitts. Ein Bericht ist eine Seite, auf dem Desktop auch ein PDF. Ist das Pseudonym angekreuzt, enthält keine Datei den Namen des Schnitts. QuPath beschneidet Schnitte von Leica und MIRAX: Mit „Koordinaten für QuPath“ liegen Objekte dort, wo QuPath sie hat.',
    ],
    alt: 'Der Dialog zum Exportieren, mit der Liste seiner Dateien und dem Kästchen für ein Pseudonym',
    marks: { 'export-deidentify': 'Ein Pseudonym statt des Namens des Schnitts, in jeder Datei' },
  },
}

type Loose = Pick<GuideChapter, 'title' | 'words' | 'alt'> & { readonly marks: Readonly<Record<string, string>> }
const chapterOf = (chapter: GuideChapter, texts: Loose): GuideChapter => ({
  ...chapter,
  ...texts,
  marks: chapter.marks.map(({ testId }) => ({ testId, words: texts.marks[testId]! })),
})

export const guideChapters: readonly GuideChapter[] = guide.map((chapter) => chapterOf(chapter, german[chapter.id]))
