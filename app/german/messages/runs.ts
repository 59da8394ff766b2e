// The engine's messages in German: runs, their journals and warnings. app/german/phrases.ts says what stands in braces.

export const runs = `
{} in {p}, and the slide is open with {p} analysed. Open it with {p} (--channel, or the card of channels).
  {} in {}, und der Schnitt ist mit der Analyse von {} geöffnet. Öffnen Sie ihn mit {} (--channel oder die Karte der Kanäle).
The run was begun in {p}, and the slide is open with {p} analysed. Open it with {p} (--channel, or the card of channels).
  Der Lauf wurde in {} begonnen, und der Schnitt ist mit der Analyse von {} geöffnet. Öffnen Sie ihn mit {} (--channel oder die Karte der Kanäle).
{} was found in {p}, and the slide is open with {p} analysed. Open it with {p} (--channel, or the card of channels).
  {} wurde in {} gefunden, und der Schnitt ist mit der Analyse von {} geöffnet. Öffnen Sie ihn mit {} (--channel oder die Karte der Kanäle).
one picture
  einem Bild
channel {n}
  Kanal {}
a recipe with a stage "stains"
  ein Rezept mit dem Schritt „stains“
a recipe with classes
  ein Rezept mit Klassen
The stains cannot be told: {p}
  Die Färbungen sind nicht zu bestimmen: {}
The limit between the classes cannot be told: {p}
  Der Grenzwert zwischen den Klassen ist nicht zu bestimmen: {}
The stains cannot be told, as not all of the slide’s sample could be read. Try again once the file can be read, ask for a region that can be read, or set the values by hand.
  Die Färbungen sind nicht zu bestimmen, da nicht die ganze Stichprobe des Schnitts lesbar war. Versuchen Sie es erneut, sobald die Datei lesbar ist, wählen Sie eine lesbare Region, oder stellen Sie die Werte von Hand ein.
The stains cannot be told, as not all of the slide’s sample could be read ({p}). Try again once the file can be read, ask for a region that can be read, or set the values by hand.
  Die Färbungen sind nicht zu bestimmen, da nicht die ganze Stichprobe des Schnitts lesbar war ({}). Versuchen Sie es erneut, sobald die Datei lesbar ist, wählen Sie eine lesbare Region, oder stellen Sie die Werte von Hand ein.
The limit between the classes cannot be told, as not all of the slide’s sample could be read. Try again once the file can be read, ask for a region that can be read, or set the values by hand.
  Der Grenzwert zwischen den Klassen ist nicht zu bestimmen, da nicht die ganze Stichprobe des Schnitts lesbar war. Versuchen Sie es erneut, sobald die Datei lesbar ist, wählen Sie eine lesbare Region, oder stellen Sie die Werte von Hand ein.
The limit between the classes cannot be told, as not all of the slide’s sample could be read ({p}). Try again once the file can be read, ask for a region that can be read, or set the values by hand.
  Der Grenzwert zwischen den Klassen ist nicht zu bestimmen, da nicht die ganze Stichprobe des Schnitts lesbar war ({}). Versuchen Sie es erneut, sobald die Datei lesbar ist, wählen Sie eine lesbare Region, oder stellen Sie die Werte von Hand ein.
The region lies outside the slide. Move it onto the tissue.
  Die Region liegt außerhalb des Schnitts. Schieben Sie sie auf das Gewebe.
The region of interest lies outside the slide. Move it onto the tissue.
  Die Region liegt außerhalb des Schnitts. Schieben Sie sie auf das Gewebe.
So these values may differ from those of the intact file, and nothing of this result is certain.
  Diese Werte können also von denen der heilen Datei abweichen, und nichts an diesem Ergebnis ist sicher.
Run again once the file can be read.
  Starten Sie den Lauf erneut, sobald die Datei lesbar ist.
So nothing of this result is certain. Open the slide again once the file can be read in full, and run again.
  Nichts an diesem Ergebnis ist also sicher. Öffnen Sie den Schnitt erneut, sobald die Datei ganz lesbar ist, und starten Sie den Lauf noch einmal.
The values that adapt to the slide come from a sample with 1 part that could not be read ({p}).
  Die Werte, die sich dem Schnitt anpassen, stammen aus einer Stichprobe, von der 1 Teil nicht lesbar war ({}).
The values that adapt to the slide come from a sample with {n} parts that could not be read ({p}).
  Die Werte, die sich dem Schnitt anpassen, stammen aus einer Stichprobe, von der {} Teile nicht lesbar waren ({}).
{} of the places where the slide is sampled for the values that adapt to it could not be read, and other places were taken.
  {} der Stellen, aus denen die Stichprobe für die angepassten Werte stammt, waren nicht lesbar; andere wurden genommen.
The background reaches {} µm in this preview; a run takes the whole slide’s, which this slide’s size makes a matter of {} s.
  In dieser Vorschau reicht der Hintergrund {} µm weit; ein Lauf nimmt den des ganzen Schnitts, was bei dessen Größe {} s dauert.
The regions of this run have too many points together, or the slide too many parts that cannot be read, for its objects to be kept.
  Die Regionen dieses Laufs haben zusammen zu viele Punkte, oder der Schnitt zu viele unlesbare Teile, um die Objekte zu behalten.
The run analysed this slide at {} bits, and {} analyses it at {} bits now: it may find other objects. {P}
  Der Lauf analysierte diesen Schnitt mit {} Bit, und {} analysiert ihn jetzt mit {} Bit: Es können andere Objekte herauskommen. {}
The slide’s pixels may not be those that the run was begun with. {p} Open the slide again once the file can be read in full, and go on then.
  Die Pixel des Schnitts sind vielleicht nicht die, mit denen der Lauf begann. {} Öffnen Sie den Schnitt erneut, sobald die Datei ganz lesbar ist, und setzen Sie dann fort.
The values that adapt to the slide are not those that the run was begun with. {P}
  Die Werte, die sich dem Schnitt anpassen, sind nicht die, mit denen der Lauf begann. {}
Delete it, and start the run again.
  Löschen Sie es, und starten Sie den Lauf neu.
Start the run again.
  Starten Sie den Lauf neu.
Run it again.
  Starten Sie den Lauf neu.
This run was begun by Morphoscope {}, and this is {}, which might find other objects: go on with that version, or delete the journal and start the run again.
  Dieser Lauf wurde mit Morphoscope {} begonnen, und dies ist {}, das andere Objekte finden könnte: Setzen Sie mit jener Version fort, oder löschen Sie das Journal und starten Sie den Lauf neu.
The slide is not the one that the run was begun on: its size, its time or its bytes differ. Open that one, or start the run again on this.
  Das ist nicht der Schnitt, auf dem der Lauf begann: Größe, Zeit oder Bytes weichen ab. Öffnen Sie jenen, oder starten Sie den Lauf auf diesem neu.
The slide is not the one that the run was begun on ({}): its size, its time or its bytes differ. Open that one, or start the run again on this.
  Das ist nicht der Schnitt, auf dem der Lauf begann ({}): Größe, Zeit oder Bytes weichen ab. Öffnen Sie jenen, oder starten Sie den Lauf auf diesem neu.
The journal {} cannot be trusted: {p}. {P}
  Dem Journal {} ist nicht zu trauen: {}. {}
The run’s journal could not be written any further ({}). The run goes on: but where it dies, what it computes from here on is lost.
  Das Journal des Laufs konnte nicht weitergeschrieben werden ({}). Der Lauf geht weiter; stürzt er aber ab, ist verloren, was er ab hier berechnet.
The journal of the run became shorter while it was read.
  Das Journal des Laufs wurde kürzer, während es gelesen wurde.
The journal of this run is not there any more, or another program goes on with it.
  Das Journal dieses Laufs gibt es nicht mehr, oder ein anderes Programm setzt ihn fort.
{} is no journal that a run can go on from. Delete it, and start the run again.
  {} ist kein Journal, von dem ein Lauf weitergehen kann. Löschen Sie es, und starten Sie den Lauf neu.
The run’s journal names a tile twice, or one that is not of the run: it cannot be trusted. Delete it, and start the run again.
  Das Journal des Laufs nennt eine Kachel zweimal oder eine fremde: Ihm ist nicht zu trauen. Löschen Sie es, und starten Sie den Lauf neu.
The end of the run’s journal is missing, because the run was interrupted. That part was computed again.
  Das Ende des Journals fehlt, weil der Lauf unterbrochen wurde. Dieser Teil wurde neu berechnet.
The run was begun when not all could be read that its values stand on. Now it can, and the values differ, so that all was computed again.
  Als der Lauf begann, war nicht alles lesbar, worauf seine Werte beruhen. Jetzt ist es lesbar, und die Werte weichen ab; darum wurde alles neu berechnet.
a record of {} bytes
  ein Eintrag von {} Byte
a record holds {p}
  ein Eintrag enthält {}
a record holds an object that is not of its tile {}, {}
  ein Eintrag enthält ein Objekt, das nicht zu seiner Kachel {}, {} gehört
a record’s note cannot be read
  die Notiz eines Eintrags ist nicht lesbar
{n} tiles
  {} Kacheln
{n} columns of channels
  {} Spalten von Kanälen
the type {} of the column {}
  den Typ {} der Spalte {}
the type {} of a channel’s column
  den Typ {} der Spalte eines Kanals
bytes behind its end
  Bytes hinter seinem Ende
more than its bytes
  mehr als seine Bytes
the tile {}, {}
  die Kachel {}, {}
rows of no tile
  Zeilen ohne Kachel
cut rows that are not there
  geschnittene Zeilen, die es nicht gibt
half a crossing
  eine halbe Kreuzung
crossings of no object
  Kreuzungen ohne Objekt
crossings into no tile
  Kreuzungen in keine Kachel
outlines of no object
  Umrisse ohne Objekt
an object between pixels
  ein Objekt zwischen Pixeln
an object beyond the slide
  ein Objekt jenseits des Schnitts
an outline that does not end
  einen Umriss ohne Ende
an object with two cells
  ein Objekt mit zwei Zellen
a cell beyond the slide
  eine Zelle jenseits des Schnitts
an outline beyond its box
  einen Umriss jenseits seines Rahmens
an outline of another object
  den Umriss eines anderen Objekts
Only the objects of a run that has come to its end, or was cancelled with a part done, can be changed and kept.
  Nur Objekte eines beendeten oder mit einem Teil abgebrochenen Laufs lassen sich ändern und behalten.
The objects could not be kept in {} ({}). Check the disk's free space and the folder's permissions.
  Die Objekte konnten nicht in {} behalten werden ({}). Prüfen Sie freien Platz und Rechte des Ordners.
The objects of a run are not there any more: {}.
  Die Objekte eines Laufs gibt es nicht mehr: {}.
{} holds no objects of a run.
  {} enthält keine Objekte eines Laufs.
{} was written by Morphoscope {}, whose columns were others.
  {} wurde von Morphoscope {} geschrieben, das andere Spalten hatte.
{} cannot be trusted: {p}.
  {} ist nicht zu trauen: {}.
its objects are of another slide, or of another pixel size
  die Objekte sind von einem anderen Schnitt oder einer anderen Pixelgröße
a part of it is damaged or missing
  ein Teil ist beschädigt oder fehlt
The file of a run’s objects ended before its end.
  Die Datei mit den Objekten eines Laufs endete zu früh.
This field of a slider is not kept any more.
  Dieses Feld eines Reglers ist nicht mehr vorhanden.
expected a region that meets the slide ({} × {} px) for region but received {} × {} px at {}, {}
  Die Region muss den Schnitt treffen ({} × {} px), angegeben ist {} × {} px bei {}, {}
{} × {} px at {}, {}
  {} × {} px bei {}, {}
at most {} megapixels to analyse, and sides of at most {} million px,
  höchstens {} Megapixel zur Analyse und Seiten von höchstens {} Millionen px
expected at most {} megapixels to analyse, and sides of at most {} million px, for region but received {} × {} px ({} megapixels, which would take {p}). Run the recipe on a smaller region.
  Höchstens {} Megapixel sind zu analysieren, mit Seiten von höchstens {} Millionen px; die Region hat {} × {} px ({} Megapixel, das dauerte {}). Wenden Sie das Rezept auf eine kleinere Region an.
{p} at 20 megapixels a second
  {} bei 20 Megapixeln pro Sekunde
{n} hours
  {} Stunden
{n} days
  {} Tage
The preview covers the {} × {} px around the centre of the view. Zoom in, or run the recipe on the whole region.
  Die Vorschau umfasst {} × {} px um die Mitte der Ansicht. Vergrößern Sie, oder wenden Sie das Rezept auf die ganze Region an.
Regions of this run overlap: what several of them have counts once, in its area as in its objects.
  Regionen dieses Laufs überlappen sich: Gemeinsames zählt einmal, bei der Fläche wie bei den Objekten.
Regions of this run may overlap, in lines too tangled to work out: their areas are added, so densities may be too low.
  Regionen dieses Laufs überlappen sich vielleicht, ihre Linien sind zu verworren: Die Flächen sind addiert, Dichten können zu niedrig sein.
The shards hold {} of the {} tiles of the run: they were not made of one run’s. Run them again.
  Die Teilläufe haben {} der {} Kacheln des Laufs: Sie stammen nicht von einem Lauf. Starten Sie sie neu.
{} is gone since the slide was opened (deleted, moved, or its disk is away), and the rest of it cannot be read. The {} of {} tiles that were finished are kept, and can be exported.
  {} ist weg, seit der Schnitt geöffnet wurde (gelöscht, verschoben, oder das Laufwerk fehlt); der Rest ist nicht lesbar. Die {} von {} fertigen Kacheln bleiben und lassen sich exportieren.
{} object reaches farther than the {} px around a tile that are computed with it, and may be cut there or split: its size and shape are uncertain.
  {} Objekt reicht weiter als die {} px um eine Kachel, die mit ihr berechnet werden, und ist dort vielleicht geschnitten oder geteilt: Größe und Form sind unsicher.
{} objects reach farther than the {} px around a tile that are computed with it, and may be cut there or split: its size and shape are uncertain.
  {} Objekte reichen weiter als die {} px um eine Kachel, die mit ihr berechnet werden, und sind dort vielleicht geschnitten oder geteilt: Größe und Form sind unsicher.
1 of {} {} could not be read in full and is marked on the overlay: {p}
  1 von {} {} war nicht ganz lesbar und ist im Overlay markiert: {}
    tile = Kachel
    tiles = Kacheln
{} of {} {} could not be read in full and are marked on the overlay: {p}
  {} von {} {} waren nicht ganz lesbar und sind im Overlay markiert: {}
    tile = Kachel
    tiles = Kacheln
{} more of {} {} may be wrong because of parts that could not be read: what these could change is marked on the overlay, and listed in run.json.
  {} weitere von {} {} können wegen unlesbarer Teile falsch sein: Was diese ändern könnten, ist im Overlay markiert und steht in run.json.
    tile = Kachel
    tiles = Kacheln
A device failed at the whole slide's background, and others computed its part. {p}
  Ein Gerät fiel beim Hintergrund des ganzen Schnitts aus; andere berechneten seinen Teil. {}
{} part of the slide could not be read for the background, which takes glass in its place, and calls uncertain what that could change: {p}
  {} Teil des Schnitts war für den Hintergrund nicht lesbar; dort gilt Glas, und was das ändern könnte, gilt als unsicher: {}
{} parts of the slide could not be read for the background, which takes glass in their place, and calls uncertain what that could change: {p}
  {} Teile des Schnitts waren für den Hintergrund nicht lesbar; dort gilt Glas, und was das ändern könnte, gilt als unsicher: {}
The slide’s overview could not be read in full ({p}), so that the area of tissue is not known: densities are of all that was analysed.
  Das Übersichtsbild des Schnitts war nicht ganz lesbar ({}), die Gewebefläche ist also unbekannt: Dichten beziehen sich auf alles, was analysiert wurde.
{p}: {p}. Export what you want to keep.
  {}: {}. Exportieren Sie, was Sie behalten wollen.
So many slides are open that the one used longest ago was closed, with its runs
  Es sind so viele Schnitte offen, dass der am längsten nicht benutzte mit seinen Läufen geschlossen wurde
To make room for newer runs, the oldest were removed
  Um Platz für neuere Läufe zu schaffen, wurden die ältesten entfernt
{p} ({n} object)
  {} ({} Objekt)
{p} ({n} objects)
  {} ({} Objekte)
{p} ({n} object), {P}
  {} ({} Objekt), {}
{p} ({n} objects), {P}
  {} ({} Objekte), {}
{} runs wait for their turn already, and no more can. Cancel some of them, or start this one when they are done.
  {} Läufe warten schon, mehr geht nicht. Brechen Sie einige ab, oder starten Sie diesen, wenn sie fertig sind.
The run {} is not there any more. Start it again.
  Den Lauf {} gibt es nicht mehr. Starten Sie ihn neu.
The {} objects that were found so far take all the memory that a run may have here. Run the recipe on a smaller region, or with a larger least area.
  Die bisher gefundenen {} Objekte füllen den ganzen Arbeitsspeicher, den ein Lauf hier haben darf. Wenden Sie das Rezept auf eine kleinere Region an oder mit größerer Mindestfläche.
This machine had not enough free memory for a block of tiles, which was computed tile by tile.
  Der freie Arbeitsspeicher dieses Rechners reichte nicht für einen Block Kacheln; er wurde Kachel für Kachel berechnet.
{} had not enough free memory for a block of tiles, which was computed tile by tile.
  Der freie Speicher von {} reichte nicht für einen Block Kacheln; er wurde Kachel für Kachel berechnet.
A block of tiles could not be computed at once, and was tile by tile: {p}
  Ein Block Kacheln ließ sich nicht auf einmal berechnen, nur Kachel für Kachel: {}
the background of the whole slide stands on parts that could not be read
  der Hintergrund des ganzen Schnitts beruht auf unlesbaren Teilen
beside a part that could not be read: {p}
  neben einem unlesbaren Teil: {}
it may be glass: the slide’s overview could not be read there: {p}
  es kann Glas sein: Das Übersichtsbild des Schnitts war dort nicht lesbar: {}
a part of the run’s region to verify
  ein Teil der Region des Laufs zum Prüfen
at most {} megapixels of the analysed image to verify at once
  höchstens {} Megapixel des analysierten Bilds zum Prüfen auf einmal
expected a part of the run’s region to verify but received {}
  Zum Prüfen wird ein Teil der Region des Laufs erwartet, angegeben ist {}
expected at most {} megapixels of the analysed image to verify at once but received {}: it is computed in one window
  Auf einmal sind höchstens {} Megapixel des analysierten Bilds zu prüfen, angegeben sind {}: Sie werden in einem Fenster berechnet
The objects came in with {}: no recipe found them that could do so again.
  Die Objekte kamen mit {}: Kein Rezept hat sie gefunden, das es wiederholen könnte.
Only a finished run can be verified, and no preview. Wait for its end.
  Nur ein fertiger Lauf lässt sich prüfen, keine Vorschau. Warten Sie sein Ende ab.
an object is missing in the run
  ein Objekt fehlt im Lauf
the run has an object too many
  der Lauf hat ein Objekt zu viel
an object has another outline: {} px in the run, {} px untiled
  ein Objekt hat einen anderen Umriss: {} px im Lauf, {} px ohne Kacheln
an object has a cell of another outline in the run than untiled
  die Zelle eines Objekts hat im Lauf einen anderen Umriss als ohne Kacheln
an object's {} is {} in the run, {} untiled
  {} eines Objekts ist {} im Lauf, {} ohne Kacheln
an object's {} of channel {} is {} in the run, {} untiled
  {} eines Objekts in Kanal {} ist {} im Lauf, {} ohne Kacheln
an object's figure {} of the slide's channels is {} in the run, {} untiled
  Wert {} eines Objekts in den Kanälen des Schnitts ist {} im Lauf, {} ohne Kacheln
A device failed, and others computed its part. {p}
  Ein Gerät fiel aus; andere berechneten seinen Teil. {}
Memory was short: parts of the run were computed one at a time, which takes longer.
  Der Arbeitsspeicher war knapp: Teile des Laufs wurden nacheinander berechnet, das dauert länger.
nothing could be written
  es konnte nichts geschrieben werden
A newer preview has taken its place.
  Eine neuere Vorschau hat sie abgelöst.
`
