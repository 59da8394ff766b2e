// What a result says: figures, classes and their cut-offs, the selected object, and why nothing was found. In German.
import type { ClassCuts } from '../../../app/contract'
import { noun } from '../../../app/german/noun'
import { germanTitle } from '../../../app/german/titles'
import { formatCount, formatDuration, formatMeasure } from '../../arithmetic/format'
import type { results as english } from '../results'

const objectWord = (n: number): string => noun(n, 'Objekt', 'Objekte')
const interval = ([low, high]: readonly [number, number]): string => `${(100 * low).toFixed(1)} bis ${(100 * high).toFixed(1)} %`

/** As `cutWords` of the contract has a number: 0.2, 0.35, 41.27. */
const told = (value: number): string => String(Number(value.toPrecision(4)))

/** "DAB-Mittelwert über 0.2 OD", as `cutWords` of the contract says it. */
function cuts({ title, unit, limits, and = [] }: Pick<ClassCuts, 'title' | 'unit' | 'limits' | 'and'>): string {
  const after = unit === '' ? '' : ` ${unit}`
  const named = germanTitle(title) ?? title
  const others = and.map((each) => `, ${cuts({ ...each, limits: [each.limit] })}`).join('')
  if (limits.length === 1) return `${named} über ${told(limits[0]!)}${after}${others}`
  return `${named}: ${limits.map((limit, i) => `${i + 1}+ über ${told(limit)}`).join(', ')}${after}`
}

