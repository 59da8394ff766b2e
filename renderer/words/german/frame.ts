// The frame of the window: the top bar and its menus, the bar at the bottom, the palette, the list of keys, and licences. In German.
import { formatCount, formatPercent } from '../../arithmetic/format'
import type { frame as english } from '../frame'

export const frame: typeof english = {
  header: {
    openMenu: 'Letzte Schnitte und Projekte',
    noneYet: 'Noch keine',
    clearList: 'Liste leeren',
    noSlide: 'Kein Schnitt',
    openingAnother: 'Anderer wird geöffnet…',
    overlay: 'Overlay',
    hideOverlay: 'Overlay ausblenden',
    showOverlay: 'Overlay einblenden',
    overlayStyle: 'Stil des Overlays',
    outlines: 'Umrisse',
    filled: 'Gefüllt',
    recipePanel: 'Rezeptleiste',
    resultsPanel: 'Ergebnisleiste',
  },
  panelEdge: {
    recipe: 'Breite der Rezeptleiste',
    results: 'Breite der Ergebnisleiste',
    tip: 'Ziehen ändert die Breite; Doppelklick stellt die übliche her',
  },
  look: {
    title: 'Wie Objekte, Ebenen und Fenster gezeichnet werden',
    colourBy: 'Objekte färben nach',
    byClass: 'Klasse, oder eine Farbe',
    outlineColour: 'Umrissfarbe',
    colours: 'Farben',
    outlineWidth: 'Umrissbreite',
    fill: 'Füllung',
    opacity: 'Deckkraft gefüllter Objekte',
    layerColours: 'Farben der Ebenen',
    window: 'Fenster',
    theme: 'Farbschema des Fensters',
    themes: { auto: 'System', light: 'Hell', dark: 'Dunkel' },
  },
  language: {
    title: 'Sprache',
    choices: { system: 'Wie das System', en: 'English', de: 'Deutsch' },
    later:
      'Das Fenster wechselt die Sprache, wenn es neu geladen wird (F5). Was Sie gerade zeichnen oder exportieren, ginge dabei verloren.',
  },
  layers: {
    steps: 'Schritte des Rezepts',
  },
  status: {
    title: 'Status',
    cursorOutside: 'Zeiger außerhalb des Schnitts',
    cursorPx: (x, y) => `${formatCount(Math.floor(x))}, ${formatCount(Math.floor(y))} px`,
    uncalibrated: 'Unkalibriert: µm/px setzen',
    tour: 'Neu hier? Eine Tour in drei Schritten',
    noTour: 'Keine Tour',
    engine: {
      offline: 'Engine getrennt',
      connecting: 'Engine verbindet sich',
      starting: 'Engine startet',
      missing: 'Engine nicht gestartet: was tun',
      stopped: 'Engine beendet: was tun',
      restarted: 'Engine neu gestartet',
      computing: 'Engine rechnet',
      ready: 'Engine bereit',
    },
  },
  magnification: {
    title: 'Vergrößerung',
    tip: 'Vergrößerung am Bildschirm, wie ein Objektiv sie gäbe',
    other: 'Andere Vergrößerung',
    go: 'Los',
    fullResolution: '1:1, volle Auflösung',
    wholeSlide: 'Der ganze Schnitt',
  },
  cutHistogram: {
    share: (fraction) => `${formatPercent(fraction)} des Felds liegen darüber`,
    unread: (fraction) => `${formatPercent(fraction)} davon liegen auf Teilen, die nicht gelesen werden konnten`,
    title: (share) => `Histogramm: ${share}`,
  },
  palette: {
    title: 'Befehl suchen',
    placeholder: 'Was möchten Sie tun?',
    commands: 'Befehle',
    nothing: 'Kein Befehl mit diesem Namen.',
    recipe: (name) => `Rezept: ${name}`,
    value: (stage, name) => `${stage}: ${name}`,
    wordsForStains: 'Färbungsvektoren Färbevektoren Farbvektoren Farbe Farbtrennung Dekonvolution stain vectors deconvolution',
  },
  help: {
    title: 'Tastatur und Maus',
    guide: 'Die Anleitung: jedes Werkzeug, mit Bildern',
    mouse: 'Maus',
    mouseUses: [
      ['Klick', 'Objekt unter dem Zeiger auswählen'],
      ['Ziehen', 'Verschieben'],
      ['Mausrad', 'Am Zeiger zoomen'],
    ],
    about: (label, help) => `Hilfe: ${label}. ${help}`,
  },
  guide: {
    title: 'Anleitung',
    chapters: 'Kapitel',
  },
  licences: {
    intro: (version, parts) =>
      `Morphoscope ${version} ist freie Software unter der Apache License 2.0. Es enthält ${parts} Teile, die andere geschrieben haben. Die Desktop-App enthält auch Chromium: Dessen Lizenzen stehen im Menü „Hilfe“.`,
    of: (name) => `Lizenz von ${name}`,
    find: 'Teil suchen',
    placeholder: 'Name oder Lizenz',
    unreadable: (failure) =>
      `Die Liste der Lizenzen konnte nicht gelesen werden (${failure}). Installieren Sie Morphoscope neu, oder führen Sie npm start noch einmal aus, wenn Sie es selbst gebaut haben.`,
    notStated: 'Lizenz nicht angegeben',
  },
  drop: {
    toOpen: 'Zum Öffnen loslassen',
  },
}
