// The recipe's panel: its values, undo, versions, files, and values that are taken from a slide. In German.
import { noun } from '../../../app/german/noun'
import { formatPercent } from '../../arithmetic/format'
import type { recipe as english } from '../recipe'

/** After "aus". */
const fromWhere = (source: 'slide' | 'region'): string => (source === 'slide' ? 'dem Schnitt' : 'der ausgewählten Region')
const fromWhereShort = (source: 'slide' | 'region'): string => (source === 'slide' ? 'dem Schnitt' : 'der Region')

export const recipe: typeof english = {
  recipe: {
    none: 'Kein Rezept',
    fewerSettings: 'Weniger Einstellungen',
    moreSettings: (n) => `${n} weitere ${noun(n, 'Einstellung', 'Einstellungen')}`,
    undo: (step) => `Rückgängig: ${step}`,
    redo: (step) => `Wiederholen: ${step}`,
    loadFile: 'Rezeptdatei laden',
    saveFile: 'Rezept in einer Datei speichern',
    allDefaults: 'Standard',
    resetMany: (n) => `${n} zurück`,
    load: 'Rezept laden',
    save: 'Rezept speichern',
    fileToWrite: 'Zieldatei auf dem Server',
    fileToRead: 'Rezeptdatei auf dem Server',
    fileExample: '/path/to/recipe.json',
    livePreview: 'Live-Vorschau des sichtbaren Felds',
    unknownSpec: (name, spec) => `Das Rezept „${name}“ gehört zu „${spec}“, das diese Version nicht hat.`,
    loaded: (name) => `Rezept geladen: ${name}`,
    saved: (path) => `Rezept gespeichert: ${path}`,
    fileDialog: 'Dateidialog',
    unknownParam: (name) => `„${name}“ hat keinen solchen Parameter`,
  },
  param: {
    default: (value) => `${value} (Standard)`,
    effectAlt: (values) => `Was es an den Kernen des Beispielschnitts bewirkt: ${values}`,
    effect: (values) => `Am Beispielschnitt, von links: ${values}`,
    range: (min, max, unit) => `${min} bis ${max} ${unit}`,
    rangeAndDefault: (range, value) => `Bereich ${range}; Standardwert ${value}`,
    uncalibrated: 'Dieser Schnitt ist unkalibriert: µm gelten bei der Nennauflösung des Rezepts.',
    reset: (label) => `${label} zurücksetzen`,
    resetTip: 'Auf den Standardwert zurücksetzen',
    slider: (label) => `${label}, Schieberegler`,
  },
  problems: {
    onOrOff: (value) => `erwartet an oder aus, erhalten ${value}`,
    oneOf: (choices, value) => `erwartet eins von ${choices}, erhalten ${value}`,
    number: 'erwartet eine Zahl',
    numberFrom: (min, max) => `erwartet eine Zahl von ${min} bis ${max}`,
    outside: (min, max, value) => `erwartet ${min} bis ${max}, erhalten ${value}`,
    whole: (value) => `erwartet eine ganze Zahl, erhalten ${value}`,
    short: (problem) => problem.replace(/, erhalten .*$/, ''),
  },
  numberField: {
    noNumber: (typed, kept) => `„${typed}“ ist keine Zahl: Es bleibt bei ${kept}.`,
    replaced: (typed, reason, taken) => `${typed} geht nicht (${reason}): ${taken} wurde übernommen.`,
    endOfRange: (problem) => `Ende des Bereichs: ${problem}.`,
    needed: (min, max) => `Nötig ist eine Zahl von ${min} bis ${max}.`,
    notNumber: 'Das ist keine Zahl.',
    outside: (value, min, max) => `${value} liegt außerhalb von ${min} bis ${max}.`,
    notWhole: (value) => `${value} ist keine ganze Zahl.`,
  },
  steps: {
    classCuts: 'Grenzwerte der Klassen',
    membrane: 'Membranen der Zellen',
    reset: (label) => `„${label}“ zurücksetzen`,
    resetAll: 'alle Parameter zurücksetzen',
    chooseRecipe: 'Rezept wählen',
    load: (name) => `„${name}“ laden`,
    movePoint: 'Punkt verschieben',
  },
  versions: {
    title: 'Rezeptversionen',
    asSet: 'Wie jetzt eingestellt',
    other: (labels) => `Anders: ${labels}`,
    nameLabel: 'Name für die jetzt eingestellten Werte',
    namePlaceholder: 'Name für diese Werte',
    replace: 'Ersetzen',
    delete: (name) => `Version ${name} löschen`,
    kept: (name) => `Als „${name}“ behalten.`,
    deleted: (name) => `„${name}“ wurde gelöscht.`,
    about: 'Versionen',
    noneYet: ['Noch keine. Eine Version ist in jedem Fenster wieder da, auch für ', '.'],
  },
  fromSlide: {
    from: (source) => `Aus ${fromWhere(source)}:`,
    selectRegion: 'Wählen Sie zuerst eine Region aus',
    otsu: 'Otsu',
    otsuHelp:
      'Der Grenzwert, der die Kerne einer Stichprobe nach ihrer mittleren Färbung am besten trennt (Otsu 1979), zwischen OD 0.15 und 0.40',
    stains: {
      take: (source) => `Färbungen aus ${fromWhere(source)} nehmen`,
      title: (source) => `Färbungen aus ${fromWhere(source)}`,
      step: (source) => `Färbungen aus ${fromWhereShort(source)}`,
      untold: {
        slide: 'Seine Stichprobe hat zu wenig Färbung, oder nur eine. Die Werte bleiben, wie sie sind.',
        region:
          'Sie hat zu wenig Färbung, oder nur eine. Wählen Sie eine größere Region, mit Kernen und dem Gewebe um sie. Die Werte bleiben, wie sie sind.',
      },
    },
    limit: {
      take: (source) => `Grenzwert aus ${fromWhere(source)} nehmen`,
      title: (source) => `Grenzwert aus ${fromWhere(source)}`,
      step: (source) => `Grenzwert aus ${fromWhereShort(source)}`,
      untold: {
        slide: 'Seine Stichprobe hat zu wenige Kerne. Die Werte bleiben, wie sie sind.',
        region: 'Sie hat zu wenige Kerne: Wählen Sie eine größere Region. Die Werte bleiben, wie sie sind.',
      },
      found: (above, limit, share, nuclei) =>
        `${above} über OD ${limit.toFixed(2)}: ${formatPercent(share)} von ${nuclei} ${noun(nuclei, 'Kern', 'Kernen')} einer Stichprobe.`,
    },
  },
  recognition: {
    looksLike: (stain, percent) => `Sieht nach ${stain} aus (${percent} %)`,
    otherStain: (name) => `Das gewählte Rezept „${name}“ ist für eine andere Färbung gemacht.`,
    use: (name) => `${name} verwenden`,
    darkSlide: (name) =>
      `Dieser Schnitt hat einen dunklen Hintergrund, wie bei Fluoreszenz (DAPI). „${name}“ sucht dunkle Kerne auf hellem Glas und findet hier wenig oder nichts: Wählen Sie oben Fluoreszenzkerne.`,
  },
}
