// The messages of the native engine in German: memory, devices, recipes and their values. app/german/phrases.ts says what stands in braces.

export const native = `
A file's name is not UTF-8, so this system has no such file.
  Der Name einer Datei ist kein UTF-8, also hat dieses System keine solche Datei.
The last rows of its tiles may be shown in the wrong place: this system's OpenSlide uses a libtiff that puts them there. Update both.
  Die letzten Zeilen seiner Kacheln können am falschen Ort stehen: OpenSlide dieses Systems benutzt ein libtiff, das sie dorthin setzt. Aktualisieren Sie beide.
The native engine was found but belongs to another version of this program. Install Morphoscope again, or run "npm run build:native" if you built it yourself.
  Die native Engine gehört zu einer anderen Version dieses Programms. Installieren Sie Morphoscope neu, oder führen Sie "npm run build:native" aus, wenn Sie es selbst gebaut haben.
The native engine is not available: {p}. Install Morphoscope again. If you built it yourself, run "npm run build:native", or set MORPHOSCOPE_ADDON to the path of morphoscope.node.
  Die native Engine ist nicht verfügbar: {}. Installieren Sie Morphoscope neu. Wenn Sie es selbst gebaut haben, führen Sie "npm run build:native" aus, oder setzen Sie MORPHOSCOPE_ADDON auf den Pfad von morphoscope.node.
it could not be loaded: {}
  sie ließ sich nicht laden: {}
it was not found where it is expected
  sie wurde nicht gefunden, wo sie sein soll
{} took longer than {} s to open. Its drive may not answer, or the file is damaged: copy it to this computer and try again.
  {} zu öffnen dauerte länger als {} s. Vielleicht antwortet das Laufwerk nicht, oder die Datei ist beschädigt: Kopieren Sie sie auf diesen Rechner, und versuchen Sie es erneut.
There is not enough memory for this call; close other programs, or ask for a smaller region.
  Der Arbeitsspeicher reicht dafür nicht; schließen Sie andere Programme, oder nehmen Sie eine kleinere Region.
There is not enough memory for this call's result ({}); ask for a smaller region.
  Der Arbeitsspeicher reicht nicht für dieses Ergebnis ({}); nehmen Sie eine kleinere Region.
There is not enough memory for this call ({}); close other programs.
  Der Arbeitsspeicher reicht dafür nicht ({}); schließen Sie andere Programme.
There is not enough memory for this call; close other programs, or ask for less.
  Der Arbeitsspeicher reicht dafür nicht; schließen Sie andere Programme, oder fordern Sie weniger an.
Node could not give a buffer of {} MiB; ask for a smaller region
  Node konnte keinen Puffer von {} MiB bereitstellen; nehmen Sie eine kleinere Region
the outlines of these objects are too long for one call; ask for fewer objects at a time
  die Umrisse dieser Objekte sind zu lang; nehmen Sie weniger Objekte auf einmal
the outlines of a window take more than 4 GiB; ask for a smaller one
  die Umrisse eines Fensters sind größer als 4 GiB; nehmen Sie ein kleineres
could not get {} MiB of working memory; close other programs, or run a smaller region
  {} MiB Arbeitsspeicher waren nicht zu bekommen; schließen Sie andere Programme, oder nehmen Sie eine kleinere Region
the native engine met an unexpected error: {}
  die native Engine stieß auf einen unerwarteten Fehler: {}
the native engine met an unknown error
  die native Engine stieß auf einen unbekannten Fehler
There is not enough memory to read {} ({}); close other programs, or ask for a smaller region.
  Der Arbeitsspeicher reicht nicht, um {} zu lesen ({}); schließen Sie andere Programme, oder nehmen Sie eine kleinere Region.
the background of the whole slide needs {} of working files in {}, which has {} left. Free some room, name another folder, allow more memory, or give the reconstruction a reach
  der Hintergrund des ganzen Schnitts braucht {} Arbeitsdateien in {}, wo {} frei sind. Schaffen Sie Platz, nennen Sie einen anderen Ordner, erlauben Sie mehr Arbeitsspeicher, oder geben Sie der Rekonstruktion eine Reichweite
a working file cannot be made in {}: {}; name another folder, or allow more memory
  in {} lässt sich keine Arbeitsdatei anlegen: {}; nennen Sie einen anderen Ordner, oder erlauben Sie mehr Arbeitsspeicher
a working file cannot be made in {}; name another folder, or allow more memory
  in {} lässt sich keine Arbeitsdatei anlegen; nennen Sie einen anderen Ordner, oder erlauben Sie mehr Arbeitsspeicher
the working file in {} cannot grow{}
  die Arbeitsdatei in {} kann nicht wachsen{}
the working file in {} cannot be written{}
  die Arbeitsdatei in {} lässt sich nicht schreiben{}
the working file in {} cannot be read any more{}
  die Arbeitsdatei in {} lässt sich nicht mehr lesen{}
{} is not there: this program sees 0 GPUs, because {p}. Choose cpu; "morphoscope devices" lists what there is.
  {} ist nicht da: Dieses Programm sieht keine GPU, weil {}. Wählen Sie cpu; „morphoscope devices“ zeigt, was es gibt.
{} is not there: this machine has {}. Choose one of these, or cpu.
  {} ist nicht da: Dieser Rechner hat {}. Wählen Sie davon eines oder cpu.
{} takes no more tiles: {}
  {} nimmt keine Kacheln mehr: {}
a window was given the background that another recipe's steps have made
  ein Fenster bekam den Hintergrund eines anderen Rezepts
a window was given the background of another slide or resolution
  ein Fenster bekam den Hintergrund eines anderen Schnitts oder einer anderen Auflösung
a window of a recipe with a reconstruction without limit came without its background
  ein Fenster eines Rezepts mit unbegrenzter Rekonstruktion kam ohne Hintergrund
a window reaches beyond the image that its background was made of
  ein Fenster reicht über das Bild hinaus, aus dem sein Hintergrund stammt
an object's outline is damaged
  der Umriss eines Objekts ist beschädigt
each device once
  jedes Gerät einmal
cpu, gpu0, gpu1, … or several with commas
  cpu, gpu0, gpu1, … oder mehrere mit Kommas
a number of level-0 px per px between 1/16 and 1048576
  eine Zahl von Level-0-px pro px zwischen 1/16 und 1048576
at most {} for this slide
  höchstens {} bei diesem Schnitt
{}, which would average {} px a side into one
  {}, was {} px je Seite zu einem mittelte
8 for this slide
  8 bei diesem Schnitt
a recipe with a reconstruction without limit
  ein Rezept mit unbegrenzter Rekonstruktion
{} with one whose reach is bounded
  {} mit begrenzter Reichweite
more than candidates.fitNone
  mehr als candidates.fitNone
at most 1 together with threshold.localWeight
  zusammen mit threshold.localWeight höchstens 1
a length of at least {} with green and blue
  mit Grün und Blau eine Länge von mindestens {}
a colour that is not hematoxylin's, with green and blue
  mit Grün und Blau eine andere Farbe als die von Hämatoxylin
hematoxylin that is bluer than eosin and brown
  ein Hämatoxylin, das blauer ist als Eosin und Braun
h-e, h-dab or rgb
  h-e, h-dab oder rgb
a stage of the recipe that is computed with these values
  ein Schritt des Rezepts, der mit diesen Werten berechnet wird
reconstruct, max-tree or watershed as the operation
  reconstruct, max-tree oder watershed als Operation
a pixel of the image
  ein Pixel des Bilds
at least one, all of them in the field
  mindestens einer, alle im Feld
{} of which some are not
  {}, davon liegen einige außerhalb
a grey plane of the recipe
  eine graue Ebene des Rezepts
a recipe that measures objects
  ein Rezept, das Objekte misst
an open slide
  ein offener Schnitt
one that was closed
  ein geschlossener
none (this slide has no channels but its colours)
  keiner (dieser Schnitt hat nur seine Farben)
one inside the level ({} × {} px)
  eines in der Stufe ({} × {} px)
0 (this slide has one level)
  0 (dieser Schnitt hat eine Stufe)
the path of a slide
  der Pfad eines Schnitts
an empty text
  ein leerer Text
a path without zero bytes
  ein Pfad ohne Nullbytes
one with a zero byte
  einer mit Nullbyte
a text of at most 32768 bytes
  ein Text von höchstens 32768 Byte
a text of {} bytes
  ein Text von {} Byte
an array
  eine Liste
objects that share no pixels
  Objekte ohne gemeinsame Pixel
runs in the field
  Zeilenstücke im Feld
one at {}, {}
  eines bei {}, {}
a field with room for cells around the objects
  ein Feld mit Platz für Zellen um die Objekte
one that ends before it
  eines, das vorher endet
some that do at {}, {}
  einige bei {}, {}
a plane was asked for that no step has read
  verlangt wurde eine Ebene, die kein Schritt gelesen hat
a recipe at 16 bits came without its samples
  ein Rezept mit 16 Bit kam ohne seine Werte
the objects of a window do not match their runs
  die Objekte eines Fensters passen nicht zu ihren Zeilen
a channel gave other samples than it says
  ein Kanal gab andere Werte, als er sagt
coordinates within ±2^40
  Koordinaten innerhalb von ±2^40
this build has no GPU code: {p}
  dieser Build hat keinen GPU-Code: {}
this build has no GPU code: {p}; choose the CPU, or install a build with CUDA
  dieser Build hat keinen GPU-Code: {}; wählen Sie die CPU, oder installieren Sie einen Build mit CUDA
it was built for the CPU alone (MORPHO_CUDA=OFF)
  er wurde nur für die CPU gebaut (MORPHO_CUDA=OFF)
no NVIDIA GPU was found (MORPHO_CUDA=ON builds it for another machine)
  keine NVIDIA-GPU gefunden (MORPHO_CUDA=ON baut ihn für einen anderen Rechner)
nvcc {} is too old: C++20 needs 12
  nvcc {} ist zu alt: C++20 braucht 12
CUDA found no GPU
  CUDA hat keine GPU gefunden
{} (this machine has no NVIDIA driver)
  {} (dieser Rechner hat keinen NVIDIA-Treiber)
{} (the NVIDIA driver is for CUDA {})
  {} (der NVIDIA-Treiber ist für CUDA {})
the GPU stopped answering ({}); the engine must be restarted to use it again
  die GPU antwortet nicht mehr ({}); um sie wieder zu nutzen, muss die Engine neu gestartet werden
the GPU has not enough free memory ({}); close other programs that use it, run with fewer threads (each holds a window there), or choose the CPU
  der freie Speicher der GPU reicht nicht ({}); schließen Sie andere Programme, die sie nutzen, nehmen Sie weniger Threads (jeder hält dort ein Fenster), oder wählen Sie die CPU
the GPU cannot be used ({}); update its driver, or choose the CPU
  die GPU ist nicht nutzbar ({}); aktualisieren Sie den Treiber, oder wählen Sie die CPU
a GPU call was refused ({}); please report this
  ein Aufruf der GPU wurde abgelehnt ({}); bitte melden Sie das
no GPU can be used ({p}); choose the CPU
  keine GPU ist nutzbar ({}); wählen Sie die CPU
a GPU from 0 to {}
  eine GPU von 0 bis {}
`
