// The messages of native/slide in German: what a slide's file is refused for, and what is said of one that is opened. app/german/phrases.ts says what stands in braces.

export const slides = `
{} is damaged: {p}. Copy the file again from where it came, or export it anew.
  {} ist beschädigt: {}. Kopieren Sie die Datei noch einmal von der Quelle, oder exportieren Sie sie neu.
{} is {P}. Convert it to a tiled pyramid TIFF (for example: vips tiffsave IN OUT.tif --tile --pyramid --compression jpeg).
  {} ist {}. Wandeln Sie es in ein gekacheltes Pyramiden-TIFF um (zum Beispiel: vips tiffsave IN OUT.tif --tile --pyramid --compression jpeg).
a big-endian TIFF, which {} does not read
  ein Big-Endian-TIFF, das {} nicht liest
a TIFF without tiles (in strips), which {} does not read
  ein TIFF ohne Kacheln (in Streifen), das {} nicht liest
a TIFF of a kind that {} does not know ({})
  ein TIFF einer Art, die {} nicht kennt ({})
a TIFF of tiles in CMYK with transparency, which {} shows without it
  ein gekacheltes TIFF in CMYK mit Transparenz, das {} ohne sie zeigt
{} is a PNG image, not a slide. It can be opened as a plain image.
  {} ist ein PNG-Bild, kein Schnitt. Es lässt sich als einfaches Bild öffnen.
{} is a JPEG image, not a slide. It can be opened as a plain image.
  {} ist ein JPEG-Bild, kein Schnitt. Es lässt sich als einfaches Bild öffnen.
{} is not in a format that {} knows. Check that it is a slide; a wrong extension does not matter, the content does.
  {} hat kein Format, das {} kennt. Prüfen Sie, ob es ein Schnitt ist; eine falsche Endung stört nicht, der Inhalt zählt.
{} does not exist. Check the path, and that its drive is connected.
  {} gibt es nicht. Prüfen Sie den Pfad und ob das Laufwerk verbunden ist.
{} does not exist. Its name, or a folder's, holds bytes that are not UTF-8, shown as �: rename it in UTF-8.
  {} gibt es nicht. Der Name oder der eines Ordners enthält Bytes, die kein UTF-8 sind, gezeigt als �: Benennen Sie ihn in UTF-8 um.
{} is not read by {}, as {} has a line that it does not take: "{}". The slide need not be damaged: correct that line in a copy of it (a line is KEY=VALUE, in UTF-8).
  {} wird von {} nicht gelesen, da {} eine Zeile hat, die es nicht nimmt: „{}“. Der Schnitt muss nicht beschädigt sein: Berichtigen Sie die Zeile in einer Kopie (eine Zeile ist KEY=VALUE, in UTF-8).
{} could not be looked at: {}.
  {} ließ sich nicht ansehen: {}.
{} is a folder. Choose the slide file inside or beside it (for MIRAX the .mrxs file, for DICOM any file of the slide, for OME-Zarr the folder that holds .zattrs or zarr.json).
  {} ist ein Ordner. Wählen Sie die Datei des Schnitts darin oder daneben (bei MIRAX die .mrxs-Datei, bei DICOM eine Datei des Schnitts, bei OME-Zarr den Ordner mit .zattrs oder zarr.json).
{} is not a regular file.
  {} ist keine gewöhnliche Datei.
{} is no regular file.
  {} ist keine gewöhnliche Datei.
{} may not be read by this user. Change its permissions, or copy it.
  {} darf mit diesem Konto nicht gelesen werden. Ändern Sie die Rechte, oder kopieren Sie es.
{} is a MIRAX slide without its folder: {} is missing. Copy the file together with the folder of the same name.
  {} ist ein MIRAX-Schnitt ohne seinen Ordner: {} fehlt. Kopieren Sie die Datei zusammen mit dem Ordner gleichen Namens.
{} says "{}"
  {} sagt „{}“
it is empty (0 bytes)
  sie ist leer (0 Byte)
{} has no associated image "{}": images of this kind carry none
  {} hat kein Begleitbild „{}“: Bilder dieser Art haben keine
{} has no associated image "{}".
  {} hat kein Begleitbild „{}“.
{} has no associated image "{}"; it has {}
  {} hat kein Begleitbild „{}“; es hat {}
{} has no associated image "{}" at half its size
  {} hat kein Begleitbild „{}“ in halber Größe
{}: the "{}" image cannot be read: {p}
  {}: Das Bild „{}“ ist nicht lesbar: {}
{}: the "{}" image could not be read ({}); the slide itself can
  {}: Das Bild „{}“ war nicht lesbar ({}); der Schnitt selbst ist es
{}: the "{}" image claims {} × {} px, which is no sane size
  {}: Das Bild „{}“ gibt {} × {} px an, das ist keine vernünftige Größe
it claims {} × {} px, which is no sane size
  es gibt {} × {} px an, das ist keine vernünftige Größe
{} has no channel "{}". It has {}: choose one of them, by its name or its number (1 to {}).
  {} hat keinen Kanal „{}“. Es gibt {}: Wählen Sie einen davon, mit Name oder Nummer (1 bis {}).
{} and {n} more
  {} und {} weitere
The file holds {} channels: {}. Red, green and blue are analysed; objects are measured in all of them.
  Die Datei enthält {} Kanäle: {}. Rot, Grün und Blau werden analysiert; Objekte werden in allen gemessen.
The file holds {} channels: {}. "{}" is analysed; objects are measured in all of them.
  Die Datei enthält {} Kanäle: {}. „{}“ wird analysiert; Objekte werden in allen gemessen.
The image has {} samples: {} to {}, without outliers beyond, were taken as 0 to 255{p}
  Das Bild hat {}-Werte: {} bis {}, ohne Ausreißer darüber hinaus, gelten als 0 bis 255{}
The image has {} samples: {} to {}, all that it holds, were taken as 0 to 255{p}
  Das Bild hat {}-Werte: {} bis {}, alles, was es enthält, gelten als 0 bis 255{}
The image has {} samples: {} to {}, what a part of it holds, were taken as 0 to 255{p}
  Das Bild hat {}-Werte: {} bis {}, was ein Teil davon enthält, gelten als 0 bis 255{}
, by Fluorescence nuclei as 0 to 65535.
  , mit Fluoreszenzkerne als 0 bis 65535.
Parts that could not be read while the file was opened ({p}) are not in the range of its samples, {} to {}, that is taken as 0 to 255: all its pixels may be darker or brighter than the intact file's.
  Teile, die beim Öffnen nicht lesbar waren ({}), fehlen im Wertebereich {} bis {}, der als 0 bis 255 gilt: Alle Pixel können dunkler oder heller sein als in der heilen Datei.
Level {} ({} × {} px) shows another picture than the finer levels and is not used; they stand in for it.
  Stufe {} ({} × {} px) zeigt ein anderes Bild als die feineren und wird nicht benutzt; diese ersetzen sie.
Level {} claims {} × {} px, another shape than the slide's {}, and is not used; other levels stand in for it.
  Stufe {} gibt {} × {} px an, eine andere Form als die des Schnitts, {}, und wird nicht benutzt; andere Stufen ersetzen sie.
Level {} claims {} and is not used; other levels stand in for it.
  Stufe {} gibt {} an und wird nicht benutzt; andere Stufen ersetzen sie.
{} claims {}, more than any scanner gives: it is damaged. Export the slide anew.
  {} gibt {} an, mehr als jeder Scanner: Die Datei ist beschädigt. Exportieren Sie den Schnitt neu.
{} has no levels: it is damaged. Export the slide anew.
  {} hat keine Auflösungsstufen: Die Datei ist beschädigt. Exportieren Sie den Schnitt neu.
{} could not be read in full while it was opened: its drive answered once and not the other time. Look after the drive, and open the slide again.
  {} war beim Öffnen nicht ganz lesbar: Das Laufwerk antwortete einmal und einmal nicht. Sehen Sie nach dem Laufwerk, und öffnen Sie den Schnitt erneut.
it starts like a {} slide but is not one
  sie beginnt wie ein {}-Schnitt, ist aber keiner
level {} has tiles of {}, beyond the {} megapixels that a tile may have
  Stufe {} hat Kacheln von {}, über den {} Megapixeln, die eine Kachel haben darf
Parts could not be read that tell whether level {} shows the same picture as the finer levels: what is read at a low magnification may be other pixels than the intact file's.
  Es waren Teile nicht lesbar, die zeigen, ob Stufe {} dasselbe Bild zeigt wie die feineren: Bei kleiner Vergrößerung können es andere Pixel sein als in der heilen Datei.
Parts could not be read that tell whether levels {} show the same picture as the finer levels: what is read at a low magnification may be other pixels than the intact file's.
  Es waren Teile nicht lesbar, die zeigen, ob die Stufen {} dasselbe Bild zeigen wie die feineren: Bei kleiner Vergrößerung können es andere Pixel sein als in der heilen Datei.
The file does not say how large a pixel is: lengths and areas are in pixels until you state the size.
  Die Datei sagt nicht, wie groß ein Pixel ist: Längen und Flächen sind in Pixeln, bis Sie die Größe angeben.
The file states "{}" µm per pixel, which no microscope gives; it is ignored.
  Die Datei nennt „{}“ µm pro Pixel, das hat kein Mikroskop; es wird übergangen.
Pixels are not square ({} × {} µm): check the calibration before you trust lengths.
  Die Pixel sind nicht quadratisch ({} × {} µm): Prüfen Sie die Kalibrierung, bevor Sie Längen trauen.
The file states bounds that lie outside the slide; they are ignored.
  Die Datei nennt einen Bereich außerhalb des Schnitts; er wird übergangen.
The file asks to be turned or mirrored (Orientation {}): it is shown as it is stored.
  Die Datei verlangt, gedreht oder gespiegelt zu werden (Orientation {}): Sie wird gezeigt, wie sie gespeichert ist.
The file holds other focal planes ({} images): the plane in the middle is shown.
  Die Datei enthält andere Fokusebenen ({} Bilder): Die mittlere wird gezeigt.
The file holds {} focal planes or times: the first is shown.
  Die Datei enthält {} Fokusebenen oder Zeiten: Die erste wird gezeigt.
ImageJ states {} images, and the file's directories hold {}: the others are not read.
  ImageJ nennt {} Bilder, und die Verzeichnisse der Datei enthalten {}: Die anderen werden nicht gelesen.
Smaller levels of the file are not used: {p}.
  Kleinere Stufen der Datei werden nicht benutzt: {}.
Tiles lie {} × {} px apart: each is shown at the nearest whole px.
  Kacheln liegen {} × {} px auseinander: Jede wird am nächsten ganzen px gezeigt.
{} pictures of the slide are not in bright field, and are not shown.
  {} Bilder des Schnitts sind nicht im Hellfeld und werden nicht gezeigt.
{} of the {} channels in the OME description lie in other files, and are not read.
  {} der {} Kanäle in der OME-Beschreibung liegen in anderen Dateien und werden nicht gelesen.
{} of the {} channels in the OME description are not in the file, and are not read.
  {} der {} Kanäle in der OME-Beschreibung sind nicht in der Datei und werden nicht gelesen.
The OME description does not agree with the file's directories, which are used as they are.
  Die OME-Beschreibung passt nicht zu den Verzeichnissen der Datei; diese gelten, wie sie sind.
The OME description states a pixel size of "{}", which no microscope gives; it is ignored.
  Die OME-Beschreibung nennt eine Pixelgröße von „{}“, das hat kein Mikroskop; sie wird übergangen.
The OME description {p}; its pixel sizes are not used.
  Die OME-Beschreibung {}; ihre Pixelgrößen gelten nicht.
The OME description states two pixel sizes for images of {} × {} px; neither is used.
  Die OME-Beschreibung nennt zwei Pixelgrößen für Bilder von {} × {} px; keine gilt.
The OME description holds no image of {} × {} px; its pixel sizes are not used.
  Die OME-Beschreibung hat kein Bild von {} × {} px; ihre Pixelgrößen gelten nicht.
The TIFF states a resolution of {} px per {}, which is that of a print, not of a microscope; it is ignored.
  Das TIFF nennt eine Auflösung von {} px pro {}, die eines Drucks, nicht eines Mikroskops; sie wird übergangen.
    inch = Zoll
    centimeter = Zentimeter
The TIFF states a resolution of {} px per {}, which no microscope gives; it is ignored.
  Das TIFF nennt eine Auflösung von {} px pro {}, das hat kein Mikroskop; sie wird übergangen.
    inch = Zoll
    centimeter = Zentimeter
The slide has several focal planes. The middle one is shown and analysed.
  Der Schnitt hat mehrere Fokusebenen. Die mittlere wird gezeigt und analysiert.
The slide has {} optical paths in colour: the first is shown and analysed, the others are not read.
  Der Schnitt hat {} optische Wege in Farbe: Der erste wird gezeigt und analysiert, die anderen werden nicht gelesen.
The level of {} × {} px is not used: {p}.
  Die Stufe von {} × {} px wird nicht benutzt: {}.
The level "{}" is not used: {p}.
  Die Stufe „{}“ wird nicht benutzt: {}.
it has another shape than the slide
  sie hat eine andere Form als der Schnitt
it has other channels than the slide
  sie hat andere Kanäle als der Schnitt
it is no smaller than the one before
  sie ist nicht kleiner als die davor
{} is not used: it is a DICOM {p}.
  {} wird nicht benutzt: Es ist ein DICOM-Objekt {}.
{} is not used: {p}.
  {} wird nicht benutzt: {}.
{} in the slide's folder could not be used ({p}): what it holds of the slide is missing.
  {} im Ordner des Schnitts ließ sich nicht benutzen ({}): Was es vom Schnitt enthält, fehlt.
The image has {} points in time. The first is shown and analysed.
  Das Bild hat {} Zeitpunkte. Der erste wird gezeigt und analysiert.
The image has {} focal planes. The first is shown and analysed.
  Das Bild hat {} Fokusebenen. Die erste wird gezeigt und analysiert.
The unit "{}" of the image's axes is none of length: it says nothing of a pixel's size.
  Die Einheit „{}“ der Bildachsen ist keine Länge: Sie sagt nichts über die Pixelgröße.
The image states no number of µm per pixel, which no microscope gives; it is ignored.
  Das Bild nennt keine Zahl für µm pro Pixel; das wird übergangen.
The image states {} µm per pixel, which no microscope gives; it is ignored.
  Das Bild nennt {} µm pro Pixel, das hat kein Mikroskop; es wird übergangen.
The folder states {} images: the first is shown and analysed.
  Der Ordner nennt {} Bilder: Das erste wird gezeigt und analysiert.
The folder holds several images: the one in its folder 0 is shown and analysed.
  Der Ordner enthält mehrere Bilder: Das in seinem Ordner 0 wird gezeigt und analysiert.
{} is a Zarr folder, and cannot be read: {p}. {P}
  {} ist ein Zarr-Ordner und nicht lesbar: {}. {}
Copy the whole folder again, or write it anew as OME-Zarr 0.4 or 0.5.
  Kopieren Sie den ganzen Ordner noch einmal, oder schreiben Sie ihn neu als OME-Zarr 0.4 oder 0.5.
it is one level of an image
  es ist eine Stufe eines Bilds
Choose the folder that holds it.
  Wählen Sie den Ordner darüber.
it is a plate or well with many images
  es ist eine Platte oder ein Well mit vielen Bildern
Choose the folder of one image in it, such as A/1/0.
  Wählen Sie den Ordner eines Bilds darin, etwa A/1/0.
it states no image (multiscales)
  es nennt kein Bild (multiscales)
Choose the folder of an OME-Zarr image, which may be one inside this folder.
  Wählen Sie den Ordner eines OME-Zarr-Bilds, vielleicht einen in diesem Ordner.
Write it anew in chunks of some hundred px.
  Schreiben Sie es neu, in Chunks von einigen hundert px.
{} is a DICOM file that is damaged: {p}. Copy it again from where it came, or export it anew.
  {} ist eine beschädigte DICOM-Datei: {}. Kopieren Sie sie noch einmal von der Quelle, oder exportieren Sie sie neu.
{} is a DICOM file, and not one of a whole slide (its SOP class is {}). Choose a file of a slide's series.
  {} ist eine DICOM-Datei, aber keine eines ganzen Schnitts (SOP-Klasse {}). Wählen Sie eine Datei der Serie eines Schnitts.
{} is a DICOM file of a slide's label or overview, and no file of its series beside it has the slide itself. Copy all files of the series into one folder.
  {} ist die DICOM-Datei eines Etiketts oder Übersichtsbilds, und keine Datei der Serie daneben hat den Schnitt selbst. Kopieren Sie alle Dateien der Serie in einen Ordner.
{} is a DICOM {p}. Export it anew, as JPEG, JPEG 2000 or uncompressed, or convert it to a tiled TIFF.
  {} ist ein DICOM-Objekt: {}. Exportieren Sie es neu, als JPEG, JPEG 2000 oder unkomprimiert, oder wandeln Sie es in ein gekacheltes TIFF um.
{} is a {} slide {p}, which is not read without OpenSlide. Install OpenSlide, or export the slide as a tiled TIFF.
  {} ist ein {}-Schnitt {}, der ohne OpenSlide nicht gelesen wird. Installieren Sie OpenSlide, oder exportieren Sie den Schnitt als gekacheltes TIFF.
{} is a TIFF {p}. Export it anew, as a tiled TIFF of 8, 16 or 32 bits a sample with Deflate or LZW or uncompressed.
  {} ist ein TIFF {}. Exportieren Sie es neu, als gekacheltes TIFF mit 8, 16 oder 32 Bit pro Wert, mit Deflate oder LZW oder unkomprimiert.
{} cannot be opened: {p}.
  {} lässt sich nicht öffnen: {}.
OpenSlide is switched off by MORPHOSCOPE_OPENSLIDE
  OpenSlide ist durch MORPHOSCOPE_OPENSLIDE abgeschaltet
OpenSlide could not be loaded. Tried {}. Install it (Debian and Ubuntu: libopenslide0 or libopenslide1; macOS: brew install openslide; Windows: openslide.org), or set MORPHOSCOPE_OPENSLIDE to the path of the library
  OpenSlide ließ sich nicht laden. Versucht wurde {}. Installieren Sie es (Debian und Ubuntu: libopenslide0 oder libopenslide1; macOS: brew install openslide; Windows: openslide.org), oder setzen Sie MORPHOSCOPE_OPENSLIDE auf den Pfad der Bibliothek
{} names the file "{}" ({}), {P}. A slide may only name files beside it or in folders below it: put them there, and correct the entry.
  {} nennt die Datei „{}“ ({}), {}. Ein Schnitt darf nur Dateien neben sich oder in Ordnern darunter nennen: Legen Sie sie dorthin, und berichtigen Sie den Eintrag.
whose name has a zero byte
  deren Name ein Nullbyte hat
which is an absolute path
  was ein absoluter Pfad ist
which leads out of the slide's folder
  was aus dem Ordner des Schnitts hinausführt
which cannot be followed ({})
  dem nicht zu folgen ist ({})
which is a link that leads out of the slide's folder
  was ein Link aus dem Ordner des Schnitts hinaus ist
which is no regular file
  was keine gewöhnliche Datei ist
the slide's file has changed since it was opened
  die Datei des Schnitts hat sich seit dem Öffnen geändert
the slide could not be opened again
  der Schnitt ließ sich nicht noch einmal öffnen
the slide could not be opened again: it is gone or was changed
  der Schnitt ließ sich nicht noch einmal öffnen: Er ist weg oder geändert
the slide could not be opened again: {}
  der Schnitt ließ sich nicht noch einmal öffnen: {}
the slide could not be opened again in full
  der Schnitt ließ sich nicht noch einmal ganz öffnen
the file holds no data for this tile
  die Datei hat keine Daten für diese Kachel
the file holds no data for this part
  die Datei hat keine Daten für diesen Teil
no picture of half its size
  kein Bild in halber Größe
no file of the slide that is here has this part
  keine vorhandene Datei des Schnitts hat diesen Teil
the slide's folder is gone
  der Ordner des Schnitts ist weg
the file states {} bytes for this tile and has {}
  die Datei nennt {} Byte für diese Kachel und hat {}
the file states {} bytes from byte {} on for this part, and has {}
  die Datei nennt {} Byte ab Byte {} für diesen Teil und hat {}
the file has not all bytes of this part ({} from byte {} on, of {})
  die Datei hat nicht alle Bytes dieses Teils ({} ab Byte {}, von {})
the file holds {} of its {} bytes
  die Datei enthält {} seiner {} Byte
its {} bytes from byte {} on could not be read
  seine {} Byte ab Byte {} waren nicht lesbar
its {} bytes could not be read
  seine {} Byte waren nicht lesbar
the file has no restart marker for this part
  die Datei hat keinen Restart-Marker für diesen Teil
libtiff says "{}"
  libtiff sagt „{}“
it cannot be unpacked
  es lässt sich nicht entpacken
libjpeg-turbo cannot unpack all of it
  libjpeg-turbo kann nicht alles entpacken
OpenJPEG cannot unpack it
  OpenJPEG kann es nicht entpacken
its JPEG 2000 data {P}
  seine JPEG-2000-Daten: {}
chunk {} of {}: {p}
  Chunk {} von {}: {}
reading this part takes longer than the {} s that a picture may take: zoom in, or convert the slide to a tiled pyramid
  dieser Teil braucht länger als die {} s, die ein Bild dauern darf: Vergrößern Sie, oder wandeln Sie den Schnitt in eine gekachelte Pyramide um
`
