// Notices and banners: what went wrong and what helps, the engine, the connection, devices and memory. In German.
import { noun } from '../../../app/german/noun'
import { formatCount } from '../../arithmetic/format'
import type { notices as english } from '../notices'

export const notices: typeof english = {
  errors: {
    headlines: {
      INVALID_PARAMETER: 'Ein Wert ist nicht möglich',
      SLIDE_UNREADABLE: 'Der Schnitt ist nicht lesbar',
      SLIDE_CHANGED: 'Die Datei des Schnitts hat sich geändert',
      NOT_FOUND: 'Nicht gefunden',
      NATIVE_UNAVAILABLE: 'Die Bild-Engine ist nicht verfügbar',
      GPU_UNAVAILABLE: 'Die GPU ist nicht verfügbar',
      GPU_OUT_OF_MEMORY: 'Der Speicher der GPU reicht nicht',
      GPU_LOST: 'Die GPU antwortet nicht mehr',
      OUT_OF_MEMORY: 'Der Arbeitsspeicher reicht nicht',
      OUTPUT_FAILED: 'Die Dateien konnten nicht geschrieben werden',
      OUTPUT_EXISTS: 'Diese Dateien gibt es schon',
      ENGINE_LOST: 'Die Engine wurde beendet',
      CANCELLED: 'Abgebrochen',
      INTERNAL: 'Ein Fehler in Morphoscope',
    },
    advice: {
      INVALID_PARAMETER: 'Ändern Sie den markierten Wert, oder setzen Sie ihn zurück.',
      SLIDE_UNREADABLE: 'Prüfen Sie, ob die Datei vollständig ist und alle ihre Teile in einem Ordner liegen.',
      SLIDE_CHANGED: 'Öffnen Sie den Schnitt noch einmal, und starten Sie den Lauf erneut.',
      NOT_FOUND: null,
      NATIVE_UNAVAILABLE:
        'Installieren Sie Morphoscope neu. Wenn Sie es selbst gebaut haben, führen Sie „npm start“ in einem Terminal aus: Es sagt, was fehlt.',
      GPU_UNAVAILABLE: null,
      GPU_OUT_OF_MEMORY: 'Wählen Sie eine kleinere Region, oder rechnen Sie auf der CPU.',
      GPU_LOST: 'Starten Sie den Lauf erneut. Schlägt er wieder fehl, rechnen Sie auf der CPU.',
      OUT_OF_MEMORY: 'Wählen Sie eine kleinere Region oder eine gröbere Pixelgröße.',
      OUTPUT_FAILED: 'Wählen Sie einen Ordner, in den Sie schreiben dürfen und der Platz hat.',
      OUTPUT_EXISTS: null,
      ENGINE_LOST: 'Ihre Einstellungen sind noch da. Starten Sie den Lauf erneut.',
      CANCELLED: null,
      INTERNAL: 'Bitte melden Sie ihn mit den Einzelheiten aus dem Protokoll.',
    },
    withAbout: (about, headline) => `${about}: ${headline}`,
  },
  about: {
    addSlides: 'Schnitte hinzufügen',
    chosenGpu: 'Die gewählte GPU fehlt',
    classes: 'Klassen',
    corrections: 'Korrekturen',
    device: 'Wahl des Geräts',
    import: 'Import',
    kept: 'Behalten',
    pause: 'Pause',
    recipes: 'Rezepte',
    redo: 'Wiederholen',
    ruler: 'Lineal',
    saving: 'Speichern',
    slides: 'Schnitte',
    startEngine: 'Engine starten',
    throwAway: 'Verwerfen',
    undo: 'Rückgängig machen',
  },
  undoing: {
    undone: (step) => `Rückgängig gemacht: ${step}`,
    doneAgain: (step) => `Wiederholt: ${step}`,
  },
  failed: {
    reportIt: (why) => `Das ging nicht: ${why}. Bitte melden Sie es.`,
    noClipboard: 'Der Browser lässt diese Seite nicht in die Zwischenablage schreiben.',
  },
  connection: {
    takenBack: 'Der Aufruf wurde abgebrochen.',
    callFailed: (name, why) => `Der Aufruf ${name} ist fehlgeschlagen: ${why}.`,
    callTooLarge: (name, mebibytes) =>
      `Der Aufruf ${name} ist größer als die ${mebibytes} MiB, die der Server auf einmal annimmt. Importieren Sie eine kleinere Datei, oder Teile davon nacheinander.`,
    lost: 'Die Verbindung zum Morphoscope-Server ist unterbrochen. Sie wird von selbst wiederhergestellt; wenn nicht, starten Sie den Server neu.',
    lostBeforeAnswer: 'Die Verbindung zum Morphoscope-Server brach ab, bevor er antwortete.',
    lostMaybeDone:
      'Die Verbindung zum Morphoscope-Server brach ab, bevor er antwortete. Vielleicht hat er den Auftrag ausgeführt: Sehen Sie nach, bevor Sie ihn wiederholen.',
    isLost: 'Die Verbindung zum Server ist unterbrochen.',
    comesBack:
      'Sie kommt mit dem Server von selbst wieder; Ihr Rezept bleibt erhalten. Wenn nicht, starten Sie „morphoscope serve“ neu.',
  },
  engine: {
    notStarted: (why) => `Die Engine konnte nicht starten. ${why}`,
    recipeKept: 'Ihr Rezept ist noch da.',
    slideClosed: 'Der Schnitt wurde geschlossen, falls er die Ursache war; Ihr Rezept ist noch da.',
    slideOpened: 'Ihr Schnitt ist wieder geöffnet, und Ihr Rezept ist noch da.',
    openAgain: (file) => `${file} wieder öffnen`,
    goOnAll: (n) => `Alle ${n} fortsetzen`,
    goOnAt: (percent) => `Bei ${percent} % fortsetzen`,
    runAllAgain: (n) => `Alle ${n} erneut starten`,
    restartTitle: 'Engine neu starten?',
    restartText: (results, objects) =>
      `Sie hält ${results === 1 ? 'ein Ergebnis' : `${results} Ergebnisse`} dieses Schnitts (${formatCount(objects)} ${noun(objects, 'Objekt', 'Objekte')}). Was davon nicht exportiert ist, geht verloren. Die CPU ist auch ohne Neustart nutzbar.`,
    restart: 'Neu starten',
  },
  devices: {
    title: (ofServer) => (ofServer ? 'Rechnen auf (Geräte des Servers)' : 'Rechnen auf'),
    computes: (device) => `${device} rechnet. Gerät wählen`,
    choose: 'Gerät zum Rechnen wählen',
    absent: (label, why) => `${label}: ${why}`,
    cpu: (threads) => `CPU${threads ? ` × ${threads}` : ''}`,
    threads: (name, threads) => `${name}, ${threads} ${noun(threads, 'Thread', 'Threads')}`,
    memory: (id, size) => `${id}, ${size}`,
    all: 'Alle zusammen',
    several: 'Mehrere zusammen',
    none: 'Kein Gerät',
    noGpu: 'Keine GPU',
    missing: (ofServer) =>
      `Ihre Wahl, aber ${ofServer ? 'der Server' : 'dieser Computer'} hat sie zurzeit nicht. Bis sie wieder da ist, rechnet die CPU.`,
    failed: (device) =>
      `${device} ist ausgefallen. Deshalb rechnet die CPU, bis Sie hier neu wählen oder das Programm neu starten.`,
    sameResults:
      'Alle Geräte liefern bitgenau dieselben Ergebnisse. Eine Änderung gilt ab dem nächsten Lauf oder der nächsten Vorschau; ein Klick auf ein einzelnes Objekt rechnet immer auf der CPU.',
    notThere: (ofServer, device, why) =>
      `${ofServer ? 'Der Server' : 'Dieser Computer'} hat ${device} zurzeit nicht${why ? ` (${why})` : ''}. Bis das Gerät wieder da ist, rechnet die CPU; Ihre Wahl bleibt erhalten.`,
  },
  memory: {
    title: (ofServer) => (ofServer ? 'Arbeitsspeicher für Läufe (des Servers)' : 'Arbeitsspeicher für Läufe'),
    about: 'Arbeitsspeicher für Läufe',
    automatic: 'Automatisch',
    upTo: (gibibytes) => `Bis zu ${gibibytes} GiB`,
    automaticDetail: '60 % des Speichers, der beim Start eines Laufs frei ist',
    leastDetail: 'Weniger Fenster zugleich, kleinere Zwischenspeicher',
  },
}
