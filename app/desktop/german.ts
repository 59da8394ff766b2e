// The desktop shell's texts in German.
import type { DesktopWords } from './english'

export const words: DesktopWords = {
  program: 'Morphoscope',
  menu: {
    file: '&Datei',
    segment: '&Segmentieren',
    view: '&Ansicht',
    theme: 'Farbschema',
    language: 'Sprache',
    loadPage: 'Seite neu laden',
    edit: '&Bearbeiten',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    delete: 'Löschen',
    selectAll: 'Alles auswählen',
    fullScreen: 'Vollbild',
    developerTools: 'Entwicklerwerkzeuge',
    help: '&Hilfe',
    close: 'Fenster schließen',
    quit: 'Beenden',
    electronLicences: 'Lizenzen von Electron und Chromium',
  },
  dialogs: {
    slides: 'Schnitte und Bilder',
    zarr: 'OME-Zarr: zarr.json oder .zattrs in seinem Ordner',
    allFiles: 'Alle Dateien',
    recipe: 'Morphoscope-Rezept',
    openSlide: 'Schnitt öffnen',
    addSlides: 'Schnitte hinzufügen',
    openRecipe: 'Rezept öffnen',
    saveRecipe: 'Rezept speichern',
  },
  hangs: {
    title: 'Das Fenster antwortet nicht.',
    text: 'Seine Seite neu zu laden beendet, was hängt. Ergebnisse, Regionen und Läufe bleiben, wie die Engine sie hat. Eine Form, die Sie gerade zeichneten, geht verloren.',
    wait: 'Warten',
  },
  closing: {
    title: 'Arbeit ginge verloren.',
    text: 'Ein Lauf oder ein Export ist im Gange, oder ein Ergebnis aus mehr als einer Minute Arbeit wurde weder exportiert noch im Projekt behalten. All das endet mit dem Fenster.',
    stay: 'Fenster offen lassen',
    close: 'Schließen und verlieren',
  },
  refusals: {
    notJustChosen: (path) =>
      `Erwartet wurde die Datei, die eben im Dialog gewählt wurde, erhalten wurde ${path}. Speichern Sie noch einmal.`,
    notGivenFile: (path) =>
      `Erwartet wurde eine Datei, die im Dialog gewählt, ins Fenster gezogen oder gelistet wurde, erhalten wurde ${path}. Öffnen Sie sie noch einmal.`,
    notGivenFolder: (path) =>
      `Erwartet wurde ein Ordner, der im Dialog gewählt wurde, erhalten wurde ${path}. Wählen Sie ihn über „Wählen…“.`,
    noReport: (path) => `Erwartet wurde ein Bericht, erhalten wurde ${path}. Zeigen Sie ihn stattdessen in seinem Ordner an.`,
    changed: (path) =>
      `${path} wurde nach diesem Export geändert und wird von hier nicht geöffnet. Exportieren Sie noch einmal, oder öffnen Sie die Datei in ihrem Ordner.`,
    notOpened: (path, why) => `Das System konnte ${path} nicht öffnen: ${why}. Öffnen Sie die Datei von Hand in einem Browser.`,
    notWritten: (path) => `Erwartet wurde eine Datei aus einem Export dieser Sitzung, erhalten wurde ${path}.`,
    gone: (path) => `${path} ist nicht mehr da: Die Datei wurde nach dem Export verschoben oder gelöscht.`,
    callFailed: (name) => `Der Aufruf ${name} ist fehlgeschlagen. Das ist ein Fehler in Morphoscope.`,
  },
  noNode: (oldest, override) =>
    `Unter Linux läuft die Engine mit Node ${oldest} oder neuer, und ${override ? `bei MORPHOSCOPE_NODE (${override})` : 'im PATH'} ist keines. Installieren Sie Node (https://nodejs.org/), oder setzen Sie MORPHOSCOPE_NODE auf das Programm. Starten Sie dann Morphoscope neu.`,
}
