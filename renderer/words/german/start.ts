// The start page, the tour, the first screen of the viewer, and what is said of files that are dropped on the window.
import type { start as english } from '../start'

export const start: typeof english = {
  start: {
    page: 'Startseite',
    title: 'Start',
    sample: 'Der Beispielschnitt',
    tour: 'Tour in drei Schritten',
    back: 'Zurück zum Schnitt',
    orDrop:
      'Oder ziehen Sie einen Schnitt ins Fenster: SVS, TIFF, OME-TIFF, NDPI, MIRAX, Philips, Leica, DICOM, OME-Zarr, auch PNG und JPEG.',
    noSlides: 'Noch keine.',
    noProjects: 'Noch keine. Ein Projekt hält viele Schnitte mit ihren Regionen und Ergebnissen.',
    unnamedNote:
      'Auf diesem Computer behalten, während Sie arbeiten. Öffnen Sie eines und speichern Sie es unter einem Namen: Dann ist es ein Ordner.',
    missing: 'Nicht gefunden, oder der Datenträger antwortet nicht',
    takeOff: (name) => `${name} aus dieser Liste nehmen`,
    openNow: 'Jetzt offen',
    deleteUnnamed: (title) => `Projekt löschen: ${title}`,
    deleteTitle: (title) => `Projekt „${title}“ löschen?`,
    deleteText: (contents) =>
      `${contents}. Es hat keinen Namen und liegt nirgends sonst: Das lässt sich nicht rückgängig machen. Die Schnitte selbst bleiben.`,
    noSlideFound: (key) =>
      `Das Projekt ist offen, aber keiner seiner Schnitte ist zu finden. Öffnen Sie einen: ${key} fügt ihn hinzu.`,
  },
  unnamed: {
    unknownDay: 'unbekannter Tag',
    openElsewhere: 'In einem anderen Fenster von Morphoscope offen, oder nicht lesbar',
  },
  tour: {
    title: 'Tour',
    place: (step, of) => `${step} von ${of}`,
    end: 'Tour beenden',
    back: 'Zurück',
    done: 'Fertig',
    openText:
      'Klicken Sie hier, oder ziehen Sie eine Datei ins Fenster. Ein Schnitt ist schon offen: Die nächsten zwei Schritte nutzen ihn.',
    findTitle: 'Kerne finden',
    findText:
      'Klicken Sie auf einen Kern: Er wird umrandet und gemessen. Oder segmentieren Sie das sichtbare Feld ({segmentVisible}) oder den ganzen Schnitt ({segmentWhole}).',
    tuneTitle: 'Anpassen und exportieren',
    tuneText: 'Ziehen Sie einen Regler: Die Umrisse folgen sofort. Exportieren Sie dann Umrisse, Tabellen und einen Bericht.',
  },
  welcome: {
    title: 'Schnitt öffnen',
    formats: 'SVS, gekacheltes TIFF, OME-TIFF, NDPI, MIRAX, Philips, Leica, DICOM, OME-Zarr und mehr; auch PNG, JPEG und TIFF.',
    orDrop: 'oder eine Datei hierher ziehen',
  },
  dropped: {
    about: 'Ins Fenster gezogen',
    oneSlide: (first, others, many) =>
      `Nur ein Schnitt kann offen sein. „${first}“ wird geöffnet, ${others} ${many ? 'werden' : 'wird'} es nicht.`,
    addAll: (slides) => `Alle ${slides} ins Projekt aufnehmen`,
    noPath:
      'Ein Browser sagt nicht, wo eine Datei liegt, die ins Fenster gezogen wurde. Wählen Sie sie in den Ordnern des Servers.',
    damagedJson: 'Diese Datei ist kein Schnitt, und ihr JSON ist beschädigt.',
    damagedRecipe: 'Das Rezept in dieser Datei ist beschädigt.',
    neither: 'Diese Datei ist weder ein Schnitt noch ein Rezept von Morphoscope.',
    tooLarge: 'Diese Datei ist kein Schnitt und für ein Rezept zu groß.',
    holdsRecipe: (isRun, name) =>
      `Diese Datei ist ${isRun ? 'das Protokoll eines Laufs' : 'ein Rezept'}, kein Schnitt. Sie enthält das Rezept „${name}“.`,
    loadIts: 'Rezept daraus laden',
    loadThis: 'Dieses Rezept laden',
    mayBeRecipe: 'Diese Datei ist kein Schnitt. Vielleicht ist sie ein Rezept oder das Protokoll eines Laufs, das eines enthält.',
    loadRecipeIn: 'Rezept darin laden',
    outlines: 'Diese Datei enthält Umrisse, keinen Schnitt. Öffnen Sie den Schnitt dazu und ziehen Sie die Datei darauf.',
    table:
      'Diese Datei ist eine Tabelle von Objekten, kein Schnitt. Öffnen Sie den Schnitt dazu und ziehen Sie die Datei darauf: Ihre Punkte kommen hinein.',
  },
}
