// Runs: starting, watching, ending and deleting them, those of other slides, and those that were interrupted.
import { noun } from '../../../app/german/noun'
import { formatCount, formatDuration } from '../../arithmetic/format'
import type { runs as english } from '../runs'

const objects = (n: number): string => `${formatCount(n)} ${noun(n, 'Objekt', 'Objekte')}`
const soFar = (elapsedMs: number, found: number): string =>
  `Dieser Lauf ist seit ${formatDuration(elapsedMs)} im Gange und hat bisher ${objects(found)} gefunden`

export const runs: typeof english = {
  runControls: {
    visibleField: 'Feld segmentieren',
    moreWays: 'Region anders wählen',
    drawRectangle: 'Rechteck zeichnen',
    typeCoordinates: 'Koordinaten eingeben…',
    cancelQueued: 'Abbrechen, noch nicht begonnen',
    cancelKeeping: 'Abbrechen, Fertiges behalten',
    pause: 'Lauf pausieren',
    continue: 'Lauf fortsetzen',
    progress: 'Fortschritt des Laufs',
    runAndState: (run, state) => `${run}: ${state}`,
    pausing: 'wird pausiert…',
    background: 'sucht den Hintergrund des ganzen Schnitts…',
    backgroundLeft: (etaMs) => `davon noch ${formatDuration(etaMs)}`,
    left: (etaMs) => `noch ${formatDuration(etaMs)}`,
    keyGoesOn: (key) => `${key} setzt fort`,
    after: (run) => `nach „${run}“`,
    waits: 'wartet',
    finishedPartKept: 'Fertiges behalten',
    tiles: (done, total) => `${formatCount(done)} / ${formatCount(total)} ${noun(total, 'Kachel', 'Kacheln')}`,
    speed: (megapixelsPerSecond) => ` · ${megapixelsPerSecond.toFixed(1)} Mpx/s`,
  },
  segment: {
    nothingInView: (key) => `Vom Schnitt ist nichts zu sehen. ${key} passt ihn ein.`,
    underWay: 'Ein Lauf mit diesen Werten ist schon im Gange.',
    askTitle: (regions) => (regions === 1 ? 'Diese Region segmentieren?' : `${regions} Regionen segmentieren?`),
    askText: (megapixels, regions) =>
      `Zu analysieren sind ${megapixels} Mpx um ${regions === 1 ? 'die Region' : 'die Regionen'} herum.`,
    unreadableTiles: (n) =>
      n === 1
        ? '1 Kachel der Datei war nicht lesbar: Sie ist im Overlay markiert und fehlt im Ergebnis.'
        : `${n} Kacheln der Datei waren nicht lesbar: Sie sind im Overlay markiert und fehlen im Ergebnis.`,
    uncertainTiles: (n) =>
      `${n} ${noun(n, 'Kachel kann', 'Kacheln können')} falsch sein, weil Teile der Datei nicht lesbar waren. Das Overlay zeigt, wo.`,
    uncertainValues:
      'Manche Werte passen sich dem Schnitt an. Nicht alles, woraus sie folgen, war lesbar: Kein Teil des Ergebnisses ist sicher.',
    partial: 'Teilergebnis',
    runOnCpu: 'Auf der CPU starten',
    restartAndRun: 'Engine und Lauf neu starten',
    zoomToPreview: (megapixels, most) =>
      `Für eine Vorschau hineinzoomen: ${megapixels} Mpx sind zu sehen, eine Vorschau nimmt höchstens ${most}.`,
  },
  longRun: {
    askWhole: 'Den ganzen Schnitt segmentieren?',
    askRegion: 'Diese große Region segmentieren?',
    toAnalyse: 'Zu analysieren',
    time: 'Dauer',
    memory: 'Arbeitsspeicher',
    asking: 'Die Engine wird gefragt…',
    unknown: 'unbekannt',
    note: 'Was zu sehen ist, kommt zuerst. Sie können sich derweil umsehen. Beim Abbrechen bleibt, was fertig ist.',
    basis: {
      measured: 'nach Läufen dieses Rezepts auf diesem Schnitt',
      sampled: 'nach Läufen dieses Rezepts auf anderen Schnitten, vielleicht mit mehr oder weniger Gewebe',
      none: '',
    },
    notBeforeFirst: 'erst nach dem ersten Lauf dieses Rezepts bekannt',
    about: (time, basis) => `etwa ${time}, ${basis}`,
    memoryNeed: (need, budget, exceeds) =>
      `etwa ${need} von ${budget} GiB, die erlaubt sind${exceeds ? '; es könnte mehr werden' : ''}`,
  },
  regionDialog: {
    title: 'Region segmentieren',
    left: 'Links',
    top: 'Oben',
    width: 'Breite',
    height: 'Höhe',
    inPx: (label) => `${label}, px`,
    outside: (widthPx, heightPx) => `Die Region liegt nicht ganz im Schnitt (${widthPx} × ${heightPx} px).`,
  },
  runList: {
    title: 'Ergebnisse dieses Schnitts',
    titleWith: (n) => `Ergebnisse (${n})`,
    nothing: 'Jede Segmentierung dieses Schnitts bleibt hier, bis Sie sie löschen.',
    deleteAll: 'Alle Ergebnisse dieses Schnitts löschen',
    queuedAfter: (run) => `wartet auf „${run}“`,
    running: (percent, etaMs) => `${percent} · noch ${formatDuration(etaMs)}`,
    paused: (percent) => `pausiert bei ${percent}`,
    pausing: (percent) => `wird pausiert bei ${percent}`,
    done: (area, elapsedMs) => `${area} · ${formatDuration(elapsedMs)}`,
    cancelled: (percent, elapsedMs) => `abgebrochen bei ${percent} · ${formatDuration(elapsedMs)}`,
    failed: (percent) => `fehlgeschlagen bei ${percent}`,
    about: (name, recipe, size, time, state) =>
      `${name}${recipe ? `, ${recipe}` : ''}, ${size}, begonnen um ${time}: ${state}. Doppelklick geht hin, Entf löscht.`,
    inChannel: (recipe, channel) => `${recipe} in ${channel}`,
    hide: (name) => `„${name}“ auf dem Schnitt ausblenden`,
    show: (name) => `„${name}“ auf dem Schnitt einblenden`,
    goOn: (name) => `„${name}“ fortsetzen`,
    isKept: (name) => `„${name}“ bleibt im Projekt`,
    keep: (name) => `„${name}“ im Projekt behalten`,
    export: (name) => `„${name}“ exportieren`,
    end: (name) => `„${name}“ beenden, Fertiges behalten`,
    delete: (name) => `„${name}“ löschen`,
    showOlder: (n) => (n === 1 ? 'Das ältere anzeigen' : `Die ${formatCount(n)} älteren anzeigen`),
    runOnCanvas: (name, state) => `${name}: ${state}`,
  },
  elsewhere: {
    title: (n) => `Läuft auf anderen Schnitten (${n})`,
    list: 'Läufe auf anderen Schnitten',
    open: (slide) => `${slide} öffnen`,
    state: (run, state) => `${run}: ${state}`,
    end: (run, slide) => `„${run}“ von ${slide} beenden, Fertiges behalten`,
    runOf: (run, slide) => `${run} von ${slide}`,
    ended: (run, slide, how, found, why) =>
      `„${run}“ von ${slide} ${{ done: 'ist fertig', cancelled: 'wurde abgebrochen', failed: 'ist fehlgeschlagen' }[how]}: ${objects(found)}.${why === undefined ? '' : ` ${why}`}`,
  },
  endRun: {
    title: (run) => `„${run}“ beenden?`,
    titleOf: (run, slide) => `„${run}“ von ${slide} beenden?`,
    text: (elapsedMs, found) => `${soFar(elapsedMs, found)}; diese bleiben. Fortsetzen lässt er sich danach nicht.`,
    yes: 'Beenden, Fertiges behalten',
    no: 'Laufen lassen',
  },
  deleteRun: {
    title: (run) => `„${run}“ löschen?`,
    holds: (found, elapsedMs) => `Dieser Lauf enthält ${objects(found)} aus ${formatDuration(elapsedMs)} Arbeit.`,
    wouldLose: (elapsedMs, found) => `${soFar(elapsedMs, found)}; sie gingen verloren.`,
    isSaved: 'Er ist im Projekt gespeichert: Seine Korrekturen werden mit gelöscht. Das lässt sich nicht rückgängig machen.',
    isExported: 'Er wird gerade exportiert; das würde abgebrochen.',
    filesStay: 'Exportierte Dateien bleiben.',
    endAndDelete: 'Beenden und löschen',
    allTitle: (n) => (n === 1 ? 'Das Ergebnis dieses Schnitts löschen?' : `Alle ${n} Ergebnisse dieses Schnitts löschen?`),
    found: (n) => `${formatCount(n)} ${noun(n, 'Objekt wurde', 'Objekte wurden')} gefunden.`,
    correctionsToo: 'Im Projekt gespeicherte Korrekturen werden mit gelöscht; das lässt sich nicht rückgängig machen.',
    unfinished: (n) =>
      n === 1 ? 'Ein Lauf ist noch im Gange und würde beendet.' : `${n} Läufe sind noch im Gange und würden beendet.`,
  },
  interrupted: {
    doneHere: 'Fertig, nicht exportiert',
    interruptedHere: 'Unterbrochen',
    doneElsewhere: 'Auf anderen Schnitten fertig, nicht exportiert',
    interruptedElsewhere: 'Auf anderen Schnitten unterbrochen',
    titleWith: (title, n) => `${title} (${n})`,
    about: (path, recipe, begun) => `${path}, ${recipe}, begonnen am ${begun}`,
    done: (run) => `${run}: fertig, nicht exportiert`,
    interrupted: (run, percent) => `${run}: unterbrochen bei ${percent} %`,
    show: (run, slide) => `„${run}“ von ${slide} anzeigen`,
    goOn: (run, slide) => `„${run}“ von ${slide} fortsetzen`,
    throwAway: (run, slide) => `„${run}“ von ${slide} verwerfen`,
    goesOn: (run, percent) => `„${run}“ läuft weiter: ${percent} % waren schon da.`,
    askTitle: (run) => `„${run}“ verwerfen?`,
    askText: (percent) =>
      `${percent} % waren fertig, als der Lauf unterbrochen wurde. Nach dem Verwerfen lässt er sich nicht fortsetzen.`,
    throwItAway: 'Verwerfen',
  },
}
