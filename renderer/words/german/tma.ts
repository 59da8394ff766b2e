// The cores of a tissue microarray: finding them, their names, cases, rows and columns.
import { noun } from '../../../app/german/noun'
import { formatCount } from '../../arithmetic/format'
import type { tma as english } from '../tma'

const counted = (n: number, one: string, many: string): string => `${n} ${noun(n, one, many)}`

export const tma: typeof english = {
  cores: {
    title: 'TMA-Stanzen',
    about: 'TMA-Stanzen',
    help: 'Findet die Stanzen eines Tissue-Microarrays am Gewebe des Schnitts, auch leere Felder.',
    diameter: 'Durchmesser der Stanzen, µm',
    mpp: 'Pixelgröße, µm',
    rows: 'Zeilen',
    columns: 'Spalten',
    automatic: 'automatisch',
    find: 'Stanzen suchen',
    findAgain: 'Erneut suchen',
    finding: 'Stanzen werden gesucht',
    letters: 'A, B, C',
    numbers: '1, 2, 3',
    rowNames: 'Zeilen heißen',
    columnNames: 'Spalten heißen',
    first: 'Die erste ist',
    corners: {
      'top-left': 'oben links',
      'top-right': 'oben rechts',
      'bottom-left': 'unten links',
      'bottom-right': 'unten rechts',
    },
    name: 'Stanzen so benennen',
    caseOf: (name) => `Fall von ${name}`,
    labels: 'Fälle aus einer CSV',
    labelsHelp: 'Zeilen mit Stanze und Fall, oder eine Matrix, wie das Array liegt.',
    size: (rows, columns, there, missing) =>
      `${counted(rows, 'Zeile', 'Zeilen')} × ${counted(columns, 'Spalte', 'Spalten')}: ${counted(there, 'Stanze', 'Stanzen')}, ${missing} ${noun(missing, 'fehlt', 'fehlen')}`,
    found: (said, diameter) => `${said}. Sie messen ${diameter} µm.`,
    outside: (n) => `${n} Gebilde, so groß wie eine Stanze, ${noun(n, 'liegt', 'liegen')} außerhalb des Arrays.`,
    unread: (why) => `Teile des Schnitts waren nicht lesbar: ${why}`,
    grid: 'Das Array: Pfeiltasten gehen von Stanze zu Stanze, Enter markiert eine als fehlend oder als vorhanden',
    cell: (name, label, missing) => [name, ...(label === '' ? [] : [label]), ...(missing ? ['fehlt'] : [])].join(', '),
    missing: 'fehlt',
    none: 'kein Platz',
    insertRow: 'Zeile darüber einfügen',
    appendRow: 'Zeile darunter einfügen',
    insertColumn: 'Spalte davor einfügen',
    appendColumn: 'Spalte dahinter einfügen',
    deleteRow: 'Zeile löschen',
    deleteColumn: 'Spalte löschen',
    labelled: (n, of) => `${n} von ${counted(of, 'Stanze', 'Stanzen')} ${noun(n, 'hat ihren Fall', 'haben ihren Fall')}.`,
    unknown: (names, more) => `Keine Stanze heißt ${names}${more > 0 ? `, auch ${more} weitere gibt es nicht` : ''}.`,
    badFile: (name, why) => `${name} ergibt keine Fälle: ${why}.`,
    tooLarge: (size) => `Sie hat ${formatCount(size)} Bytes, eine Liste von Fällen darf höchstens ein Megabyte haben`,
    selectFirst: 'Wählen Sie zuerst Stanzen eines Arrays.',
  },
}
