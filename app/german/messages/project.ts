// The engine's messages in German: projects, regions, cohorts, sections. app/german/phrases.ts says what stands in braces.

export const project = `
The project {} was not opened again by itself: Morphoscope ended while it opened it. Open it yourself to try again.
  Das Projekt {} wurde nicht von selbst wieder geöffnet: Morphoscope endete, während es das tat. Öffnen Sie es selbst, um es noch einmal zu versuchen.
the thread that writes has ended
  der Thread, der schreibt, ist zu Ende
{} is there already. Choose another name.
  {} gibt es schon. Wählen Sie einen anderen Namen.
The project {} could not be written ({}). Nothing has changed; check the disk's free space and the folder's permissions, and try again.
  Das Projekt {} konnte nicht geschrieben werden ({}). Nichts wurde geändert; prüfen Sie freien Platz und Rechte des Ordners, und versuchen Sie es erneut.
A project cannot hold {P}: {P}. Nothing has changed.
  Ein Projekt kann {} nicht aufnehmen: {}. Nichts wurde geändert.
A project cannot hold {}: {P}. Nothing has changed.
  Ein Projekt kann {} nicht aufnehmen: {}. Nichts wurde geändert.
these classes
  diese Klassen
{n} classes
  {} Klassen
all of this
  all dies
this step
  diesen Schritt
more changes
  weitere Änderungen
these corrections
  diese Korrekturen
the region
  die Region
the class {}
  die Klasse {}
the objects
  die Objekte
the result {}
  das Ergebnis {}
it is too large
  Es ist zu groß
it has too many points
  Es hat zu viele Punkte
it has too many regions
  Es hat zu viele Regionen
it can have {} {}
  Es kann {} {} haben
    regions = Regionen
    runs = Läufe
    slides = Schnitte
    classes = Klassen
    edits = Korrekturen
    history = Schritte
its regions have too many points together
  Die Regionen haben zusammen zu viele Punkte
its slides have too much text together
  Die Schnitte haben zusammen zu viel Text
its results have too many regions together
  Die Ergebnisse haben zusammen zu viele Regionen
its classes have too much text together
  Die Klassen haben zusammen zu viel Text
its corrected results have too many objects
  Die korrigierten Ergebnisse haben zu viele Objekte
what was done by hand is too much for one result
  Die Handarbeit ist zu viel für ein Ergebnis
what was made by hand is too much for one result
  Das von Hand Angelegte ist zu viel für ein Ergebnis
not as it should be
  nicht wie erwartet
: {P}
  {}
{}: {P}
  {}: {}
is no JSON ({})
  ist kein JSON ({})
is no JSON (a list does not end)
  ist kein JSON (eine Liste endet nicht)
is no JSON (it ends too soon)
  ist kein JSON (es endet zu früh)
is no text in UTF-8
  ist kein Text in UTF-8
is of the type {}
  ist vom Typ {}
{} is of the type {}
  {} ist vom Typ {}
{} is no text in UTF-8
  {} ist kein Text in UTF-8
is another region, {}
  ist eine andere Region, {}
is another slide, {}
  ist ein anderer Schnitt, {}
is another run, {}
  ist ein anderer Lauf, {}
is of two slides
  gehört zu zwei Schnitten
are of no run
  gehören zu keinem Lauf
are incomplete
  sind unvollständig
has objects that were made of none
  hat Objekte, die aus keinem entstanden
has more than {} objects that were made
  hat mehr als {} von Hand angelegte Objekte
has not the length of {} objects
  hat nicht die Länge von {} Objekten
has classes of other objects
  hat Klassen anderer Objekte
has objects of no class
  hat Objekte ohne Klasse
{} has {} rows, and can have {}
  {} hat {} Zeilen und darf {} haben
{} has a {} of {} bytes, and can have {}
  {} hat ein {} von {} Byte und darf {} haben
a record of {} made objects holds {p}
  ein Eintrag von {} angelegten Objekten enthält {}
file is not a database
  Die Datei ist keine Datenbank
{} is another program’s
  {} gehört zu einem anderen Programm
{} is no project of Morphoscope’s
  {} ist kein Projekt von Morphoscope
{} was written by a later version of Morphoscope (format {}; this one reads {})
  {} wurde von einer neueren Version von Morphoscope geschrieben (Format {}; diese liest {})
{} is damaged: its text has another coding
  {} ist beschädigt: Der Text ist anders kodiert
{} is damaged: its tables are not those that Morphoscope makes
  {} ist beschädigt: Die Tabellen sind nicht die von Morphoscope
no such table: {}
  Die Tabelle {} fehlt
no such {}: {}
  {} fehlt: {}
{} is damaged: the {} in it is not as Morphoscope makes it
  {} ist beschädigt: {} darin ist nicht von Morphoscope
The project {} is damaged: {}, {p}.
  Das Projekt {} ist beschädigt: {}, {}.
classes: two have the same id
  classes: zwei haben dieselbe Id
regions {} has the class {}, which is not there
  regions {} hat die Klasse {}, die es nicht gibt
history is out of order
  history ist nicht in der Reihenfolge
history {} {p}
  history {} {}
regions {} {P}
  regions {} {}
slides {} {P}
  slides {} {}
runs {} {P}
  runs {} {}
classes {} {P}
  classes {} {}
edits {} {P}
  edits {} {}
meta revision is {p}
  meta revision ist {}
{} is no project: it has no file {}.
  {} ist kein Projekt: Es hat keine Datei {}.
The project {} was not opened: {} in it is {P}. Remove it, and open the project again.
  Das Projekt {} wurde nicht geöffnet: {} darin ist {}. Entfernen Sie es, und öffnen Sie das Projekt erneut.
The project {} was not opened: {} in it is the same file as one with another name. Copy the folder, and open the copy.
  Das Projekt {} wurde nicht geöffnet: {} darin ist dieselbe Datei wie eine mit anderem Namen. Kopieren Sie den Ordner, und öffnen Sie die Kopie.
The project {} was not opened: {} in it has {} bytes, and can have {}. Remove it, and open the project again.
  Das Projekt {} wurde nicht geöffnet: {} darin hat {} Byte und darf {} haben. Entfernen Sie es, und öffnen Sie das Projekt erneut.
The project {} was not opened: {} in it was not written by Morphoscope. Remove it, and open the project again.
  Das Projekt {} wurde nicht geöffnet: {} darin ist nicht von Morphoscope. Entfernen Sie es, und öffnen Sie das Projekt erneut.
another program changes it
  ein anderes Programm ändert es
its log could not be read
  sein Protokoll war nicht lesbar
it became shorter while it was read
  es wurde beim Lesen kürzer
The project was not opened: {} has more than {} bytes.
  Das Projekt wurde nicht geöffnet: {} hat mehr als {} Byte.
The project {} has no step {}.
  Das Projekt {} hat keinen Schritt {}.
One step can change the objects of one result, or regions and classes. Make a step of its own for each.
  Ein Schritt kann die Objekte eines Ergebnisses ändern oder Regionen und Klassen. Machen Sie daraus je einen Schritt.
the id of a run whose objects the document holds
  die Id eines Laufs, dessen Objekte das Dokument hat
{n} numbers
  {} Zahlen
The document can hold {} regions.
  Das Dokument fasst {} Regionen.
an id that no region has
  eine Id, die keine Region hat
The region is points, which have no area to add to or cut out of.
  Die Region sind Punkte; sie haben keine Fläche, an die etwas anzufügen oder aus der etwas auszuschneiden wäre.
The region is a line, which has no area to add to or cut out of.
  Die Region ist eine Linie; sie hat keine Fläche, an die etwas anzufügen oder aus der etwas auszuschneiden wäre.
{} is points, which have no area to add to or cut out of.
  {} sind Punkte; sie haben keine Fläche, an die etwas anzufügen oder aus der etwas auszuschneiden wäre.
{} is a line, which has no area to add to or cut out of.
  {} ist eine Linie; sie hat keine Fläche, an die etwas anzufügen oder aus der etwas auszuschneiden wäre.
Nothing of the region would be left. Delete it if that is meant.
  Von der Region bliebe nichts. Löschen Sie sie, wenn Sie das wollen.
Nothing of {} would be left. Delete it if that is meant.
  Von {} bliebe nichts. Löschen Sie die Region, wenn Sie das wollen.
The region is no points, but an area.
  Die Region sind keine Punkte, sondern eine Fläche.
The region is no points, but a line.
  Die Region sind keine Punkte, sondern eine Linie.
{} is no points, but an area.
  {} sind keine Punkte, sondern eine Fläche.
{} is no points, but a line.
  {} sind keine Punkte, sondern eine Linie.
A region can hold {} points.
  Eine Region fasst {} Punkte.
a place among {} points
  eine Stelle unter {} Punkten
That point is not there any more.
  Diesen Punkt gibt es nicht mehr.
A project can hold {} classes, and these would be {}. Nothing has changed; use fewer, and try again.
  Ein Projekt fasst {} Klassen, dies wären {}. Nichts wurde geändert; nehmen Sie weniger, und versuchen Sie es erneut.
ids that differ
  verschiedene Ids
The class {} is that of the region: give that another first.
  Die Klasse {} gehört zu einer Region: Geben Sie dieser zuerst eine andere.
The class {} is that of {}: give that another first.
  Die Klasse {} gehört zu {}: Geben Sie dieser Region zuerst eine andere.
The shape of the region has no area.
  Die Form der Region hat keine Fläche.
The shape of {} has no area.
  Die Form von {} hat keine Fläche.
There is no region {} any more.
  Die Region {} gibt es nicht mehr.
The region is locked, and cannot be {}. Unlock it first.
  Die Region ist gesperrt und lässt sich nicht {}. Entsperren Sie sie zuerst.
    deleted = löschen
    changed = ändern
{} is locked, and cannot be {}. Unlock it first.
  {} ist gesperrt und lässt sich nicht {}. Entsperren Sie die Region zuerst.
    deleted = löschen
    changed = ändern
Regions of no class on {} may overlap, in lines too tangled to work out: sums over the class count what they share several times.
  Regionen ohne Klasse auf {} überlappen sich vielleicht, ihre Linien sind zu verworren: Summen über die Klasse zählen Gemeinsames mehrfach.
Regions of {p} on {} may overlap, in lines too tangled to work out: sums over the class count what they share several times.
  Regionen von {} auf {} überlappen sich vielleicht, ihre Linien sind zu verworren: Summen über die Klasse zählen Gemeinsames mehrfach.
The library that keeps projects (libsql) could not be loaded ({}). Run npm install again.
  Die Bibliothek für Projekte (libsql) ließ sich nicht laden ({}). Führen Sie npm install noch einmal aus.
The project {} cannot be opened for writing: {p}.
  Das Projekt {} lässt sich nicht zum Schreiben öffnen: {}.
The project {} cannot be opened: {p}.
  Das Projekt {} lässt sich nicht öffnen: {}.
The project {} is open in another process. Close it there first.
  Das Projekt {} ist in einem anderen Prozess offen. Schließen Sie es dort zuerst.
The project {} is open in {p} (process {} on {}, since {}). Close it there first.
  Das Projekt {} ist anderswo offen: {} (Prozess {} auf {}, seit {}). Schließen Sie es dort zuerst.
The project {} can be read here, and not be changed: its folder cannot be written to ({}). Save it under another name to change it.
  Das Projekt {} lässt sich hier lesen, aber nicht ändern: In seinen Ordner kann nicht geschrieben werden ({}). Speichern Sie es unter anderem Namen, um es zu ändern.
The document does not hold that run any more.
  Das Dokument hat diesen Lauf nicht mehr.
a folder’s path that ends with NAME{}
  der Pfad eines Ordners, der auf NAME{} endet
No project is open here that could hold a change. Open one first.
  Hier ist kein Projekt offen, das eine Änderung aufnehmen könnte. Öffnen Sie zuerst eines.
The shape could not be worked out: its lines cross too often, or lie too close upon each other. Draw a simpler one.
  Die Form ließ sich nicht ermitteln: Ihre Linien kreuzen sich zu oft oder liegen zu dicht beieinander. Zeichnen Sie eine einfachere.
What was left of that answer is held no more. Ask anew.
  Der Rest dieser Antwort ist nicht mehr vorhanden. Fragen Sie neu.
the key of a slide of the document
  der Schlüssel eines Schnitts des Dokuments
{n} of {} tiles could not be read in full
  {} von {} Kacheln waren nicht ganz lesbar
{n} of {} tiles may be wrong because of parts that could not be read
  {} von {} Kacheln können wegen unlesbarer Teile falsch sein
the values that adapt to the slide are not certain
  die Werte, die sich dem Schnitt anpassen, sind nicht sicher
cancelled after {} of {} tiles
  abgebrochen nach {} von {} Kacheln
{n} tile of the slide could not be read
  {} Kachel des Schnitts war nicht lesbar
{n} tiles of the slide could not be read
  {} Kacheln des Schnitts waren nicht lesbar
{n} tile may be wrong because of parts that could not be read
  {} Kachel kann wegen unlesbarer Teile falsch sein
{n} tiles may be wrong because of parts that could not be read
  {} Kacheln können wegen unlesbarer Teile falsch sein
{P}, and {P}
  {}, und {}
expected three or more pairs of places but received {}. Mark more of them.
  Es braucht drei oder mehr Paare von Stellen, markiert sind {}. Markieren Sie mehr.
expected places that do not lie on one line, or in one spot. Mark one beside it on both slides.
  Die Stellen dürfen nicht auf einer Linie oder an einem Ort liegen. Markieren Sie auf beiden Schnitten eine daneben.
The second slide’s places lie on one line, or in one spot. Mark one beside it.
  Die Stellen auf dem zweiten Schnitt liegen auf einer Linie oder an einem Ort. Markieren Sie eine daneben.
{} does not say how large its pixels are, and the other slide does. Set its pixel size first.
  {} nennt seine Pixelgröße nicht, der andere Schnitt schon. Geben Sie zuerst die Pixelgröße an.
“{}” has {} points on {} and {} on {}. Mark the same places on both, in the same order.
  „{}“ hat {} Punkte auf {} und {} auf {}. Markieren Sie auf beiden dieselben Stellen in derselben Reihenfolge.
No points of one name lie on both slides. Mark three or more places as points on each, in the same order, and name both alike.
  Keine Punkte gleichen Namens liegen auf beiden Schnitten. Markieren Sie auf jedem drei oder mehr Stellen als Punkte, in gleicher Reihenfolge und mit gleichem Namen.
The map flattens the slide: nothing can be carried by it.
  Die Abbildung drückt den Schnitt flach: Damit lässt sich nichts übertragen.
Choose what is to be carried: regions, objects, or both.
  Wählen Sie, was zu übertragen ist: Regionen, Objekte oder beides.
{} has no regions that could be carried.
  {} hat keine Regionen zum Übertragen.
would lie beyond the slide
  läge jenseits des Schnitts
{} has no small level from which its tissue could be told. Mark the same places as points on both slides instead.
  {} hat keine kleine Auflösungsstufe, um das Gewebe zu erkennen. Markieren Sie stattdessen dieselben Stellen als Punkte auf beiden Schnitten.
No border of tissue was found on the {} slide. Mark the same places as points on both slides instead.
  Auf dem {} Schnitt wurde kein Geweberand gefunden. Markieren Sie stattdessen dieselben Stellen als Punkte auf beiden Schnitten.
    first = ersten
    second = zweiten
    other = anderen
    shown = gezeigten
A recipe is being run over the slides already. Cancel it, or wait for its end.
  Ein Rezept läuft schon über die Schnitte. Brechen Sie es ab, oder warten Sie sein Ende ab.
A recipe is being run over this slide. Stop that first, or wait for its end.
  Ein Rezept läuft über diesen Schnitt. Stoppen Sie es zuerst, oder warten Sie sein Ende ab.
Another slide than {} is at its path now: {}.
  Am Pfad von {} liegt jetzt ein anderer Schnitt: {}.
The run failed.
  Der Lauf ist fehlgeschlagen.
The project does not hold that slide any more.
  Das Projekt hat diesen Schnitt nicht mehr.
{} has a region: delete that first, and it can be taken out.
  {} hat eine Region: Löschen Sie sie zuerst, dann lässt sich der Schnitt entfernen.
{} has {n} regions: delete them first, and it can be taken out.
  {} hat {} Regionen: Löschen Sie sie zuerst, dann lässt sich der Schnitt entfernen.
{} has a corrected result: delete that first, and it can be taken out.
  {} hat ein korrigiertes Ergebnis: Löschen Sie es zuerst, dann lässt sich der Schnitt entfernen.
{} has {n} corrected results: delete them first, and it can be taken out.
  {} hat {} korrigierte Ergebnisse: Löschen Sie sie zuerst, dann lässt sich der Schnitt entfernen.
{} has {P} and {P}: delete them first, and it can be taken out.
  {} hat {} und {}: Löschen Sie sie zuerst, dann lässt sich der Schnitt entfernen.
a region
  eine Region
{n} regions
  {} Regionen
a corrected result
  ein korrigiertes Ergebnis
{n} corrected results
  {} korrigierte Ergebnisse
The summary was taken back.
  Die Übersicht wurde zurückgenommen.
{} is neither at {} nor beside the project: its objects are not counted.
  {} liegt weder in {} noch neben dem Projekt: Seine Objekte sind nicht gezählt.
The objects of {p} of {} could not be read.
  Die Objekte von {} auf {} waren nicht lesbar.
figures follow {p}; all of the slide was run with {p}
  Zahlen nach {}; der ganze Schnitt lief mit {}
a part of it was not computed, or could not be read
  ein Teil wurde nicht berechnet oder war nicht lesbar
it lies beyond the slide
  sie liegt jenseits des Schnitts
That project is not there any more.
  Dieses Projekt gibt es nicht mehr.
That project is open. Begin a new one or open another, and delete it then.
  Dieses Projekt ist offen. Beginnen Sie ein neues oder öffnen Sie ein anderes, und löschen Sie es dann.
{} is no part of that result.
  {} ist kein Teil dieses Ergebnisses.
{} was not imported.
  {} wurde nicht importiert.
`
