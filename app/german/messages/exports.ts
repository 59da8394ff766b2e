// The engine's messages in German: exports. app/german/phrases.ts says what stands in braces.

export const exports = `
report.pdf is printed by the desktop app, and this program cannot print. Export report.html, open it in a browser and print it there.
  report.pdf druckt die Desktop-App, und dieses Programm kann nicht drucken. Exportieren Sie report.html, öffnen Sie es in einem Browser, und drucken Sie es dort.
{} in the folder is of an earlier export.
  {} im Ordner stammt von einem früheren Export.
{} in the folder are of an earlier export.
  {} im Ordner stammen von einem früheren Export.
The files carry no checksum of the slide: {P}.
  Die Dateien tragen keine Prüfsumme des Schnitts: {}.
overlay.png is left out: the slide’s file {} since it was opened.
  overlay.png entfällt: Die Datei des Schnitts {} seit dem Öffnen.
    is gone = ist weg
    has changed = ist geändert
Nothing could be written: {p}
  Nichts konnte geschrieben werden: {}
The run {} is still going on. Wait for its end or cancel it, then export.
  Der Lauf {} ist noch im Gang. Warten Sie sein Ende ab, oder brechen Sie ihn ab, und exportieren Sie dann.
The run {} is being exported already. Wait for its end or cancel it.
  Der Lauf {} wird schon exportiert. Warten Sie das Ende ab, oder brechen Sie ab.
{} lies beyond the slide, and has no picture.
  {} liegt jenseits des Schnitts und hat kein Bild.
There is no region with an area on the slide.
  Auf dem Schnitt gibt es keine Region mit Fläche.
{} regions are chosen, and {} pictures are the most at once. Choose fewer.
  {} Regionen sind gewählt, höchstens {} Bilder gehen auf einmal. Wählen Sie weniger.
The slide’s file is gone since it was opened: no picture was written.
  Die Datei des Schnitts ist seit dem Öffnen weg: Kein Bild wurde geschrieben.
The slide’s file has changed since it was opened: no picture was written.
  Die Datei des Schnitts ist seit dem Öffnen geändert: Kein Bild wurde geschrieben.
Parts of the slide could not be read, and are hatched in the pictures.
  Teile des Schnitts waren nicht lesbar und sind in den Bildern schraffiert.
The slide says neither its pixel size nor its objective: give the pixel size, or take its own px.
  Der Schnitt nennt weder Pixelgröße noch Objektiv: Geben Sie die Pixelgröße an, oder nehmen Sie seine eigenen px.
That is finer than the slide: the pictures have its own px.
  Das ist feiner als der Schnitt: Die Bilder haben seine eigenen px.
The picture of {} would have {} × {} px: expected {} Mi px at most. {P}
  Das Bild von {} hätte {} × {} px: Höchstens {} Mi px gehen. {}
Choose OME-TIFF, or larger px.
  Wählen Sie OME-TIFF oder größere px.
Choose larger px.
  Wählen Sie größere px.
{} and {} need three marks of the slide that the microscope finds again (--lmd-calibration).
  {} und {}: Es braucht drei Marken des Schnitts, die das Mikroskop wiederfindet (--lmd-calibration).
{} need three marks of the slide that the microscope finds again (--lmd-calibration).
  {}: Es braucht drei Marken des Schnitts, die das Mikroskop wiederfindet (--lmd-calibration).
expected three marks of the slide that do not lie on one line but received {}. Choose three far apart, as the corners of a triangle.
  Die drei Marken des Schnitts dürfen nicht auf einer Linie liegen, angegeben sind {}. Wählen Sie drei weit auseinander, wie die Ecken eines Dreiecks.
expected three marks of the stage that do not lie on one line but received {}. Choose three far apart, as the corners of a triangle.
  Die drei Marken des Tischs dürfen nicht auf einer Linie liegen, angegeben sind {}. Wählen Sie drei weit auseinander, wie die Ecken eines Dreiecks.
shapes.palm.txt is in µm, and the slide says no pixel size. Say where the stage has the three marks (--palm-stage), or give the pixel size (--mpp).
  shapes.palm.txt ist in µm, und der Schnitt nennt keine Pixelgröße. Geben Sie an, wo der Tisch die drei Marken hat (--palm-stage), oder die Pixelgröße (--mpp).
No object is chosen for the laser: its file has no shape.
  Für den Laser ist kein Objekt gewählt: Seine Datei hat keine Form.
The run has no cells to cut: give its recipe a cell expansion, or cut nuclei.
  Der Lauf hat keine Zellen zum Schneiden: Geben Sie dem Rezept eine Zellausdehnung, oder schneiden Sie Kerne.
{n} shape has no well: no well is given for their class.
  {} Form hat kein Well: Für die Klasse ist keines angegeben.
{n} shapes have no well: no well is given for their class.
  {} Formen haben kein Well: Für die Klasse ist keines angegeben.
{n} hole is not cut: the laser follows outer outlines.
  {} Loch wird nicht geschnitten: Der Laser folgt äußeren Umrissen.
{n} holes are not cut: the laser follows outer outlines.
  {} Löcher werden nicht geschnitten: Der Laser folgt äußeren Umrissen.
expected wells for the classes {} but received {}.
  Wells gibt es für die Klassen {}, angegeben ist {}.
expected no wells, as the run has no classes, but received {}.
  Wells sind nicht anzugeben, da der Lauf keine Klassen hat; angegeben ist {}.
{} objects are chosen, and a file for the laser holds {} at most. Choose fewer by a filter or a region.
  {} Objekte sind gewählt, eine Datei für den Laser fasst höchstens {}. Wählen Sie weniger, mit einem Filter oder einer Region.
{} shapes are chosen, as some objects are of several parts, and a file for the laser holds {} at most. Choose fewer by a filter or a region.
  {} Formen sind gewählt, da manche Objekte aus mehreren Teilen bestehen; eine Datei für den Laser fasst höchstens {}. Wählen Sie weniger, mit einem Filter oder einer Region.
expected one of the regions {} but received {}.
  Zu wählen ist eine der Regionen {}, angegeben ist {}.
expected no region, as the slide has none with an area, but received {}.
  Eine Region ist nicht anzugeben, da der Schnitt keine mit Fläche hat; angegeben ist {}.
Could not write {}: {P}
  {} ließ sich nicht schreiben: {}
Could not write {}: {}
  {} ließ sich nicht schreiben: {}
you may not write there ({}): choose another folder
  Sie dürfen dort nicht schreiben ({}): Wählen Sie einen anderen Ordner
the disk is read-only (EROFS): choose another folder
  der Datenträger ist schreibgeschützt (EROFS): Wählen Sie einen anderen Ordner
the disk is full (ENOSPC): free some space or choose another disk
  der Datenträger ist voll (ENOSPC): Schaffen Sie Platz, oder wählen Sie einen anderen Datenträger
your disk quota is used up (EDQUOT): free some space or choose another disk
  Ihr Speicherkontingent ist verbraucht (EDQUOT): Schaffen Sie Platz, oder wählen Sie einen anderen Datenträger
the file is too large for this disk, or larger than this process may write (EFBIG): choose another disk, or raise the limit (ulimit -f)
  die Datei ist zu groß für den Datenträger oder für diesen Prozess (EFBIG): Wählen Sie einen anderen Datenträger, oder erhöhen Sie die Grenze (ulimit -f)
a part of the path is a file, not a folder (ENOTDIR): choose another folder
  ein Teil des Pfads ist eine Datei, kein Ordner (ENOTDIR): Wählen Sie einen anderen Ordner
a file stands where a folder is needed (EEXIST): choose another folder
  wo ein Ordner nötig ist, steht eine Datei (EEXIST): Wählen Sie einen anderen Ordner
a folder stands where the file should go ({}): move it away or choose another folder
  wo die Datei hin soll, steht ein Ordner ({}): Schieben Sie ihn weg, oder wählen Sie einen anderen Ordner
the name is too long (ENAMETOOLONG): choose a shorter path
  der Name ist zu lang (ENAMETOOLONG): Wählen Sie einen kürzeren Pfad
another program uses it (EBUSY): close that program and try again
  ein anderes Programm benutzt es (EBUSY): Schließen Sie es, und versuchen Sie es erneut
the disk reported an error (EIO)
  der Datenträger meldet einen Fehler (EIO)
the folder is gone or cannot hold files (ENOENT): choose another folder
  der Ordner ist weg oder kann keine Dateien aufnehmen (ENOENT): Wählen Sie einen anderen Ordner
its links go round in circles (ELOOP): choose another folder
  die Links laufen im Kreis (ELOOP): Wählen Sie einen anderen Ordner
the disk does not answer (ETIMEDOUT): check that it is there, or choose another folder
  der Datenträger antwortet nicht (ETIMEDOUT): Prüfen Sie, ob er da ist, oder wählen Sie einen anderen Ordner
the disk was taken away ({}): choose another folder
  der Datenträger wurde entfernt ({}): Wählen Sie einen anderen Ordner
too many files are open (EMFILE): close some programs and try again
  zu viele Dateien sind offen (EMFILE): Schließen Sie Programme, und versuchen Sie es erneut
its disk has not answered for {} s. Check that it is there, or choose another folder.
  der Datenträger antwortet seit {} s nicht. Prüfen Sie, ob er da ist, oder wählen Sie einen anderen Ordner.
its disk still do not answer, and no more exports may wait for such disks. Check that it is there, or choose another folder.
  die Datenträger antworten noch nicht, und mehr Exporte dürfen auf solche nicht warten. Prüfen Sie, ob sie da sind, oder wählen Sie einen anderen Ordner.
another export is writing there. Wait for its end, or choose another folder. (If there is none, delete {}.)
  ein anderer Export schreibt dort. Warten Sie sein Ende ab, oder wählen Sie einen anderen Ordner. (Gibt es keinen, löschen Sie {}.)
expected a folder's whole path (like {}, or ~/results) for the export's folder but received {}
  Für den Ordner des Exports wird der ganze Pfad eines Ordners erwartet (wie {} oder ~/results), angegeben ist {}
Could not read back {} as it was written ({}). Check the disk, and that no other program uses the folder; then export again.
  {} ließ sich nicht so zurücklesen, wie es geschrieben wurde ({}). Prüfen Sie den Datenträger und dass kein anderes Programm den Ordner benutzt; exportieren Sie dann erneut.
{} was written by another program while the export went on: nothing was replaced. Export again, or into another folder.
  {} wurde während des Exports von einem anderen Programm geschrieben: Nichts wurde ersetzt. Exportieren Sie erneut oder in einen anderen Ordner.
Could not write {}: {P}. The files that were there before could not all be put back ({}): they are kept in {}, and the next export into this folder puts them back.
  {} ließ sich nicht schreiben: {}. Die früheren Dateien ließen sich nicht alle zurücklegen ({}): Sie liegen in {}, und der nächste Export in diesen Ordner legt sie zurück.
Could not write {}: {}. The files that were there before could not all be put back ({}): they are kept in {}, and the next export into this folder puts them back.
  {} ließ sich nicht schreiben: {}. Die früheren Dateien ließen sich nicht alle zurücklegen ({}): Sie liegen in {}, und der nächste Export in diesen Ordner legt sie zurück.
{}. The files that were there before could not all be put back ({}): they are kept in {}, and the next export into this folder puts them back.
  {}. Die früheren Dateien ließen sich nicht alle zurücklegen ({}): Sie liegen in {}, und der nächste Export in diesen Ordner legt sie zurück.
An export into {} was interrupted, and its files were changed since. The files that it had replaced are kept in {}.
  Ein Export nach {} wurde unterbrochen, und seine Dateien wurden seither geändert. Was er ersetzt hatte, liegt in {}.
{} looks like a part of an interrupted export, but this program did not write it: it stays as it is. Delete it if you do not need it.
  {} sieht wie ein Teil eines unterbrochenen Exports aus, ist aber nicht von diesem Programm: Es bleibt, wie es ist. Löschen Sie es, wenn Sie es nicht brauchen.
{} and {} more looks like a part of an interrupted export, but this program did not write it: it stays as it is. Delete it if you do not need it.
  {} und {} weitere sehen wie Teile eines unterbrochenen Exports aus, sind aber nicht von diesem Programm: Sie bleiben, wie sie sind. Löschen Sie sie, wenn Sie sie nicht brauchen.
{} is the slide itself, or a part of it: an export never writes over its slide. Choose another folder.
  {} ist der Schnitt selbst oder ein Teil davon: Ein Export überschreibt nie seinen Schnitt. Wählen Sie einen anderen Ordner.
{} is in {} already, and no earlier export's run.json names it as written there and unchanged. Overwrite, or choose another folder.
  {} liegt schon in {}, und kein run.json eines früheren Exports nennt es als dort geschrieben und unverändert. Überschreiben Sie, oder wählen Sie einen anderen Ordner.
{} and {} others are in {} already, and no earlier export's run.json names them as written there and unchanged. Overwrite, or choose another folder.
  {} und {} weitere liegen schon in {}, und kein run.json eines früheren Exports nennt sie als dort geschrieben und unverändert. Überschreiben Sie, oder wählen Sie einen anderen Ordner.
{} and {} are in {} already, and no earlier export's run.json names them as written there and unchanged. Overwrite, or choose another folder.
  {} und {} liegen schon in {}, und kein run.json eines früheren Exports nennt sie als dort geschrieben und unverändert. Überschreiben Sie, oder wählen Sie einen anderen Ordner.
Parts of the slide could not be read for overlay.png and are hatched there.
  Teile des Schnitts waren für overlay.png nicht lesbar und sind dort schraffiert.
report.pdf could not be printed: {p}.
  report.pdf ließ sich nicht drucken: {}.
this program cannot print
  dieses Programm kann nicht drucken
what was printed is no PDF
  das Gedruckte ist kein PDF
Parts of the slide could not be read for the report and are hatched there.
  Teile des Schnitts waren für den Bericht nicht lesbar und sind dort schraffiert.
The report has no pictures: the slide’s file {} since it was opened.
  Der Bericht hat keine Bilder: Die Datei des Schnitts {} seit dem Öffnen.
    is gone = ist weg
    has changed = ist geändert
bands.csv has no rows: the slide has no region with a class that has an area.
  bands.csv hat keine Zeilen: Der Schnitt hat keine Region mit Klasse und Fläche.
bands.csv has no rows: the slide has no region of the class {} that has an area.
  bands.csv hat keine Zeilen: Der Schnitt hat keine Region der Klasse {} mit Fläche.
There is no table by region: the slide has no region of interest with an area.
  Es gibt keine Tabelle nach Region: Der Schnitt hat keine Region mit Fläche.
A table for each region would be {} files; {} are the most. Export without them: the column "regions" says the same.
  Eine Tabelle je Region wären {} Dateien; höchstens {} gehen. Exportieren Sie ohne sie: Die Spalte "regions" sagt dasselbe.
The run has not looked at these regions, which have no table: {}.
  Diese Regionen hat der Lauf nicht betrachtet, sie haben keine Tabelle: {}.
The run may have looked at a part only of these regions: {}.
  Von diesen Regionen hat der Lauf vielleicht nur einen Teil betrachtet: {}.
There is no object: spatialdata.zarr has empty labels alone.
  Es gibt kein Objekt: spatialdata.zarr hat nur leere Labels.
`
