// Regions, points, the ruler's lines, and their files. In German.
import { noun } from '../../../app/german/noun'
import { formatCount, formatDuration } from '../../arithmetic/format'
import type { regions as english } from '../regions'

const objects = (n: number): string => `${formatCount(n)} ${noun(n, 'Objekt', 'Objekte')}`
const countedRegions = (n: number): string => `${n} ${noun(n, 'Region', 'Regionen')}`

export const regions: typeof english = {
  regions: {
    titleWith: (n) => `Regionen (${n})`,
    help: 'Flächen des Schnitts, die Sie zeichnen: Ein Rezept kann in ihnen laufen, und jede hat ihre Zahlen. Shift fügt zur ausgewählten Region hinzu, Alt schneidet aus ihr aus; ein Doppelklick auf ihre Linie setzt eine Ecke, Alt und ein Klick nimmt eine weg. Punkte werden einzeln gezählt, für jede Klasse getrennt.',
    draw: 'Region zeichnen',
    rowTip: (source) => `${source} Doppelklick zeigt sie`,
    unlock: 'Entsperren',
    lock: 'Sperren: gegen Verschieben, Umformen und Löschen',
    nameLabel: 'Name der Region',
    name: 'Name',
    classLabel: 'Klasse der Region',
    selected: (n) => `${n} ausgewählt`,
    menu: 'Importieren, exportieren, Objekte darin',
    importQuPath: 'GeoJSON oder Labels importieren…',
    exportQuPath: 'Als GeoJSON für QuPath exportieren…',
    exportImages: 'Als Bilder exportieren…',
    carrySection: 'Aus Nachbarschnitt übernehmen…',
    classifyInside: 'Den Objekten darin ihre Klasse geben',
    deleteInside: 'Objekte darin löschen',
    segmentIn: (selected) => (selected === 1 ? 'Darin segmentieren' : `In den ${selected} segmentieren`),
    segmentInAll: 'In allen segmentieren',
    noArea: 'Punkte und Linien haben keine Fläche zum Segmentieren: Wählen Sie eine Region mit Fläche.',
    drawFirst: 'Zeichnen Sie zuerst eine Region.',
    selectOneToAdd: 'Wählen Sie zuerst eine Region aus: Shift fügt zur ausgewählten hinzu.',
    selectOneToCut: 'Wählen Sie zuerst eine Region aus: Alt schneidet aus der ausgewählten aus.',
    selectOneForBrush: 'Wählen Sie zuerst eine Region aus: Der Pinsel schneidet daraus aus.',
  },
  regionFigures: {
    beyondSlide: 'außerhalb des Schnitts',
    notRun: (area, recipe, run) => `${area} · ohne Lauf mit „${recipe}“ wie in „${run}“`,
    row: (parts) =>
      [
        parts.area,
        objects(parts.objects),
        ...(parts.share === '' ? [] : [parts.share]),
        ...(parts.perMm2 === null ? [] : [`${formatCount(parts.perMm2)}/mm² Fläche`]),
        ...(parts.partial ? ['ein Teil fehlt'] : []),
        ...(parts.run === undefined ? [] : [parts.run]),
      ].join(' · '),
    source: (run, recipe) => `Gezählt im Ergebnis „${run}“${recipe && ` (${recipe})`}.`,
    rule: (run, recipe) =>
      `Die Zahlen folgen „${run}“${recipe && ` (${recipe})`}, anderswo dem neuesten Ergebnis mit gleichem Rezept und gleichen Werten.`,
  },
  points: {
    title: 'Punkte',
    classOf: 'Klasse der Punkte',
    countAndShare: (n, share) => `${formatCount(n)} (${share})`,
    help: 'Ein Klick zählt einen. Alt und ein Klick, oder ein Klick darauf und Entf, nimmt ihn weg.',
    noneHere: 'Hier liegt kein Punkt dieser Klasse.',
  },
  ruler: {
    measureFirst: 'Messen Sie zuerst eine Länge: Ziehen Sie von einer Stelle zu einer anderen.',
    needsRuler: 'Behalten lässt sich, was das Lineal misst.',
  },
  regionFiles: {
    importTitle: 'Regionen oder Objekte importieren',
    importNote: (slide) =>
      `Annotationen von QuPath und jedes GeoJSON in Pixeln des Schnitts werden Regionen von ${slide}. Erkannte Objekte, Zellen, Labels eines Labelbilds und Punkte einer Tabelle werden ein Ergebnis, gemessen wie die Objekte des Rezepts.`,
    chooseFile: 'Datei wählen…',
    openSlideFirst: 'Öffnen Sie zuerst einen Schnitt: Regionen und Objekte werden auf ihn importiert.',
    noRecipe: 'Wählen Sie zuerst ein Rezept: Objekte werden gemessen, wie es seine eigenen misst.',
    notRead: 'Die Datei ist nicht mehr lesbar. Vielleicht wurde sie verschoben oder geändert.',
    notUnpacked: 'Die Datei lässt sich nicht entpacken: Sie ist keine vollständige gzip-Datei.',
    importing: (file) => `Import: ${file}`,
    going: (percent, leftMs) =>
      `${percent} % der Datei sind gelesen und übernommen${leftMs === null ? '.' : `, noch ${formatDuration(leftMs)}.`}`,
    exporting: (slide) => `Die Regionen von ${slide} werden exportiert`,
    writing: (percent, leftMs) =>
      `${percent} % der Regionen sind geschrieben${leftMs === null ? '.' : `, noch ${formatDuration(leftMs)}.`}`,
    placeTitle: 'Wo liegt es?',
    placeNote: (file, width, height, slide) =>
      `${file} hat ${formatCount(width)} × ${formatCount(height)} px. Das ist nicht die Größe von ${slide}. Geben Sie an, wo seine Ecke liegt und wie viele Pixel des Schnitts eines seiner Pixel ist.`,
    placeWhole: (scale) =>
      `Es hat die Form des Schnitts. Deckt es ihn ganz, dann ist eines seiner Pixel ${scale} px des Schnitts.`,
    placeX: 'Links, Schnitt-px',
    placeY: 'Oben, Schnitt-px',
    placeScale: 'Schnitt-px je Pixel',
    placeImport: 'Importieren',
    askFeaturesTitle: 'Was sind die Umrisse?',
    askFeatures: (file) => `${file} sagt nicht, was die Umrisse sind.`,
    asObjects: 'Objekte',
    asObjectsNote: 'Zellen oder Kerne: ein Ergebnis mit Messwerten, zum Vergleichen und Klassifizieren.',
    asRegions: 'Regionen',
    asRegionsNote: 'Flächen wie Tumor oder Stroma: auf den Schnitt gezeichnet, und Objekte werden in ihnen gezählt.',
    askRadiusTitle: 'Wie groß sind die Objekte?',
    askRadius: (file) => `${file} hat Punkte ohne Größe. Jeder wird eine Scheibe.`,
    radius: 'Radius, µm',
    imported: (n, file) => `${countedRegions(n)} aus ${file}.`,
    importedObjects: (n, file, name) => `${objects(n)} aus ${file}, in der Liste der Ergebnisse als „${name}“.`,
    nothing: (file) => `Nichts aus ${file} wurde importiert.`,
    takenOtherwise: (reasons) => `Anders übernommen: ${reasons}.`,
    leftOut: (reasons) => `Ausgelassen: ${reasons}.`,
  },
  sections: {
    title: 'Aus einem Nachbarschnitt übernehmen',
    note: (slide) =>
      `Regionen und Objekte eines anderen Schnitts desselben Blocks werden auf ${slide} gelegt. Prüfen Sie das Ergebnis: Schnitte sind einander nie ganz gleich.`,
    noSlides: 'Das Projekt hat keinen anderen Schnitt. Fügen Sie zuerst einen hinzu.',
    slide: 'Aus',
    by: 'Ausrichten durch',
    tissue: 'Gewebe',
    points: 'Punkte',
    pointsNote:
      'Markieren Sie auf beiden Schnitten mindestens drei Stellen als Punkte, in gleicher Reihenfolge, und geben Sie beiden denselben Namen.',
    laying: 'Die Lage wird gesucht…',
    turned: (degrees, scale, mirrored) => `Um ${degrees}° gedreht, um ${scale} skaliert${mirrored ? ', gespiegelt' : ''}.`,
    borders: (median, far, percent) =>
      `Die Ränder der Gewebe liegen im Median ${median} auseinander, neun von zehn höchstens ${far}. ${percent} % des Gewebes überlappen.`,
    poor: 'Sie passen kaum zusammen. Markieren Sie stattdessen dieselben Stellen als Punkte auf beiden Schnitten.',
    pairs: (n, median, far) =>
      `${n} ${noun(n, 'Punktpaar liegt', 'Punktpaare liegen')} im Median ${median} auseinander, höchstens ${far}.`,
    threePairs: 'Drei Paare passen immer: Ein viertes zeigt, wie gut.',
    um: (value) => `${formatCount(Math.round(value))} µm`,
    px: (value) => `${formatCount(Math.round(value))} px`,
    regions: 'Seine Regionen',
    objects: 'Die Objekte seines neuesten Ergebnisses, vom Rezept hier neu gemessen',
    noResult: 'Dieser Schnitt hat kein fertiges Ergebnis.',
    beside: 'Daneben zeigen',
    carry: 'Übernehmen',
    carrying: (slide) => `aus ${slide}`,
    carried: (n) => `${countedRegions(n)} übernommen.`,
    carriedObjects: (n, name) => `${objects(n)} übernommen, in der Liste der Ergebnisse als „${name}“.`,
  },
}
