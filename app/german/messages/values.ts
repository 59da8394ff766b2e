// The engine's messages in German: bad values, and what main/base says. app/german/phrases.ts says what stands in braces.

export const values = `
expected {P} for {} but received {p}
  Für {2} wird {1} erwartet, angegeben ist {3}
    region = die Region
    the recipe = das Rezept
    the map's class = die Klasse der Karte
    the map’s class = die Klasse der Karte
    the points = die Punkte
    the call's name = den Namen des Aufrufs
    x and y = x und y
    device = das Gerät
    devices = die Geräte
    filter = den Filter
    classes = die Klassen
    the slide's pixels = die Pixel des Schnitts
    the rectangle = das Rechteck
    the field = das Feld
expected {P} but received {p}
  Erwartet wird {}, angegeben ist {}
expected {P} but received {p}.
  Erwartet wird {}, angegeben ist {}.
a list
  eine Liste
an object
  ein Objekt
nothing
  nichts
another value
  ein anderer Wert
none
  keine
a value of type {p}
  ein Wert vom Typ {}
number
  Zahl
string
  Text
boolean
  Wahrheitswert
array
  Liste
int
  ganze Zahl
null
  null
undefined
  nichts
more than {} characters
  mehr als {} Zeichen
at least {} characters
  mindestens {} Zeichen
less than {} characters
  weniger als {} Zeichen
at most {} characters
  höchstens {} Zeichen
more than {}
  mehr als {}
at least {}
  mindestens {}
less than {}
  weniger als {}
at most {}
  höchstens {}
one of {}
  eines von {}
no key {}
  kein Schlüssel {}
the form {}
  die Form {}
a valid value
  ein gültiger Wert
a whole number from {} to {} {}
  eine ganze Zahl von {} bis {} {}
a number from {} to {} {}
  eine Zahl von {} bis {} {}
a whole number from {} to {}
  eine ganze Zahl von {} bis {}
a number from {} to {}
  eine Zahl von {} bis {}
an integer from {} to {}
  eine ganze Zahl von {} bis {}
a number between {} and {}
  eine Zahl zwischen {} und {}
an integer between {} and {}
  eine ganze Zahl zwischen {} und {}
true or false
  true oder false
{n} to {n}
  {} bis {}
limits that rise
  steigende Grenzwerte
one limit or three
  ein Grenzwert oder drei
one limit where other columns have theirs
  ein Grenzwert, wo andere Spalten eigene haben
columns that differ
  verschiedene Spalten
text without control characters
  Text ohne Steuerzeichen
text without NUL
  Text ohne NUL
whole letters
  ganze Buchstaben
a high above the low
  ein oberer Wert über dem unteren
a name without folders
  ein Name ohne Ordner
a path without NUL
  ein Pfad ohne NUL
at most 50
  höchstens 50
a variant that the operation has
  eine Variante, die die Operation hat
cpu, gpu0, gpu1, …
  cpu, gpu0, gpu1, …
cpu, gpu0, gpu1, … or several of them with commas, each once
  cpu, gpu0, gpu1, … oder mehrere mit Kommas, jedes einmal
a shard of those that there are
  einer der vorhandenen Teilläufe
a name on one line, without spaces around it
  ein einzeiliger Name, ohne Leerzeichen davor und dahinter
There is not enough free memory. Close other programs, or take a smaller region.
  Der freie Arbeitsspeicher reicht nicht. Schließen Sie andere Programme, oder nehmen Sie eine kleinere Region.
The system starts no more threads or processes for this user or container. End other programs, or use fewer threads, and try again.
  Das System startet für dieses Konto oder diesen Container keine weiteren Threads oder Prozesse. Beenden Sie andere Programme, oder nehmen Sie weniger Threads, und versuchen Sie es erneut.
Something went wrong inside Morphoscope: {p}. Please report it with the log.
  In Morphoscope ist ein Fehler aufgetreten: {}. Bitte melden Sie ihn mit dem Protokoll.
{p}, a flat {_} of {} × {} px, needs {} of memory to be decoded, and images may take {} in all. {P}
  {1}, ein flaches Bild von {3} × {4} px, braucht {5} Arbeitsspeicher zum Dekodieren; Bilder dürfen zusammen {6} belegen. {7}
{} needs {} of memory to be decoded, and images may take {} in all. {P}
  {} braucht {} Arbeitsspeicher zum Dekodieren; Bilder dürfen zusammen {} belegen. {}
Give a part of it.
  Geben Sie einen Teil davon an.
Convert it to a tiled pyramid, e.g. with "vips tiffsave --tile --pyramid --compression jpeg --Q 90".
  Wandeln Sie es in eine gekachelte Pyramide um, z. B. mit "vips tiffsave --tile --pyramid --compression jpeg --Q 90".
Other open images hold {}: close one, or convert it to a tiled pyramid, e.g. with "vips tiffsave --tile --pyramid --compression jpeg --Q 90".
  Andere offene Bilder belegen {}: Schließen Sie eines, oder wandeln Sie es in eine gekachelte Pyramide um, z. B. mit "vips tiffsave --tile --pyramid --compression jpeg --Q 90".
The file {} could not be written ({}). The change holds until the program ends; check the folder's permissions and free space.
  Die Datei {} konnte nicht geschrieben werden ({}). Die Änderung gilt bis zum Ende des Programms; prüfen Sie Rechte und freien Platz des Ordners.
The file {} would have more than {} bytes. Nothing has changed.
  Die Datei {} hätte mehr als {} Byte. Nichts wurde geändert.
{} is {P}, not a file. Name a file.
  {} ist {}, keine Datei. Nennen Sie eine Datei.
a file
  eine Datei
a link
  ein Link
a folder
  ein Ordner
a named pipe
  eine benannte Pipe
a socket
  ein Socket
a device
  ein Gerät
{} has more than {} bytes.
  {} hat mehr als {} Byte.
{} is not there, by which {P}. Build the app again: npm run build.
  {} fehlt; damit werden {}. Bauen Sie die App neu: npm run build.
objects are measured
  Objekte gemessen
GeoJSON is read
  GeoJSON-Dateien gelesen
Parquet is read
  Parquet-Dateien gelesen
Morphoscope is closing.
  Morphoscope wird beendet.
This is no tile address.
  Das ist keine Adresse einer Kachel.
Nobody waits for this tile any more.
  Auf diese Kachel wartet niemand mehr.
The call {} was taken back.
  Der Aufruf {} wurde zurückgenommen.
The call was cancelled.
  Der Aufruf wurde abgebrochen.
The call {} is answered by the shell, and this one has no answer to it.
  Der Aufruf {} wird von der Oberfläche beantwortet, und diese hat keine Antwort darauf.
There is no picture of that name.
  Es gibt kein Bild dieses Namens.
There is no picture of that slide.
  Von diesem Schnitt gibt es kein Bild.
Morphoscope’s window
  das Fenster von Morphoscope
the command line
  die Befehlszeile
another process
  einem anderen Prozess
it has {} bytes, more than the {} that such a file can have
  sie hat {} Byte, mehr als die {}, die eine solche Datei haben darf
it does not have the expected form
  sie hat nicht die erwartete Form
ENOTDIR: {} is a file
  ENOTDIR: {} ist eine Datei
EISDIR: {} is a folder
  EISDIR: {} ist ein Ordner
expected {P}
  Erwartet wird {}
Invalid input
  Ungültiger Wert
Invalid input: expected {P}, received {p}
  Ungültiger Wert: erwartet wird der Typ {}, angegeben ist {}
Invalid input: expected {}
  Ungültiger Wert: erwartet wird {}
Invalid option: expected one of {}
  Ungültige Wahl: erwartet wird eines von {}
Too small: expected {P} to have >={} {}
  Zu klein: Typ {}, mindestens {} {}
    characters = Zeichen
    items = Einträge
Too small: expected {P} to have >{} {}
  Zu klein: Typ {}, mehr als {} {}
    characters = Zeichen
    items = Einträge
Too big: expected {P} to have <={} {}
  Zu groß: Typ {}, höchstens {} {}
    characters = Zeichen
    items = Einträge
Too small: expected {P} to be >={}
  Zu klein: Typ {}, mindestens {}
Too small: expected {P} to be >{}
  Zu klein: Typ {}, größer als {}
Too big: expected {P} to be <={}
  Zu groß: Typ {}, höchstens {}
Too big: expected {P} to be <{}
  Zu groß: Typ {}, kleiner als {}
Unrecognized key: {}
  Unbekannter Schlüssel: {}
Unrecognized keys: {}
  Unbekannte Schlüssel: {}
Invalid string: must match pattern {}
  Ungültiger Text: muss dem Muster {} folgen
object
  Objekt
NaN
  NaN
`
