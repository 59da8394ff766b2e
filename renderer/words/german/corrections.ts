// Objects that a person changes, in German.
import { noun } from '../../../app/german/noun'
import { formatCount } from '../../arithmetic/format'
import type { corrections as english } from '../corrections'

export const corrections: typeof english = {
  objects: {
    undoWith: (step, key) => `${step} (rückgängig mit ${key})`,
    deleteAllTitle: (n) => `Alle ${formatCount(n)} Objekte löschen?`,
    deleteAllText: (run, key) => `Das sind alle Objekte von „${run}“. Rückgängig machen (${key}) holt sie zurück.`,
    ofClick: 'Dieses Objekt wurde beim Klick gefunden und gehört zu keinem Ergebnis. Es gibt nichts zu löschen.',
    ofUnfinished: 'Dieses Objekt gehört zu keinem fertigen Ergebnis. Segmentieren Sie zuerst und löschen Sie es im Ergebnis.',
    notInPoints: 'Punkte und Linien enthalten keine Objekte: Wählen Sie eine Fläche.',
    chooseResult: 'Wählen Sie zuerst ein fertiges Ergebnis: Seine Objekte werden geändert.',
    chooseResultToAdd: 'Wählen Sie zuerst ein fertiges Ergebnis: Objekte werden ihm hinzugefügt.',
    chooseResultToSplit: 'Wählen Sie zuerst ein fertiges Ergebnis: Seine Objekte werden geteilt.',
    selectToTakeAway: 'Wählen Sie zuerst ein Objekt eines fertigen Ergebnisses aus: Der Pinsel nimmt davon weg.',
    selectOrLasso: 'Wählen Sie ein Objekt eines fertigen Ergebnisses aus, oder umfahren Sie mehrere mit dem Lasso.',
    drawLasso: 'Umfahren Sie die Objekte zuerst mit dem Lasso.',
    noneListed: 'Die Liste enthält kein Objekt.',
    saved: 'Seine Objekte sind jetzt im Projekt gespeichert.',
  },
  outline: {
    mergeIntoOne: 'Zu einem verbinden',
    fillHoles: 'Löcher füllen',
    grow: 'Vergrößern…',
    shrink: 'Verkleinern…',
  },
  amount: {
    title: (type, listed) =>
      `${listed ? 'Aufgelistete' : 'Ausgewählte'} Objekte ${type === 'shrink' ? 'verkleinern' : 'vergrößern'}`,
    by: (unit) => `Um wie viel, ${unit}`,
    growNote: 'Pixel anderer Objekte bleiben unberührt. Zwischen zwei wachsenden Objekten fällt jedes Pixel an das nähere.',
    shrinkNote: 'Ein Objekt, das zerfällt, wird zu mehreren Objekten. Ein Objekt, das verschwinden würde, bleibt, wie es ist.',
    grow: 'Vergrößern',
    shrink: 'Verkleinern',
  },
  reshaped: {
    fellApart: (objects, parts) =>
      `${formatCount(objects)} ${noun(objects, 'zerfiel', 'zerfielen')} in ${formatCount(parts)} Teile, jeder ein Objekt`,
    wouldVanish: (n) =>
      `von ${formatCount(n)} bliebe nichts übrig: ${n === 1 ? 'es bleibt, wie es ist' : 'sie bleiben, wie sie sind'}`,
    nothingToChange: (n) => `an ${formatCount(n)} nichts zu ändern`,
    ofOthers: (area, objects) =>
      `${area} gehören zu ${objects === 1 ? 'einem anderen Objekt' : 'anderen Objekten'} und wurden ausgelassen`,
    apart: (area) => `${area} hängen nicht mit dem Rest zusammen und wurden ausgelassen`,
  },
  lasso: {
    title: 'Lasso',
    merge: 'Verbinden',
    mergeTip: (key) => `Alle, die einander berühren, werden ein Objekt (${key})`,
    help: (key) =>
      `Die Tasten 1 bis 9 geben eine Klasse, 0 entfernt sie, Entf löscht die Objekte. ${key} teilt Objekte entlang einer Linie.`,
    chooseResult: 'Wählen Sie zuerst ein fertiges Ergebnis.',
    chooseResultToSelect: 'Wählen Sie zuerst ein fertiges Ergebnis: Das Lasso wählt seine Objekte aus.',
  },
  classMenu: {
    noneByHand: 'Keine von Hand',
  },
  carry: {
    offer: (run, corrections) => `„${run}“ hat Korrekturen: ${corrections}.`,
    from: (run) => `Von „${run}“ übernehmen`,
    deleted: (n) => `${formatCount(n)} gelöscht`,
    made: (n) => `${formatCount(n)} von Hand erstellt`,
    byHand: (n) => `${formatCount(n)} mit Klasse von Hand`,
    rule: 'Grenzwerte der Klassen',
    list: (parts) => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} und ${parts.at(-1)!}`),
    rows: {
      deleted: 'Gelöscht',
      classified: 'Klassifiziert',
      already: 'Schon erledigt',
      otherwise: 'Schon eine Klasse von Hand',
      outside: 'Außerhalb des Ergebnisses',
      unfit: 'Passen nicht mehr',
    },
    card: 'Übernommene Korrekturen',
    cardTitle: (run) => `Korrekturen von „${run}“`,
    limitsToo: 'Auch die Grenzwerte seiner Klassen gelten für dieses Ergebnis.',
    previous: 'Zurück',
    was: { made: 'von Hand erstellt', deleted: 'gelöscht' },
    place: (at, of, was) => `${at} von ${formatCount(of)}: war ${was}`,
    unfitNote: 'Kein Objekt dieses Ergebnisses deckt sie zur Hälfte. Ihre Stellen sind auf dem Schnitt markiert.',
    chooseResult: 'Wählen Sie zuerst ein fertiges Ergebnis: Es übernimmt die Korrekturen.',
    noSource: 'Kein früheres Ergebnis dieses Schnitts mit gleicher Pixelgröße hat Korrekturen zum Übernehmen.',
    carried: (n) => `${formatCount(n)} ${noun(n, 'Korrektur', 'Korrekturen')} übernommen`,
    doNotFit: (n) => `${formatCount(n)} ${noun(n, 'passt', 'passen')} nicht`,
    stay: (n) => `${formatCount(n)} ${noun(n, 'Korrektur bleibt', 'Korrekturen bleiben')} beim früheren Ergebnis`,
  },
}
