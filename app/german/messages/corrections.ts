// The engine's messages in German: corrections of objects, and the names of steps that are undone. app/german/phrases.ts says what stands in braces.

export const corrections = `
{p} is whole, but could not be kept in the project in place of its part: {p}
  {} ist vollständig, konnte aber im Projekt seinen Teil nicht ersetzen: {}
{p} stays beside {p}, which is the whole of it: {p}. Delete the one that you do not want: together they count twice.
  {} bleibt neben {}, dem Ganzen davon: {}. Löschen Sie, was Sie nicht wollen: Zusammen zählen sie doppelt.
its objects could not be read
  die Objekte waren nicht lesbar
{} of its corrections fit no object there
  {} der Korrekturen passen dort zu keinem Objekt
There is no object to change: it was deleted, or none lies there.
  Es gibt kein Objekt zu ändern: Es wurde gelöscht, oder dort liegt keines.
There are no corrections on {} that could be carried over.
  Auf {} gibt es keine Korrekturen zum Übertragen.
The objects were changed meanwhile. Try again.
  Die Objekte wurden inzwischen geändert. Versuchen Sie es erneut.
The objects of {} are not there.
  Die Objekte von {} sind nicht da.
Objects can be changed when their run has ended.
  Objekte lassen sich ändern, wenn ihr Lauf zu Ende ist.
the number of one of {} objects
  die Nummer eines von {} Objekten
one for each of the slide’s {} channels
  je eines für die {} Kanäle des Schnitts
The corrections are this run’s own: choose another.
  Die Korrekturen gehören zu diesem Lauf selbst: Wählen Sie einen anderen.
Corrections go from one run that has ended to another, and {} has not.
  Korrekturen gehen von einem beendeten Lauf zu einem anderen, und {} ist nicht zu Ende.
The two runs looked at the slide at different resolutions, so no object of one can be told to be one of the other.
  Die beiden Läufe betrachteten den Schnitt in verschiedenen Auflösungen; ihre Objekte lassen sich einander nicht zuordnen.
An object that was made by hand reaches too far to be looked at.
  Ein von Hand angelegtes Objekt reicht zu weit, um betrachtet zu werden.
a set of ranks
  eine Menge von Rängen
{n} bytes of ranks
  {} Byte an Rängen
{n} bytes
  {} Byte
There is no object to delete.
  Es gibt kein Objekt zu löschen.
There is no object to restore.
  Es gibt kein Objekt wiederherzustellen.
A run's objects can be of {} classes.
  Die Objekte eines Laufs können zu {} Klassen gehören.
They are of that class already.
  Sie haben diese Klasse schon.
Of one result {} objects can be made by hand.
  In einem Ergebnis lassen sich {} Objekte von Hand anlegen.
the rank of one of {} objects
  der Rang eines von {} Objekten
a step of history
  ein Schritt der Historie
That reaches too far to be one object.
  Das reicht zu weit, um ein Objekt zu sein.
That has fewer than {} px of the analysed image: no object.
  Das hat weniger als {} px des analysierten Bilds: kein Objekt.
There is an object already, over half of it or more: redraw that one, or delete it first.
  Dort liegt schon ein Objekt, über der Hälfte davon oder mehr: Zeichnen Sie jenes neu, oder löschen Sie es zuerst.
With these values there is no object at that point: change them, take the wand, or paint it.
  Mit diesen Werten gibt es an dieser Stelle kein Objekt: Ändern Sie sie, nehmen Sie den Zauberstab, oder malen Sie es.
That object was deleted: undo that, or choose another.
  Dieses Objekt wurde gelöscht: Machen Sie das rückgängig, oder wählen Sie ein anderes.
The stroke is not on the object: nothing of it was rubbed out.
  Der Strich liegt nicht auf dem Objekt: Nichts wurde davon ausradiert.
Nothing to add: a stroke begins on the object or beside it, and takes nothing from other objects.
  Nichts anzufügen: Ein Strich beginnt auf dem Objekt oder daneben und nimmt anderen Objekten nichts.
Nothing of the object would be left. Delete it if that is meant.
  Vom Objekt bliebe nichts. Löschen Sie es, wenn Sie das wollen.
That lies where this result did not look: segment there, or choose another result.
  Das liegt, wo dieses Ergebnis nicht gesucht hat: Segmentieren Sie dort, oder wählen Sie ein anderes Ergebnis.
Choose two objects or more: they become one.
  Wählen Sie zwei Objekte oder mehr: Sie werden eines.
At most {} objects can become one at a time.
  Höchstens {} Objekte lassen sich auf einmal verbinden.
These objects reach too far to be looked at together.
  Diese Objekte reichen zu weit, um gemeinsam betrachtet zu werden.
These objects do not touch: only those that lie apart by two px of the analysed image at most become one.
  Diese Objekte berühren sich nicht: Nur solche mit höchstens zwei px Abstand im analysierten Bild werden eines.
These objects touch at corners only, where other objects have the pixels beside: they cannot be one piece.
  Diese Objekte berühren sich nur an Ecken, und die Pixel daneben gehören anderen: Sie können kein Stück sein.
The line cuts through no object: draw it from one side of an object to the other.
  Die Linie schneidet kein Objekt: Ziehen Sie sie von einer Seite eines Objekts zur anderen.
A line can split at most {} objects.
  Eine Linie kann höchstens {} Objekte teilen.
The outlines of at most {} objects can change at a time.
  Die Umrisse von höchstens {} Objekten lassen sich auf einmal ändern.
The slide has no pixel size: say the amount in px.
  Der Schnitt hat keine Pixelgröße: Geben Sie die Menge in px an.
That is less than a pixel of the analysed image, which is {}: nothing would change.
  Das ist weniger als ein Pixel des analysierten Bilds, nämlich {}: Nichts würde sich ändern.
Objects grow or shrink by at most {} at a time.
  Objekte wachsen oder schrumpfen um höchstens {} auf einmal.
That is too much for one step: choose fewer objects, or a smaller amount.
  Das ist zu viel für einen Schritt: Wählen Sie weniger Objekte oder eine kleinere Menge.
An object reaches too far to be looked at.
  Ein Objekt reicht zu weit, um betrachtet zu werden.
None of them has a hole that is nobody’s.
  Keines hat ein Loch, das niemandem gehört.
None of them can grow: other objects, or the image’s edge, are all around.
  Keines kann wachsen: Ringsum liegen andere Objekte oder der Bildrand.
Nothing would be left of it: it stays as it is.
  Davon bliebe nichts: Es bleibt, wie es ist.
Nothing would be left of any of them: they stay as they are.
  Von keinem bliebe etwas: Sie bleiben, wie sie sind.
{n} objects
  {} Objekte
{n} object
  {} Objekt
a core
  eine Stanze
{n} cores
  {} Stanzen
Add a region
  Region hinzufügen
Add {n} regions
  {} Regionen hinzufügen
Delete {p}
  {} löschen
Restore {p}
  {} wiederherstellen
Add to the region
  An die Region anfügen
Add to {}
  An {} anfügen
Cut out of the region
  Aus der Region ausschneiden
Cut out of {}
  Aus {} ausschneiden
Add a point
  Punkt hinzufügen
Delete a point
  Punkt löschen
Change the classes
  Klassen ändern
Import {n} {P}
  {} {} importieren
    object = Objekt
    objects = Objekte
    regions = Regionen
Import {P}
  {} importieren
Reshape a region
  Form einer Region ändern
Reshape {n} regions
  Form von {} Regionen ändern
Take the class of a region
  Klasse einer Region aufheben
Take the class of {n} regions
  Klasse von {} Regionen aufheben
Classify a region
  Region klassifizieren
Classify {n} regions
  {} Regionen klassifizieren
Change {P}
  {} ändern
Name {P}
  {} benennen
Lock {P}
  {} sperren
Unlock {P}
  {} entsperren
Classify as the recipe has it
  Klassen nach dem Rezept
Classify by a limit
  Klassen nach einem Grenzwert
Classify by three limits
  Klassen nach drei Grenzwerten
Classify by limits on {} measurements
  Klassen nach Grenzwerten von {} Messwerten
Classes by limits
  Klassen nach Grenzwerten
Take an object out of their class
  Ein Objekt aus der Klasse nehmen
Take {n} {_} out of their class
  {} Objekte aus der Klasse nehmen
Classify an object as {p}
  Ein Objekt als {} klassifizieren
Classify {n} {_} as {p}
  {} Objekte als {} klassifizieren
    what the limits tell = was die Grenzwerte sagen
what the limits tell
  was die Grenzwerte sagen
Make {P}
  {} anlegen
Take back {p}
  {} zurücknehmen
Add an object
  Objekt hinzufügen
Redraw an object
  Objekt neu zeichnen
Merge {} objects
  {} Objekte verbinden
Split an object
  Objekt teilen
Split {} objects
  {} Objekte teilen
Fill holes of an object
  Löcher eines Objekts füllen
Fill holes of {n} {_}
  Löcher von {} Objekten füllen
Grow {P} by {}
  {} um {} vergrößern
Shrink {P} by {}
  {} um {} verkleinern
Carry corrections over from {p}
  Korrekturen von {} übertragen
Show {p} again
  {} wieder zeigen
Put the whole in place of {p}
  {} durch das Ganze ersetzen
`
