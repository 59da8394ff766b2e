// Faults of slides' files in German, as native/slide puts them into its messages. app/german/phrases.ts says what stands in braces.

export const slideFaults = `
whose bits are in reverse order (FillOrder 2)
  mit umgekehrter Bitfolge (FillOrder 2)
in JPEG 2000 (compression {}) of {} bits a sample, of which 16 are read
  in JPEG 2000 (Kompression {}) mit {} Bit pro Wert, von denen 16 gelesen werden
in YCbCr in JPEG 2000 (compression {})
  in YCbCr in JPEG 2000 (Kompression {})
in JPEG 2000 (compression {}), for which OpenJPEG is needed ({})
  in JPEG 2000 (Kompression {}), wofür OpenJPEG nötig ist ({})
with compression {}, for which there is no decoder
  mit Kompression {}, für die es keinen Decoder gibt
with compression {}, for which libtiff is needed ({})
  mit Kompression {}, für die libtiff nötig ist ({})
with compression {}, which the libtiff in use ({}) does not unpack
  mit Kompression {}, die das benutzte libtiff ({}) nicht entpackt
with predictor {} for samples of {} bits
  mit Prädiktor {} für Werte von {} Bit
in YCbCr without JPEG
  in YCbCr ohne JPEG
in JPEG of {} bits
  in JPEG mit {} Bit
its JPEG 2000 data is YCbCr of more than 8 bits
  seine JPEG-2000-Daten sind YCbCr mit mehr als 8 Bit
OpenJPEG could not be loaded ({})
  OpenJPEG ließ sich nicht laden ({})
libtiff could not be loaded ({})
  libtiff ließ sich nicht laden ({})
its compressed bytes are of another shape than the file states
  seine komprimierten Bytes haben eine andere Form, als die Datei nennt
begins with no codestream’s header
  beginnen ohne Kopf
has a damaged header
  beschädigter Kopf
is of {} × {} px, and {} × {} were expected
  {} × {} px, erwartet wurden {} × {}
is cut into tiles in a way that is not read
  in einer Art gekachelt, die nicht gelesen wird
has {} components, and {} were expected
  {} Komponenten, erwartet wurden {}
has components of fewer px than the picture
  Komponenten mit weniger px als das Bild
has no signs, and they were expected
  ohne Vorzeichen, erwartet wurden welche
has signs, and none were expected
  mit Vorzeichen, erwartet wurden keine
has {} bits a sample, and at most {} were expected
  {} Bit pro Wert, erwartet wurden höchstens {}
cannot be decoded by OpenJPEG
  von OpenJPEG nicht zu dekodieren
it states more than {} MiB of XMP
  es nennt mehr als {} MiB XMP
its ImageInfo states {} twice
  ImageInfo nennt {} zweimal
its ImageInfo states areas of {} × {} tiles (NumCols, NumRows), and counts from 1 to {} tiles in all were expected
  ImageInfo nennt Bereiche von {} × {} Kacheln (NumCols, NumRows), erwartet wurden 1 bis {} Kacheln insgesamt
its description of areas (XMP) {p}
  seine Beschreibung der Bereiche (XMP) {}
a directory lies beyond the end of the file (at byte {} of {}): the file is cut short
  ein Verzeichnis liegt hinter dem Ende der Datei (bei Byte {} von {}): Die Datei ist abgeschnitten
a directory claims {} entries
  ein Verzeichnis gibt {} Einträge an
a directory runs beyond the end of the file: the file is cut short
  ein Verzeichnis reicht über das Ende der Datei: Die Datei ist abgeschnitten
its BigTIFF header is damaged
  der BigTIFF-Kopf ist beschädigt
its directories form a loop
  die Verzeichnisse bilden eine Schleife
it claims more than {} directories
  es gibt mehr als {} Verzeichnisse an
its directories claim more than {} entries together
  die Verzeichnisse geben zusammen mehr als {} Einträge an
it has no directory
  es hat kein Verzeichnis
it claims more than {} SubIFDs
  es gibt mehr als {} SubIFDs an
its SubIFDs form a loop
  die SubIFDs bilden eine Schleife
{} beside it is no JPEG, or its header runs beyond its end
  {} daneben ist kein JPEG, oder der Kopf reicht über das Ende
{} beside it claims {} × {} px, which is more restart intervals than it has bytes
  {} daneben gibt {} × {} px an, das sind mehr Restart-Intervalle als Bytes
Slidedat.ini states {p}
  Slidedat.ini nennt {}
{} × {} images (IMAGENUMBER_X, IMAGENUMBER_Y)
  {} × {} Bilder (IMAGENUMBER_X, IMAGENUMBER_Y)
{} levels (HIER_0_COUNT)
  {} Stufen (HIER_0_COUNT)
{} data files (FILE_COUNT)
  {} Datendateien (FILE_COUNT)
{} layers ({})
  {} Ebenen ({})
images of {} × {} px (DIGITIZER_WIDTH, DIGITIZER_HEIGHT in {})
  Bilder von {} × {} px (DIGITIZER_WIDTH, DIGITIZER_HEIGHT in {})
a step of 2^{} (IMAGE_CONCAT_FACTOR in {})
  einen Schritt von 2^{} (IMAGE_CONCAT_FACTOR in {})
overlaps of {} and {} px for images of {} × {} px (OVERLAP_X, OVERLAP_Y in {})
  Überlappungen von {} und {} px für Bilder von {} × {} px (OVERLAP_X, OVERLAP_Y in {})
its index claims {} images on a page of level {}
  der Index gibt {} Bilder auf einer Seite der Stufe {} an
its index makes more than {} tiles of the images of level {}
  der Index macht mehr als {} Kacheln aus den Bildern der Stufe {}
its index states {} bytes of camera positions from byte {} of {}, which has {}
  der Index nennt {} Byte Kamerapositionen ab Byte {} von {}, die {} hat
a camera position lies {} × {} px from its place
  eine Kameraposition liegt {} × {} px von ihrem Platz
it states {} × {} images (NoJpegColumns, NoJpegRows)
  es nennt {} × {} Bilder (NoJpegColumns, NoJpegRows)
OverlapsXY states an overlap of {} px
  OverlapsXY nennt eine Überlappung von {} px
OverlapsXY states an overlap of {} px for tiles of {}
  OverlapsXY nennt eine Überlappung von {} px bei Kacheln von {}
{} holds a JPEG whose header runs beyond the end of the file
  {} enthält ein JPEG, dessen Kopf über das Ende der Datei reicht
{} states {} bytes (StripByteCounts) for a JPEG whose header alone has {}
  {} nennt {} Byte (StripByteCounts) für ein JPEG, dessen Kopf allein {} hat
{} is one JPEG of {} without restart markers
  {} ist ein JPEG von {} ohne Restart-Marker
{} claims {}, which is more restart intervals than the file has bytes
  {} gibt {} an, das sind mehr Restart-Intervalle, als die Datei Bytes hat
{} states that a restart interval begins at byte {} of {}
  {} nennt ein Restart-Intervall ab Byte {} von {}
directory {} states its XMP twice
  Verzeichnis {} nennt sein XMP zweimal
directory {} claims {} (ImageWidth, ImageLength), more than any scanner gives
  Verzeichnis {} gibt {} an (ImageWidth, ImageLength), mehr als jeder Scanner
directory {} states tiles of {} (TileWidth, TileLength)
  Verzeichnis {} nennt Kacheln von {} (TileWidth, TileLength)
directory {} states tiles of {} (TileWidth, TileLength), beyond the {} megapixels that a tile may have
  Verzeichnis {} nennt Kacheln von {} (TileWidth, TileLength), über den {} Megapixeln, die eine Kachel haben darf
directory {} states tiles of {} with {} samples of {} bits (SamplesPerPixel, BitsPerSample): more than the {} MiB that a tile may take
  Verzeichnis {} nennt Kacheln von {} mit {} Werten zu {} Bit (SamplesPerPixel, BitsPerSample): mehr als die {} MiB, die eine Kachel haben darf
directory {} holds no data for {} of its {} tiles (TileOffsets, TileByteCounts)
  Verzeichnis {} hat keine Daten für {} seiner {} Kacheln (TileOffsets, TileByteCounts)
it is a tiled TIFF of {} directories, more than the {} that a slide may have
  es ist ein gekacheltes TIFF mit {} Verzeichnissen, mehr als die {}, die ein Schnitt haben darf
its directories list more tiles together than the file has bytes (TileByteCounts)
  die Verzeichnisse nennen zusammen mehr Kacheln, als die Datei Bytes hat (TileByteCounts)
directory {} claims {} in {} tiles, and states {} bytes for all of them together (TileByteCounts)
  Verzeichnis {} gibt {} in {} Kacheln an und nennt für alle zusammen {} Byte (TileByteCounts)
it claims {} and holds no data for any of its tiles (TileByteCounts)
  es gibt {} an und hat für keine seiner Kacheln Daten (TileByteCounts)
tile {} of directory {} states {} bytes (TileByteCounts)
  Kachel {} von Verzeichnis {} nennt {} Byte (TileByteCounts)
of {} × {} px
  von {} × {} px
with samples of {} bits (sample format {})
  mit Werten von {} Bit (Format {})
    different numbers of = verschieden vielen
with {} samples a pixel (planar configuration {})
  mit {} Werten pro Pixel (planare Anordnung {})
with {} samples a pixel
  mit {} Werten pro Pixel
without tiles or strips
  ohne Kacheln oder Streifen
whose tiles have more px than a tile may have
  dessen Kacheln mehr px haben, als eine Kachel darf
whose tiles or strips are larger than {} MiB
  dessen Kacheln oder Streifen größer als {} MiB sind
whose strips have more px than a tile may have
  dessen Streifen mehr px haben, als eine Kachel darf
it is a picture {p}
  es ist ein Bild {}
it is no JPEG
  es ist kein JPEG
{} is a damaged TIFF: {p}
  {} ist ein beschädigtes TIFF: {}
{} is a TIFF without a picture
  {} ist ein TIFF ohne Bild
{} is a TIFF {p}
  {} ist ein TIFF {}
{} is damaged at px {}, {}: {p}
  {} ist bei px {}, {} beschädigt: {}
without a level
  ohne Auflösungsstufe
without a level in focus
  ohne scharfe Auflösungsstufe
with more than {} levels
  mit mehr als {} Stufen
with more than {} images
  mit mehr als {} Bildern
with more than {} areas
  mit mehr als {} Bereichen
with two collections
  mit zwei Sammlungen
with two views of one image
  mit zwei Ansichten eines Bilds
whose description names directory {} of {}
  dessen Beschreibung Verzeichnis {} von {} nennt
whose description (XML) {p}
  dessen Beschreibung (XML) {}
whose description has {} pictures of the slide
  dessen Beschreibung {} Bilder des Schnitts hat
whose pixel spacing is "{}"
  dessen Pixelabstand „{}“ ist
whose {} is "{}"
  dessen {} „{}“ ist
with {} tiled levels, and a pixel spacing for {}
  mit {} gekachelten Stufen und einem Pixelabstand für {}
with a level that is not said to be a smaller one
  mit einer Stufe, die nicht als kleinere gilt
whose levels do not become smaller
  dessen Stufen nicht kleiner werden
whose levels have a pixel spacing that no scanner's have
  dessen Stufen einen Pixelabstand haben wie bei keinem Scanner
whose canvas has no size
  dessen Bildfläche keine Größe hat
whose canvas is larger than any glass
  dessen Bildfläche größer ist als jedes Glas
with an image that lies nowhere
  mit einem Bild ohne Ort
with an image without levels
  mit einem Bild ohne Stufen
with a level without a size
  mit einer Stufe ohne Größe
with a level without {}
  mit einer Stufe ohne {}
with a level at {} of {}
  mit einer Stufe bei {} von {}
without a picture in bright field
  ohne Bild im Hellfeld
whose regions were scanned with different objectives or levels
  dessen Regionen mit verschiedenen Objektiven oder Stufen gescannt wurden
whose regions have px of different sizes
  dessen Regionen verschieden große px haben
whose tiles have gaps between them (OverlapsXY)
  mit Lücken zwischen den Kacheln (OverlapsXY)
that joins tile {}
  der Kachel {} verbindet
that joins tiles to the direction "{}"
  der Kacheln in der Richtung „{}“ verbindet
that joins tiles which are no neighbours ({})
  der Kacheln verbindet, die keine Nachbarn sind ({})
with an area of {} × {} tiles
  mit einem Bereich von {} × {} Kacheln
whose fields are not as large as its tiles
  dessen Felder nicht so groß sind wie seine Kacheln
whose areas are described in {}
  dessen Bereiche in {} beschrieben sind
that has {} areas, and places for {}
  der {} Bereiche hat und Orte für {}
whose areas do not begin with whole tiles
  dessen Bereiche nicht mit ganzen Kacheln beginnen
without an area that was scanned
  ohne gescannten Bereich
whose levels are not in order
  dessen Stufen nicht geordnet sind
whose areas lie farther apart than on any glass
  dessen Bereiche weiter auseinander liegen als auf jedem Glas
without its scanner's description (iScan)
  ohne die Beschreibung des Scanners (iScan)
whose levels are not alike
  dessen Stufen sich nicht gleichen
whose levels are not all tiled
  dessen Stufen nicht alle gekachelt sind
that does not say how its tiles are joined
  der nicht sagt, wie seine Kacheln verbunden sind
of a scanner, with other samples than red, green and blue of 8 bits
  eines Scanners, mit anderen Werten als Rot, Grün und Blau mit 8 Bit
whose tiles cannot be divided as it states
  dessen Kacheln sich nicht wie angegeben teilen lassen
whose tiles lie over one another as no scanner's do
  dessen Kacheln übereinander liegen wie bei keinem Scanner
that states other tiles than it has
  der andere Kacheln nennt, als er hat
with {} pictures on its canvas
  mit {} Bildern auf der Bildfläche
whose levels are not in JPEG (compression {}, {} samples of {} bits)
  dessen Stufen nicht in JPEG sind (Kompression {}, {} Werte zu {} Bit)
whose levels are not each one JPEG inside the file
  dessen Stufen nicht je ein JPEG in der Datei sind
with a level whose JPEG has no header
  mit einer Stufe, deren JPEG keinen Kopf hat
with a level whose JPEG has {} components
  mit einer Stufe, deren JPEG {} Komponenten hat
with a level whose JPEG has {} components in several scans
  mit einer Stufe, deren JPEG {} Komponenten in mehreren Scans hat
with a level of {} × {} px without restart markers
  mit einer Stufe von {} × {} px ohne Restart-Marker
with a level whose restart markers do not divide its rows
  mit einer Stufe, deren Restart-Marker ihre Zeilen nicht teilen
for which libjpeg-turbo is needed ({})
  wofür libjpeg-turbo nötig ist ({})
has more than {} MiB before its pixels
  hat mehr als {} MiB vor den Pixeln
ends in the middle of an element
  endet mitten in einem Element
has something other than items in a sequence
  hat in einer Sequenz anderes als Items
has an item that is longer than what holds it
  hat ein Item, das länger ist als seine Umgebung
has an element that is longer than what holds it
  hat ein Element, das länger ist als seine Umgebung
has fragments that are longer than what holds them
  hat Fragmente, die länger sind als ihre Umgebung
nests sequences more than {} deep
  schachtelt Sequenzen tiefer als {}
its first group is damaged
  die erste Gruppe ist beschädigt
its data set is {}, which is not read
  der Datensatz ist {}, das wird nicht gelesen
    deflated = komprimiert (deflated)
    in big-endian order = in Big-Endian-Ordnung
its data set {p}
  der Datensatz {}
its pixels do not begin with a table of offsets
  die Pixel beginnen nicht mit einer Tabelle der Offsets
its table has {} offsets for {} frames
  die Tabelle hat {} Offsets für {} Frames
its table of offsets could not be read
  die Tabelle der Offsets war nicht lesbar
it has more pieces of frames than frames, and no table that says which belong together
  es hat mehr Stücke von Frames als Frames und keine Tabelle, die sie zuordnet
no frame begins at byte {}, where the file says one does
  bei Byte {} beginnt kein Frame, obwohl die Datei es sagt
its frame has more than {} MiB
  der Frame hat mehr als {} MiB
slide without pixels
  Schnitt ohne Pixel
slide of {}
  Schnitt von {}
slide {P}
  Schnitt {}
it states places for {} of its {} frames
  es nennt Orte für {} seiner {} Frames
it has {} frames for a grid of {}, and states no place of any
  es hat {} Frames für ein Raster von {} und nennt für keinen einen Ort
it has more frames than its grid and optical paths have places
  es hat mehr Frames, als Raster und optische Wege Plätze haben
its frame {} lies at ({}, {}), which is no place of its grid
  Frame {} liegt bei ({}, {}), das ist kein Platz seines Rasters
its frames are stored otherwise than those of {}
  die Frames sind anders gespeichert als die von {}
it has no frames
  es hat keine Frames
its runs of bytes are not as many as its samples need
  die Byte-Folgen sind nicht so viele, wie die Werte brauchen
its runs of bytes lie outside of it
  die Byte-Folgen liegen außerhalb
with frames of {} × {} px
  mit Frames von {} × {} px
with samples of {} bits in {}, up to bit {}
  mit Werten von {} Bit in {}, bis Bit {}
with colours as {}
  mit Farben als {}
in {} without JPEG
  in {} ohne JPEG
in {}, for which there is no decoder
  in {}, wofür es keinen Decoder gibt
the "{}" image states {} samples of {} bits
  das Bild „{}“ nennt {} Werte zu {} Bit
directory {} claims {} in {} × {} tiles, and the file lists {} (TileOffsets, TileByteCounts)
  Verzeichnis {} gibt {} in {} × {} Kacheln an, und die Datei nennt {} (TileOffsets, TileByteCounts)
{} beside it claims {} × {} px in columns of {}
  {} daneben gibt {} × {} px in Spalten von {} an
it claims {} × {} px in {} components
  es gibt {} × {} px in {} Komponenten an
transfer syntax {}
  Transfersyntax {}
`
