// The engine's messages in German: slides as main/slide has them, recipes, comparisons, tables, maps. app/german/phrases.ts says what stands in braces.

export const analysis = `
it is a DICOM file, and not one of a whole slide. Open a file of a slide’s series, or export the image in it as PNG or TIFF
  Es ist eine DICOM-Datei, aber keine eines ganzen Schnitts. Öffnen Sie eine Datei der Serie eines Schnitts, oder exportieren Sie das Bild daraus als PNG oder TIFF
it is an HDF5 file (Imaris, QuPath and others use it). Export it as a tiled TIFF from the program that wrote it
  Es ist eine HDF5-Datei (Imaris, QuPath und andere nutzen sie). Exportieren Sie sie im Programm, das sie schrieb, als gekacheltes TIFF
it is a PDF document. Export the image in it as PNG or TIFF
  Es ist ein PDF-Dokument. Exportieren Sie das Bild daraus als PNG oder TIFF
it is a ZIP archive. Unpack it and open the slide inside
  Es ist ein ZIP-Archiv. Entpacken Sie es, und öffnen Sie den Schnitt darin
{} could not be read ({}). Look after its drive, and open it again.
  {} konnte nicht gelesen werden ({}). Sehen Sie nach dem Laufwerk, und öffnen Sie den Schnitt erneut.
The file holds {} images of this size (focus planes or channels): the first is shown.
  Die Datei enthält {} Bilder dieser Größe (Fokusebenen oder Kanäle): Das erste wird gezeigt.
Parts of the image may be damaged, and are black where they are: {}.
  Teile des Bilds sind vielleicht beschädigt und dort schwarz: {}.
{} looks like a {} image but could not be decoded ({}). The file may be damaged or incomplete: copy it again from its source.
  {} sieht wie ein {}-Bild aus, ließ sich aber nicht dekodieren ({}). Die Datei ist vielleicht beschädigt oder unvollständig: Kopieren Sie sie noch einmal von der Quelle.
{} has {} channels after decoding, and 4 were expected. Save it as 8-bit RGB.
  {} hat nach dem Dekodieren {} Kanäle, erwartet wurden 4. Speichern Sie es als RGB mit 8 Bit.
The image has {} samples: they were reduced to 8 bits.
  Das Bild hat {}-Werte: Sie wurden auf 8 Bit verringert.
{} is gone since the slide was opened (deleted, moved, or its disk is away).
  {} ist weg, seit der Schnitt geöffnet wurde (gelöscht, verschoben, oder das Laufwerk fehlt).
the slide is a folder, and its many files have no one checksum
  der Schnitt ist ein Ordner, und seine vielen Dateien haben keine gemeinsame Prüfsumme
the slide’s file could not be opened again ({})
  die Datei des Schnitts ließ sich nicht noch einmal öffnen ({})
the slide’s file could not be read for it ({})
  die Datei des Schnitts war dafür nicht lesbar ({})
the slide’s file has changed since it was opened
  die Datei des Schnitts hat sich geändert, seit sie geöffnet wurde
{} has changed since the slide was opened: its tiles would be a mix of two files. Open the slide again, and run again.
  {} hat sich geändert, seit der Schnitt geöffnet wurde: Die Kacheln wären aus zwei Dateien gemischt. Öffnen Sie den Schnitt erneut, und starten Sie den Lauf noch einmal.
Objects are measured in the first {} of the slide’s {} channels: the others are not in the table and files.
  Objekte werden in den ersten {} der {} Kanäle des Schnitts gemessen: Die anderen fehlen in Tabelle und Dateien.
The slide's overview could not be read within {} s.
  Das Übersichtsbild des Schnitts war nicht binnen {} s lesbar.
The slide's overview could not be read ({p}).
  Das Übersichtsbild des Schnitts war nicht lesbar ({}).
The slide {} has no tile {}, {} at level {}.
  Der Schnitt {} hat keine Kachel {}, {} auf Stufe {}.
The slide {} has no channel {}.
  Der Schnitt {} hat keinen Kanal {}.
The slide {} has no associated image of that name.
  Der Schnitt {} hat kein Begleitbild dieses Namens.
{} is one picture, and has no channels of which one could be analysed. Open it without a channel.
  {} ist ein einzelnes Bild ohne Kanäle, von denen einer analysiert werden könnte. Öffnen Sie es ohne Kanal.
{} does not lie below the folders that this program was started with (--root): it is not opened.
  {} liegt nicht unter den Ordnern, mit denen dieses Programm gestartet wurde (--root): Es wird nicht geöffnet.
The slide {} is not open. Open it again.
  Der Schnitt {} ist nicht offen. Öffnen Sie ihn erneut.
{} is no recipe: it is not JSON. Choose a recipe that was saved by Morphoscope.
  {} ist kein Rezept: Es ist kein JSON. Wählen Sie ein von Morphoscope gespeichertes Rezept.
{} is no recipe: expected "morphoscope-recipe" for format but received {p}. Choose a recipe that was saved by Morphoscope.
  {} ist kein Rezept: Für format wird "morphoscope-recipe" erwartet, angegeben ist {}. Wählen Sie ein von Morphoscope gespeichertes Rezept.
{} has recipe version {}, and this program reads version 1. Open it with a newer Morphoscope.
  {} hat die Rezeptversion {}, und dieses Programm liest Version 1. Öffnen Sie es mit einem neueren Morphoscope.
{} is damaged: {p}
  {} ist beschädigt: {}
{} is {P}, not a file. Choose a recipe that was saved by Morphoscope.
  {} ist {}, keine Datei. Wählen Sie ein von Morphoscope gespeichertes Rezept.
{} has {} bytes, and a recipe has at most {}. Choose a recipe that was saved by Morphoscope.
  {} hat {} Byte, ein Rezept hat höchstens {}. Wählen Sie ein von Morphoscope gespeichertes Rezept.
The recipe {} could not be read ({}). Check the path.
  Das Rezept {} konnte nicht gelesen werden ({}). Prüfen Sie den Pfad.
The recipe was not saved over {}: {P}. Choose another name.
  Das Rezept wurde nicht über {} gespeichert: {}. Wählen Sie einen anderen Namen.
it is a link
  es ist ein Link
it is no regular file
  es ist keine gewöhnliche Datei
it is no recipe
  es ist kein Rezept
expected an absolute path that ends in .json, of a file that is not hidden, for the recipe but received {}
  Für das Rezept wird ein vollständiger Pfad erwartet, der auf .json endet, einer nicht versteckten Datei; angegeben ist {}
The recipe could not be written to {} ({}). Choose another folder.
  Das Rezept konnte nicht nach {} geschrieben werden ({}). Wählen Sie einen anderen Ordner.
The slide's pixels are not square ({} by {} µm). Objects are measured by axis. The recipe's radii, distances and shape limits count pixels: 10 µm reach {} across and {} down.
  Die Pixel des Schnitts sind nicht quadratisch ({} mal {} µm). Objekte werden je Achse gemessen. Radien, Abstände und Formgrenzen des Rezepts zählen Pixel: 10 µm reichen {} quer und {} hoch.
The slide does not state its pixel size: lengths in µm are read at {} µm/px, from {P}, and results are in pixels. Give the pixel size to calibrate.
  Der Schnitt nennt seine Pixelgröße nicht: Längen in µm gelten mit {} µm/px, nach {}, und Ergebnisse sind in Pixeln. Geben Sie die Pixelgröße an, um zu kalibrieren.
its objective of {}x
  seinem {}x-Objektiv
the usual 40x scan
  dem üblichen 40x-Scan
at least {} µm (a sixteenth of the slide's own pixel)
  mindestens {} µm (ein Sechzehntel des Pixels des Schnitts)
The recipe works at {} µm/px and the slide has {} µm/px: its pixels are enlarged, which adds no detail.
  Das Rezept arbeitet mit {} µm/px, und der Schnitt hat {} µm/px: Seine Pixel werden vergrößert, das bringt keine Details.
The bundled recipes are not at {} ({}). Install the program again.
  Die mitgelieferten Rezepte sind nicht in {} ({}). Installieren Sie das Programm neu.
The bundled recipe {} is no JSON ({}). Install the program again.
  Das mitgelieferte Rezept {} ist kein JSON ({}). Installieren Sie das Programm neu.
The bundled recipe {} is damaged: {p}
  Das mitgelieferte Rezept {} ist beschädigt: {}
The bundled recipe {} is damaged: {} changes {}, which is no layer of it.
  Das mitgelieferte Rezept {} ist beschädigt: {} ändert {}, was keine seiner Ebenen ist.
The bundled recipe {} is damaged: its classes depend on {}, which is no number of it.
  Das mitgelieferte Rezept {} ist beschädigt: Seine Klassen hängen von {} ab, was keine seiner Zahlen ist.
expected cut-offs that rise for 1+, 2+ and 3+ but received {} OD: set {} above {}
  Die Grenzwerte für 1+, 2+ und 3+ müssen steigen, angegeben sind {} OD: Stellen Sie {} über {}
a stage of the recipe {} ({})
  ein Schritt des Rezepts {} ({})
a parameter of the recipe {} ({})
  ein Parameter des Rezepts {} ({})
There is a version “{}” already. Replace it, or choose another name.
  Eine Version „{}“ gibt es schon. Ersetzen Sie sie, oder wählen Sie einen anderen Namen.
There are {} versions already: delete one that is not needed.
  Es gibt schon {} Versionen: Löschen Sie eine, die nicht gebraucht wird.
There is no version “{}” any more.
  Die Version „{}“ gibt es nicht mehr.
A comparison has no tile {}, {} at level {}.
  Ein Vergleich hat keine Kachel {}, {} auf Stufe {}.
The two runs looked at different parts of the slide.
  Die beiden Läufe betrachteten verschiedene Teile des Schnitts.
This comparison is not there any more. Compare the runs again.
  Diesen Vergleich gibt es nicht mehr. Vergleichen Sie die Läufe erneut.
A run is the same as itself: choose two.
  Ein Lauf ist sich selbst gleich: Wählen Sie zwei.
Only runs that are done can be compared, and {} is not.
  Nur fertige Läufe lassen sich vergleichen, und {} ist es nicht.
The two runs are of different slides.
  Die beiden Läufe gehören zu verschiedenen Schnitten.
The two runs looked at the slide at different resolutions, so their objects share no pixels.
  Die beiden Läufe betrachteten den Schnitt in verschiedenen Auflösungen; ihre Objekte haben keine gemeinsamen Pixel.
The two runs are of different recipes.
  Die beiden Läufe sind von verschiedenen Rezepten.
Only objects in the part that both runs looked at are compared.
  Verglichen werden nur Objekte in dem Teil, den beide Läufe betrachtet haben.
µm per px, which the slide does not say
  µm pro px, was der Schnitt nicht nennt
The slide has no small picture of itself, and reading all of it would take too long.
  Der Schnitt hat kein kleines Bild von sich, und ihn ganz zu lesen dauerte zu lange.
No array of cores was found on this slide. Say what diameter its cores have, and try again.
  Auf diesem Schnitt wurde kein Raster von Stanzen gefunden. Geben Sie den Durchmesser der Stanzen an, und versuchen Sie es erneut.
No array of cores of {} µm was found on this slide. Try another diameter.
  Auf diesem Schnitt wurde kein Raster von Stanzen mit {} µm gefunden. Versuchen Sie einen anderen Durchmesser.
The regions of the class {} could not be put together: their lines cross too often. Draw them simpler, or measure without distances to borders.
  Die Regionen der Klasse {} ließen sich nicht vereinen: Ihre Linien kreuzen sich zu oft. Zeichnen Sie sie einfacher, oder messen Sie ohne Abstände zu Rändern.
The objects could not be measured.
  Die Objekte konnten nicht gemessen werden.
There is not enough memory to measure where the objects lie.
  Der Arbeitsspeicher reicht nicht, um die Lage der Objekte zu messen.
The thread that measures has ended.
  Der Thread, der misst, ist zu Ende.
The run {} is still going on: wait for its end.
  Der Lauf {} ist noch im Gang: Warten Sie sein Ende ab.
This map is kept no more: ask for it again.
  Diese Karte ist nicht mehr vorhanden: Fordern Sie sie erneut an.
The objects of this run are neither positive nor negative: it has no share of them.
  Die Objekte dieses Laufs sind weder positiv noch negativ: Es gibt keinen Anteil.
a run with classes
  ein Lauf mit Klassen
There is no place of at least {} that is large enough: {} are smaller, and the highest value is {}.
  Keine Stelle mit mindestens {} ist groß genug: {} sind kleiner, und der höchste Wert ist {}.
There are {} places of at least {}; {} can be made at once. Choose a higher limit, or a larger area.
  Es gibt {} Stellen mit mindestens {}; {} lassen sich auf einmal anlegen. Wählen Sie einen höheren Grenzwert oder eine größere Fläche.
An outline has more points than a region can have: choose a larger radius.
  Ein Umriss hat mehr Punkte, als eine Region haben kann: Wählen Sie einen größeren Radius.
Filter, character {}: {P}
  Filter, Zeichen {}: {}
{} has no meaning here.
  {} hat hier keine Bedeutung.
expected "and", "or" or the end but received {}.
  Erwartet wird „and“, „or“ oder das Ende, nicht {}.
brackets lie too deep.
  Klammern liegen zu tief.
expected a column, as in "area > 40".
  Erwartet wird eine Spalte, wie in „area > 40“.
expected a column, as in "area > 40" but received {}.
  Erwartet wird eine Spalte, wie in „area > 40“, nicht {}.
there is no column {}. There are: {}.
  Eine Spalte {} gibt es nicht. Es gibt: {}.
expected <, <=, >, >=, = or != after {}.
  Nach {} wird <, <=, >, >=, = oder != erwartet.
expected a number.
  Erwartet wird eine Zahl.
{} is too large.
  {} ist zu groß.
classes are compared by = or !=.
  Klassen werden mit = oder != verglichen.
expected a class: {}.
  Erwartet wird eine Klasse: {}.
expected a class: {} but received {}.
  Erwartet wird eine Klasse: {}, nicht {}.
there is no class {}. There are: {}.
  Eine Klasse {} gibt es nicht. Es gibt: {}.
The objects table is there when the run has ended.
  Die Objekttabelle gibt es, wenn der Lauf zu Ende ist.
a column
  eine Spalte
a measurement of the objects themselves
  ein Messwert der Objekte selbst
This view of the objects table is not kept any more.
  Diese Ansicht der Objekttabelle ist nicht mehr vorhanden.
The run has {} {}, and none is number {}.
  Der Lauf hat {} {}, keines hat die Nummer {}.
    object = Objekt
    objects = Objekte
Objects have tiles up to level {}; beyond, ask for their density.
  Objekte haben Kacheln bis Stufe {}; darüber gibt es ihre Dichte.
The recipe {} has no layer of that name: it has {}.
  Das Rezept {} hat keine Ebene dieses Namens: Es hat {}.
The layer {} has nothing at this place and zoom. Zoom in.
  Die Ebene {} hat an dieser Stelle und Vergrößerung nichts. Vergrößern Sie.
The run {} has no tile {}, {} at level {}.
  Der Lauf {} hat keine Kachel {}, {} auf Stufe {}.
The tissue of the run {} is not known yet.
  Das Gewebe des Laufs {} ist noch nicht bekannt.
Runs leave no journals here.
  Läufe hinterlassen hier keine Journale.
{} was not cancelled: only a cancelled run can be gone on with.
  {} wurde nicht abgebrochen: Nur ein abgebrochener Lauf lässt sich fortsetzen.
The objects of {} are not in the project any more.
  Die Objekte von {} sind nicht mehr im Projekt.
{} has left no journal: start it again.
  {} hat kein Journal hinterlassen: Starten Sie neu.
A region is no longer on the slide.
  Eine Region ist nicht mehr auf dem Schnitt.
The run {} is of another slide.
  Der Lauf {} gehört zu einem anderen Schnitt.
The run {} is still going on. Wait for its end or cancel it.
  Der Lauf {} ist noch im Gang. Warten Sie sein Ende ab, oder brechen Sie ihn ab.
expected ")".
  Erwartet wird „)“.
expected ")" but received {}.
  Erwartet wird „)“, nicht {}.
`
