// What a run took: its timings, its timeline, and the algorithms that it used.
import { noun } from '../../../app/german/noun'
import { formatCount, formatDuration } from '../../arithmetic/format'
import type { timings as english } from '../timings'

const mpx = (megapixels: number): string => `${Number(megapixels.toPrecision(3))} Mpx`
const tileWord = (n: number): string => noun(n, 'Kachel', 'Kacheln')

export const timings: typeof english = {
  timings: {
    title: 'Zeiten',
    nothing: 'Nach einem Lauf: was jeder Schritt gebraucht hat, und auf welchem Gerät.',
    lastPreview: (ms, stages) => `Letzte Vorschau ${formatDuration(ms)}: ${stages}`,
    kept: 'schon vorhanden',
    passed: (ms) => `Dauer ${formatDuration(ms)}.`,
    passedSomeKept: (ms, megapixels) => `Dauer ${formatDuration(ms)}; ${mpx(megapixels)} stammen aus früheren Läufen.`,
    passedAllKept: (ms, megapixels) => `Dauer ${formatDuration(ms)}; alles, ${mpx(megapixels)}, stammt aus früheren Läufen.`,
    summed: ' Die Schritte unten sind über alle Threads summiert und können zusammen länger sein.',
    stage: 'Schritt',
    by: 'Gerät und Variante',
  },
  timeline: {
    title: 'Zeitleiste',
    nothing: 'Noch ist nichts gelaufen.',
    nothingComputed: 'Für diesen Lauf wurde nichts berechnet.',
    paused: (n) => `; ${n === 1 ? 'einmal' : `${n}-mal`} pausiert`,
    chart: (about) => `Fenster des Laufs nach Zeit. ${about}. Pfeiltasten gehen von Fenster zu Fenster.`,
    pointAtWindow: 'Zeigen Sie auf ein Fenster, oder gehen Sie mit den Pfeiltasten von einem zum nächsten.',
    legend: 'Schritte, über alle Fenster summiert',
    rest: 'Rest',
    background: 'Hintergrund',
    device: (device, windows, busy, longestGap) =>
      `${device}: ${windows} Fenster zugleich, zu ${Math.round(100 * busy)} % ausgelastet, längste Lücke ${longestGap}`,
    oneWindow: (device, tiles, x, y, from, to, took) =>
      `${device}: ${tiles} ${tileWord(tiles)} ab ${x}, ${y}, ${from} bis ${to}: ${took}`,
    windows: (device, windows, tiles, x, y, from, to, took) =>
      `${device}: ${windows} Fenster, ${formatCount(tiles)} ${tileWord(tiles)}, erstes bei ${x}, ${y}, ${from} bis ${to}: ${took}`,
    stageTook: (stage, time) => `${stage} ${time}`,
    run: (name, elapsedMs, done, total, resumed, keptMegapixels) =>
      `${name}: ${formatDuration(elapsedMs)}, ${formatCount(done)} von ${formatCount(total)} ${tileWord(total)}${resumed > 0 ? `, davon ${formatCount(resumed)} aus einem unterbrochenen Lauf` : ''}${keptMegapixels > 0 ? `; ${mpx(keptMegapixels)} stammen aus früheren Läufen` : ''}.`,
    windowsAsCsv: 'Fenster als CSV',
    stagesAsCsv: 'Schritte als CSV',
    allAsJson: 'Alles als JSON',
    picture: 'Bild (SVG)',
    pictureOf: (name) => `${name}: Zeitleiste`,
    pictureTitle: (name, time, done, total) => `${name}: ${time}, ${done} von ${total} ${tileWord(total)}`,
  },
  work: {
    title: 'Benutzte Algorithmen',
    runAgainWith: 'Erneut mit',
    place: 'Schritt und Operation',
    algorithm: 'Algorithmus',
    run: 'Starten',
    stageAndOperation: 'Schritt: Operation',
    calls: 'Aufrufe',
    rounds: 'Runden',
    queues: 'Aus Warteschlangen',
    note: 'Runden sind Durchgänge, Schritte oder Ebenen einer Breitensuche. Sie und die Warteschlangen hängen von Kacheln, Threads und Gerät ab, das Ergebnis nicht.',
    queued: (n, isPx) => `${formatCount(n)} ${isPx ? 'px' : tileWord(n)}`,
    queuedUpTo: (queued, longest) => `${queued}, bis zu ${formatCount(longest)} zugleich`,
    callsMade: (n) => `${n} ${noun(n, 'Aufruf', 'Aufrufe')}`,
    roundsMade: (n) => `${n} ${noun(n, 'Runde', 'Runden')}`,
    line: (stage, device, op, variant, did) => `${stage} (${device}), ${op}: ${variant}; ${did}`,
  },
}