export const results: typeof english = {
  figures: {
    title: 'Zahlen',
    objectsInPreview: (n) => `${objectWord(n)} in der `,
    objectsIn: (n, run) => `${objectWord(n)} in „${run}“`,
    objectsAlone: objectWord,
    hScoreTip: '1 × Anteil 1+, 2 × Anteil 2+ und 3 × Anteil 3+, in Prozent: 0 bis 300',
    allredTip: '0 bis 5 für den Anteil positiver Zellen, 0 bis 3 für ihren mittleren Grad',
    allredParts: (share, grade) => `${share} für den Anteil, ${grade} für den Grad`,
    intervalTip:
      'In Klammern das 95-%-Intervall (Wilson): was beim Zählen so vieler Zellen offen bleibt. Von übersehenen Zellen weiß es nichts.',
    classInterval: (share) => (share ? `95-%-Intervall (Wilson): ${interval(share)}` : undefined),
    density: 'Dichte',
    inTissue: 'Im Gewebe',
    deletedByHand: 'Von Hand gelöscht',
    inPlaceOf: (n) => ` statt ${formatCount(n)}`,
    classByHand: 'Klasse von Hand',
    analysedAt: 'Analysiert bei',
    bits: (n) => `, ${n} Bit`,
    uncalibrated: (scale) => `${scale.toFixed(2)} px, unkalibriert`,
    took: 'Dauer',
  },
  hotSpot: {
    title: 'Hotspot',
    tip: 'Der Kreis dieser Größe mit dem höchsten Anteil positiver Objekte, unter denen mit genügend Objekten. In Klammern das 95-%-Intervall (Wilson).',
    fields: { diameterUm: 'Durchmesser des Hotspots, µm', leastObjects: 'Objekte im Hotspot, mindestens' },
    of: (n) => `von ${formatCount(n)}`,
    circle: 'Kreis',
    ofAtLeast: 'µm, ab',
    noneShort: 'keiner',
    show: 'Zum Hotspot gehen',
    keep: 'Als Region behalten',
    needsClasses:
      'Ein Hotspot braucht ein Ergebnis mit positiven und negativen Objekten, auf einem Schnitt mit bekannter Pixelgröße.',
    none: (field) =>
      `Kein Kreis${field ? ` von ${field.diameterUm} µm enthält ${formatCount(field.leastObjects)} ${objectWord(field.leastObjects)}` : ' enthält genügend Objekte'}. Verlangen Sie einen größeren oder weniger Objekte.`,
  },
  warnings: {
    titleWith: (n) => `Warnungen (${n})`,
    unreadableTiles: (n) =>
      `${formatCount(n)} ${noun(n, 'Kachel', 'Kacheln')} der Datei ${noun(n, 'war', 'waren')} nicht lesbar. ${noun(n, 'Sie ist', 'Sie sind')} im Overlay markiert und ${noun(n, 'zählt', 'zählen')} nicht mit.`,
  },
  shares: {
    hScore: (score, basis) => `H-Score ${score.toFixed(0)} (${basis})`,
    positive: (share, basis) => `${(100 * share).toFixed(1)} % positiv (${basis})`,
    byHand: 'von Hand',
    ofClass: (share, name) => `${(100 * share).toFixed(1)} % ${name}`,
    interval,
    cuts,
  },
  selected: {
    title: 'Ausgewähltes Objekt',
    none: (key) => `Klicken Sie auf ein Objekt des Schnitts, oder drücken Sie ${key} für das in der Mitte der Ansicht.`,
    empty: 'An dieser Stelle ist mit diesen Werten kein Objekt.',
    atClick: 'Objekt am Klick',
    foundIn: (ms) => `gefunden in ${formatDuration(ms)}`,
    centroid: 'Schwerpunkt',
    scorePart: (measurement, value, part, full) => `${measurement} ${value}, das gibt ${Math.round(part)} (100 ab ${full})`,
    score: (score, parts) => `Score ${score} von 100, der Mittelwert aus: ${parts}.`,
    opticalDensity: 'Optische Dichte',
    copiedClass: (label) => `Klasse\t${label}\t`,
    copiedStain: (name, isDensity, mean) =>
      `${name} ${isDensity ? 'OD ' : ''}Mittelwert\t${mean === null ? '' : formatMeasure(mean)}\t`,
    copiedChannel: (name, mean) => `${name} Mittelwert\t${mean ?? ''}\t`,
    classKey: (label) => `Klasse ${label}`,
    outlineMenu: 'Sein Umriss: füllen, vergrößern, verkleinern',
    redraw: 'Mit dem Pinsel neu zeichnen',
    delete: 'Dieses Objekt löschen',
    addTo: (run) => `Zu „${run}“ hinzufügen`,
    centre: 'Darauf zentrieren',
    copied: 'Kopiert',
    copy: 'Messwerte kopieren',
    clear: 'Auswahl aufheben',
    about: 'Klick zum Segmentieren',
  },
  click: {
    asRun: 'So, wie ein Lauf mit diesen Werten es findet.',
    alongEdge: (recipeToo) =>
      `Umrandet entlang der stärksten Kante um den Klick: ${recipeToo ? 'Das Rezept umrandet es anders' : 'Das Rezept findet hier nichts'}.`,
    withValues: (values, recipeToo) =>
      `Gefunden mit ${values}: ${recipeToo ? 'Das Rezept umrandet es anders' : 'Das Rezept findet hier nichts'}.`,
    otherOutline: 'Der andere Umriss',
    recipes: 'Der des Rezepts',
    takeValues: 'Werte übernehmen',
  },
  classRule: {
    title: 'Anteil positiv und H-Score',
    byColumn: 'Klassen nach dieser Spalte',
    byAnother: 'Nach anderer',
    byRecipe: 'Nach Rezept',
    twoClasses: 'Negativ, positiv',
    fourClasses: '0, 1+, 2+, 3+',
    positiveShare: 'Ki-67 / Anteil positiv',
    scores: 'H-Score, Allred',
    positiveAbove: 'Positiv über',
    above: ['1+ über', '2+ über', '3+ über'],
    classesNow: (said) => `Klassen jetzt: ${said}`,
    limit: (name, unit) => `${name}, ${unit}`,
    value: 'Wert',
    alsoBy: 'Auch nach anderer Spalte…',
    alsoAbove: (title) => `${title} über`,
    notBy: (title) => `Kein Grenzwert für ${title}`,
    hScore: (score) => `H-Score ${score.toFixed(0)}`,
    fromThisResult:
      'Sie kommen vom Median oder von den Quartilen dieses Ergebnisses und sagen nichts über ein anderes. Ein H-Score braucht die optische Dichte einer Färbung.',
    needsDensity: 'Ein H-Score braucht die mittlere, kleinste oder größte Dichte einer Färbung.',
    thisResultOnly: 'Sie gelten für dieses Ergebnis. Das Rezept links hat keine zu dieser Spalte.',
    recipeToo: 'Auch das Rezept hat diese Grenzwerte: der nächste Lauf, und ein gespeichertes Rezept.',
    onAllSlides: 'Für alle Schnitte verwenden',
    membrane: 'Membran (wie HER2)',
    membraneByHand:
      'Diese Grenzwerte trennen die Scores des Rezepts: Vollständigkeit und Intensität, nach seinen Werten unter „Zellen“.',
    membraneNext:
      'Das Rezept zeichnet jetzt Zellen, bewertet ihre Membranen und findet Kerne allein nach Hämatoxylin; seine Grenzwerte stehen unter „Zellen“. Segmentieren Sie, um sie zu sehen.',
    membraneRecipe: 'Wählen Sie zuerst das Rezept „IHC-Kerne“: Es bewertet Membranen nach ihrem DAB.',
    noStain:
      'Dieses Ergebnis hat keine Färbung für positive Zellen. Wählen Sie unten ihre Spalte, oder führen Sie das Rezept „IHC-Kerne“ aus.',
    chooseRecipe: 'Wählen Sie zuerst das Rezept „IHC-Kerne“: Es erkennt positive Kerne an ihrem DAB.',
    recipeCounts:
      'Das Rezept zählt jetzt diese Klassen; seine Grenzwerte stehen unter „Positiv und negativ, H-Score“. Segmentieren Sie, um sie zu sehen.',
  },
  noObjects: {
    allDeleted: (n) =>
      n === 1
        ? 'Das eine Objekt dieses Ergebnisses wurde von Hand gelöscht.'
        : `Alle ${formatCount(n)} Objekte dieses Ergebnisses wurden von Hand gelöscht.`,
    undo: (key) => `${key} geht Schritt für Schritt zurück.`,
    bringBack: 'Zurückholen',
    lookAtStep: (step) => `Schritt „${step}“ ansehen`,
    unreadable:
      'Nichts von dieser Region war in der Datei lesbar, also konnte nichts gefunden werden: Sehen Sie die Warnungen an.',
    darkSlide: (recipe) =>
      `Nichts gefunden: Der Hintergrund ist dunkel, wie bei Fluoreszenz (DAPI), und „${recipe}“ sucht dunkle Kerne auf hellem Glas. Wählen Sie das Rezept Fluoreszenzkerne.`,
    theRecipe: 'das Rezept',
    why: (causes) => `Nichts gefunden. ${causes.join('; ').replace(/^./u, (first) => first.toUpperCase())}.`,
    glass: 'die Region ist vielleicht Glas ohne Gewebe',
    otherStain: (recipe) => `das Rezept passt vielleicht nicht zur Färbung (jetzt „${recipe ?? 'keines'}“)`,
    strictThreshold: (threshold) => `die Einstellungen sind vielleicht zu streng („${threshold}“, die kleinste Größe)`,
    strict: 'die Einstellungen sind vielleicht zu streng',
    noPixelSize: 'der Schnitt nennt keine Pixelgröße, deshalb können Größen in µm weit daneben liegen: Setzen Sie sie',
  },
}
