// The engine's messages in German: what is imported. app/german/phrases.ts says what stands in braces.

export const importing = `
expected a FeatureCollection for the GeoJSON but received none.
  Die GeoJSON-Datei hat keine FeatureCollection.
This is no GeoJSON: {P}.
  Das ist kein GeoJSON: {}.
expected {p} at character {} but found {p}
  bei Zeichen {2} wird {1} erwartet, da steht {3}
the end of the file
  das Ende der Datei
a value
  ein Wert
there is more behind its end, at character {}
  hinter dem Ende steht noch etwas, bei Zeichen {}
it has two lists of features
  es hat zwei Listen von Features
1 feature {P}
  1 Feature {}
{} features: each {P}
  {} Features: jedes {}
1 region {P}
  1 Region {}
{} regions: each {P}
  {} Regionen: jede {}
1 label {P}
  1 Label {}
{} labels: each {P}
  {} Labels: jedes {}
1 row {P}
  1 Zeile {}
{} rows: each {P}
  {} Zeilen: jede {}
1 object {P}
  1 Objekt {}
{} objects: each {P}
  {} Objekte: jedes {}
1 annotation {P}
  1 Annotation {}
{} annotations: each {P}
  {} Annotationen: jede {}
has another fault
  hat einen anderen Fehler
crosses or covers itself: each ring encloses what it winds around, inner rings are cut out of the first one
  kreuzt oder bedeckt sich selbst: Jeder Ring umschließt, worum er läuft; innere Ringe sind aus dem ersten ausgeschnitten
is no feature
  ist kein Feature
is of the kind {}, not an annotation
  ist von der Art {}, keine Annotation
has no room: a document holds {} regions
  hat keinen Platz: Ein Dokument fasst {} Regionen
has no geometry
  hat keine Geometrie
is without its class: a document holds 1,000 classes
  ist ohne seine Klasse: Ein Dokument fasst 1000 Klassen
is without its parts or holes of less than three points
  ist ohne Teile oder Löcher mit weniger als drei Punkten
has coordinates, rings or points beyond what a region can hold
  hat mehr Koordinaten, Ringe oder Punkte, als eine Region fasst
is not as it should be ({}: {})
  ist nicht, wie es sein soll ({}: {})
encloses no area
  umschließt keine Fläche
crosses itself too often to be worked out
  kreuzt sich zu oft, um ermittelt zu werden
lies in another plane of the image
  liegt in einer anderen Bildebene
has the geometry {}, which is neither an area nor points nor a line
  hat die Geometrie {}, weder Fläche noch Punkte noch Linie
has no coordinates of a {}
  hat keine Koordinaten für {}
has a ring of less than three points
  hat einen Ring mit weniger als drei Punkten
has no area
  hat keine Fläche
has no coordinates of points
  hat keine Koordinaten von Punkten
has more than {} points
  hat mehr als {} Punkte
is more than one line
  ist mehr als eine Linie
has no coordinates of a line
  hat keine Koordinaten einer Linie
is a line of more points than a region can hold
  ist eine Linie mit mehr Punkten, als eine Region fasst
The project was changed again and again while the file was read. Nothing was imported: import it once the project rests.
  Das Projekt wurde immer wieder geändert, während die Datei gelesen wurde. Nichts wurde importiert: Importieren Sie, wenn das Projekt ruht.
The file could not be read.
  Die Datei konnte nicht gelesen werden.
There is not enough memory to read the file.
  Der Arbeitsspeicher reicht nicht, um die Datei zu lesen.
is {}, and no outline of an object
  ist {}, kein Umriss eines Objekts
    a line = eine Linie
    points = Punkte
has no outline
  hat keinen Umriss
is longer than a feature can be
  ist länger, als ein Feature sein darf
is no JSON
  ist kein JSON
has no room: an import takes {} million characters of annotations
  hat keinen Platz: Ein Import nimmt {} Millionen Zeichen an Annotationen
Not taken from the file: {p}.
  Nicht aus der Datei genommen: {}.
Taken otherwise: {p}.
  Anders genommen: {}.
{} files are being imported already. Wait until one is done, or end it.
  {} Dateien werden schon importiert. Warten Sie, bis eine fertig ist, oder beenden Sie sie.
That import has ended. Import the file again.
  Dieser Import ist zu Ende. Importieren Sie die Datei erneut.
{} is no label image: expected a TIFF, a PNG or a .npy file.
  {} ist kein Label-Bild: Erwartet wird eine TIFF-, PNG- oder .npy-Datei.
{} has {} × {} px: there is nothing in it.
  {} hat {} × {} px: Darin ist nichts.
{} claims {} × {} px: expected at most {} a side, and {} Gi px together.
  {} gibt {} × {} px an: Erwartet werden höchstens {} je Seite und zusammen {} Gi px.
{} has colours: expected a label image, in which one number a pixel says whose it is.
  {} hat Farben: Erwartet wird ein Label-Bild, in dem je Pixel eine Zahl sagt, wem es gehört.
{} is a damaged TIFF: no directory of it can be read.
  {} ist ein beschädigtes TIFF: Kein Verzeichnis ist lesbar.
{} is a damaged PNG.
  {} ist ein beschädigtes PNG.
{} has opacity: expected a label image, grey alone.
  {} hat Deckkraft: Erwartet wird ein Label-Bild, nur Grau.
has no room: the objects before it take all the memory that an import may have
  hat keinen Platz: Die Objekte davor füllen den Arbeitsspeicher, den ein Import haben darf
reaches beyond the slide: what lies on it was taken
  reicht über den Schnitt hinaus: Genommen wurde, was darauf liegt
is in several pieces, of which the largest was taken
  besteht aus mehreren Stücken; das größte wurde genommen
{} px hold no label’s number: negative, a fraction, or no number at all. They were taken as empty
  {} px haben keine Label-Nummer: negativ, ein Bruch oder gar keine Zahl. Sie gelten als leer
it has {} further {} of that size: the first alone was read
  sie hat {} weitere {} dieser Größe: Nur die erste wurde gelesen
    page = Seite
    pages = Seiten
all of it has one number: it is a mask, and no label image. Give each piece a number of its own, as skimage.measure.label does
  alles hat eine Nummer: Das ist eine Maske, kein Label-Bild. Geben Sie jedem Stück eine eigene Nummer, wie skimage.measure.label
it has the size of the slide’s bounds, and was laid at their corner, {}, {}
  es ist so groß wie der Bereich des Schnitts und liegt an dessen Ecke, {}, {}
{} has more than {} labels: it is hardly a label image. Import a part of it.
  {} hat mehr als {} Labels: Das ist kaum ein Label-Bild. Importieren Sie einen Teil davon.
{} is too ragged: its labels change more than {} times along its rows. Import a part of it.
  {} ist zu zerklüftet: Die Labels wechseln entlang der Zeilen mehr als {}-mal. Importieren Sie einen Teil davon.
{} holds objects of Python, as Cellpose’s _seg.npy does. Save its masks alone: numpy.save(file, masks).
  {} enthält Python-Objekte, wie _seg.npy von Cellpose. Speichern Sie nur die Masken: numpy.save(file, masks).
{} holds numbers of type {}: expected integers, as {}.
  {} enthält Zahlen vom Typ {}: Erwartet werden ganze Zahlen, als {}.
{} has the shape ({}): expected (height, width).
  {} hat die Form ({}): Erwartet wird (height, width).
{} is in Fortran order: expected C order (numpy.ascontiguousarray makes it so).
  {} ist in Fortran-Ordnung: Erwartet wird C-Ordnung (numpy.ascontiguousarray macht das).
{} claims {} × {} numbers of {} bytes, and has {} bytes of them.
  {} gibt {} × {} Zahlen zu {} Byte an und hat {} Byte davon.
{} became shorter while it was read.
  {} wurde beim Lesen kürzer.
{} is not a .npy file
  {} ist keine .npy-Datei
{} is not a .npy file.
  {} ist keine .npy-Datei.
{} is of .npy version {}: expected 1, 2 or 3
  {} hat die .npy-Version {}: Erwartet wird 1, 2 oder 3
{} is of .npy version {}: expected 1, 2 or 3.
  {} hat die .npy-Version {}: Erwartet wird 1, 2 oder 3.
{} is incomplete
  {} ist unvollständig
{} is incomplete.
  {} ist unvollständig.
{} holds records or no type at all: expected one integer type
  {} enthält Datensätze oder gar keinen Typ: Erwartet wird ein ganzzahliger Typ
{} holds records or no type at all: expected one integer type.
  {} enthält Datensätze oder gar keinen Typ: Erwartet wird ein ganzzahliger Typ.
{} has a broken header
  {} hat einen kaputten Kopf
{} has a broken header.
  {} hat einen kaputten Kopf.
No px of {} lies on the slide: {} × {} px from {}, {} on, each {} px of the slide.
  Kein px von {} liegt auf dem Schnitt: {} × {} px ab {}, {}, jedes {} px des Schnitts.
{} cannot be read as a label image: {p}
  {} ist nicht als Label-Bild lesbar: {}
{} is no OME-Zarr: expected a folder with a label image.
  {} ist kein OME-Zarr: Erwartet wird ein Ordner mit einem Label-Bild.
{} has colours: expected one plane of labels.
  {} hat Farben: Erwartet wird eine Ebene mit Labels.
{} has {n} channels: expected one plane of labels.
  {} hat {} Kanäle: Erwartet wird eine Ebene mit Labels.
lies beyond the slide
  liegt jenseits des Schnitts
is larger than an object can be: 8,192 px across, or 4 million px, of the analysed image
  ist größer, als ein Objekt sein darf: 8192 px breit oder 4 Millionen px im analysierten Bild
covers the centre of no pixel of the analysed image
  bedeckt keine Pixelmitte des analysierten Bilds
is a cell without a nucleus that can be taken: its own outline is the object
  ist eine Zelle ohne brauchbaren Kern: Ihr eigener Umriss ist das Objekt
is a cell of which the nucleus alone was taken, as its own outline {P}
  ist eine Zelle, von der nur der Kern genommen wurde, denn ihr eigener Umriss {}
has no room: a result holds {} imported objects
  hat keinen Platz: Ein Ergebnis fasst {} importierte Objekte
is without its class: objects of a result can be of {} classes
  ist ohne seine Klasse: Objekte eines Ergebnisses können zu {} Klassen gehören
reaches more than {} px of the analysed image beyond it
  reicht mehr als {} px des analysierten Bilds darüber hinaus
has no room: the cells before it lie on each other too often
  hat keinen Platz: Die Zellen davor liegen zu oft aufeinander
lies on another object, which was there first
  liegt auf einem anderen Objekt, das zuerst da war
lies on another object in part: what is its own was taken
  liegt teils auf einem anderen Objekt: Genommen wurde, was ihm allein gehört
There is not enough memory to read {}.
  Der Arbeitsspeicher reicht nicht, um {} zu lesen.
{} could not be read.
  {} konnte nicht gelesen werden.
{} is damaged, or no Parquet file.
  {} ist beschädigt oder keine Parquet-Datei.
{} lacks a part of its column “{}”.
  In {} fehlt ein Teil der Spalte „{}“.
{} is damaged: its last bytes are not those of a Parquet file.
  {} ist beschädigt: Die letzten Bytes sind nicht die einer Parquet-Datei.
{} has a description of {} bytes: expected at most {}.
  {} hat eine Beschreibung von {} Byte: Erwartet werden höchstens {}.
{} claims {} rows: expected at most {}.
  {} gibt {} Zeilen an: Erwartet werden höchstens {}.
{} has two columns of one name.
  {} hat zwei Spalten gleichen Namens.
{} is damaged: its column “{}” lies beyond its end.
  {} ist beschädigt: Die Spalte „{}“ liegt hinter dem Ende.
{} has {} bytes of its column “{}” in one piece: expected at most {}.
  {} hat {} Byte der Spalte „{}“ in einem Stück: Erwartet werden höchstens {}.
{} is packed by {}: expected Snappy, gzip, Brotli, Zstandard where Node has it, or nothing.
  {} ist mit {} gepackt: Erwartet wird Snappy, gzip, Brotli, Zstandard, wo Node es hat, oder nichts.
{} is damaged: its column “{}” has fewer values than rows.
  {} ist beschädigt: Die Spalte „{}“ hat weniger Werte als Zeilen.
{} is damaged: a page of its column “{}” claims what it cannot hold.
  {} ist beschädigt: Eine Seite der Spalte „{}“ gibt mehr an, als sie enthalten kann.
{} has its column “{}” as {}: write it plain, or with a dictionary.
  {} hat die Spalte „{}“ als {}: Schreiben Sie sie einfach oder mit Wörterbuch.
{} has more than {} bytes of its column “{}” in one piece.
  {} hat mehr als {} Byte der Spalte „{}“ in einem Stück.
{} is damaged: its columns have not as many values as rows.
  {} ist beschädigt: Die Spalten haben nicht so viele Werte wie Zeilen.
{} has other shapes than points: expected points here, and outlines as GeoJSON.
  {} hat andere Formen als Punkte: Erwartet werden hier Punkte, Umrisse als GeoJSON.
{} ended too early: it is damaged.
  {} endete zu früh: Die Datei ist beschädigt.
{} is empty.
  {} ist leer.
{} is an empty table.
  {} ist eine leere Tabelle.
its objects are discs around points, with radii by the column “{}”
  die Objekte sind Scheiben um Punkte, mit Radien aus der Spalte „{}“
its objects are discs around points, with a radius of {} µm
  die Objekte sind Scheiben um Punkte, mit einem Radius von {} µm
has no number for its place
  hat keine Zahl für den Ort
has no number above 0 for its radius
  hat keine Zahl über 0 für den Radius
{} has no two columns of places: expected names as “Centroid X px” and “Centroid Y px”, “Location_Center_X” and “Location_Center_Y”, “centroid-1” and “centroid-0”, or “x” and “y”.
  {} hat keine zwei Spalten mit Orten: Erwartet werden Namen wie „Centroid X px“ und „Centroid Y px“, „Location_Center_X“ und „Location_Center_Y“, „centroid-1“ und „centroid-0“ oder „x“ und „y“.
{} has lengths in µm, and the slide does not say how large its pixels are: give it by --mpp, or calibrate the slide.
  {} hat Längen in µm, und der Schnitt nennt seine Pixelgröße nicht: Geben Sie sie mit --mpp an, oder kalibrieren Sie den Schnitt.
{} has decimal commas, as in {}: write the table with decimal points.
  {} hat Dezimalkommas, wie in {}: Schreiben Sie die Tabelle mit Dezimalpunkten.
{} is no table: a row of it has more than {} characters, or a quote is not closed.
  {} ist keine Tabelle: Eine Zeile hat mehr als {} Zeichen, oder ein Anführungszeichen ist nicht geschlossen.
Densities are of the whole slide: where the file has objects of a part alone, they are too low.
  Dichten gelten für den ganzen Schnitt: Hat die Datei nur Objekte eines Teils, sind sie zu niedrig.
The objects of {} are in the project, but could not be shown.
  Die Objekte von {} sind im Projekt, ließen sich aber nicht zeigen.
{} could not be shown.
  {} ließ sich nicht zeigen.
{} has more than {} GiB: import a part of it.
  {} hat mehr als {} GiB: Importieren Sie einen Teil davon.
The working file of {} ended too early.
  Die Arbeitsdatei von {} endete zu früh.
The disk has no room left to read {}: expected {} MiB to spare in {}.
  Der Datenträger hat keinen Platz, um {} zu lesen: Erwartet werden {} freie MiB in {}.
it is larger than {} characters
  sie ist größer als {} Zeichen
it is empty
  sie ist leer
line {} has a text of {} characters: at most {} can be kept
  Zeile {} hat einen Text von {} Zeichen: Höchstens {} sind möglich
line {} has a control character
  Zeile {} hat ein Steuerzeichen
line {} has one cell, and no label in cell {}
  Zeile {} hat eine Zelle, und keine Beschriftung in Zelle {}
line {} has {} cells, and no label in cell {}
  Zeile {} hat {} Zellen, und keine Beschriftung in Zelle {}
line {} names the core {} again, after line {}
  Zeile {} nennt die Stanze {} noch einmal, nach Zeile {}
`
