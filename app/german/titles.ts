// Titles of app/contract, and those that the engine makes, in German: measurements, statistics, stains, units, classes, timings.
import { names } from './names'
import { Phrasebook, phrasesIn } from './phrases'

/** By the English title. app/german/phrases.ts says what stands in braces. */
const texts = `
Area
  Fläche
Perimeter
  Umfang
Major axis
  Lange Achse
Minor axis
  Kurze Achse
Circularity
  Rundheit
Eccentricity
  Exzentrizität
Solidity
  Solidität
Orientation
  Ausrichtung
Contrast
  Kontrast
Score
  Score
Stained area
  Gefärbte Fläche
Object
  Objekt
Centre x
  Mitte x
Centre y
  Mitte y
Class
  Klasse
Regions
  Regionen
Cell
  Zelle
Cell area
  Zellfläche
Cytoplasm area
  Zytoplasmafläche
Membrane completeness
  Vollständigkeit der Membran
Membrane intensity
  Intensität der Membran
Membrane score
  Membran-Score
Cytoplasm
  Zytoplasma
Membrane
  Membran
Cytoplasm: {p}
  Zytoplasma: {}
Membrane: {p}
  Membran: {}
mean
  Mittel
SD
  SD
min
  Min.
max
  Max.
sum
  Summe
{p} mean
  {} Mittel
{p} SD
  {} SD
{p} min
  {} Min.
{p} max
  {} Max.
{p} sum
  {} Summe
Optical density
  Optische Dichte
Intensity
  Intensität
Hematoxylin
  Hämatoxylin
hematoxylin
  Hämatoxylin
Eosin
  Eosin
eosin
  Eosin
Residual
  Rest
residual
  Rest
Red
  Rot
red
  Rot
Green
  Grün
green
  Grün
Blue
  Blau
blue
  Blau
gray
  Grau
Channel {n}
  Kanal {}
channel {n}
  Kanal {}
one picture
  ein Bild
label
  Etikett
macro
  Übersichtsbild
thumbnail
  Vorschaubild
level
  Stufe
on
  an
off
  aus
fluorescence
  Fluoreszenz
no stain that is known
  keine bekannte Färbung
Macenko
  Macenko
Macenko 2009: the outermost colours of all the stained pixels of the slide’s sample
  Macenko 2009: die äußersten Farben aller gefärbten Pixel der Stichprobe des Schnitts
By parts
  Nach Teilen
The middle of what 36 parts of the sample say: blood, pigment or ink in a few of them moves it little
  Die Mitte dessen, was 36 Teile der Stichprobe sagen: Blut, Pigment oder Tinte in wenigen davon verschieben sie kaum
16 bits by Fluorescence nuclei, 8 bits by other recipes
  16 Bit mit Fluoreszenzkerne, 8 Bit mit anderen Rezepten
8 bits by all recipes: {} to {} of {} are 0 to 255, rounded to the nearest
  8 Bit mit allen Rezepten: {} bis {} von {} sind 0 bis 255, gerundet
{} ({}, {} to {}; measured)
  {} ({}, {} bis {}; gemessen)
{} ({}, {} to {}; analysed)
  {} ({}, {} bis {}; analysiert)
{} ({}, {} to {}; red)
  {} ({}, {} bis {}; Rot)
{} ({}, {} to {}; green)
  {} ({}, {} bis {}; Grün)
{} ({}, {} to {}; blue)
  {} ({}, {} bis {}; Blau)
looks like {p} ({} %), and {p} is made for {p}
  sieht nach {} aus ({} %), und {} ist für {} gemacht
per mm² of area
  pro mm² Fläche
per mm² of tissue
  pro mm² Gewebe
Negative
  Negativ
Positive
  Positiv
negative
  negativ
positive
  positiv
Weak 1+
  Schwach 1+
Moderate 2+
  Mäßig 2+
Strong 3+
  Stark 3+
Tumor
  Tumor
Stroma
  Stroma
Immune cells
  Immunzellen
Necrosis
  Nekrose
Other
  Andere
{p} above {}
  {} über {}
{p} above {}, {P}
  {} über {}, {}
{p}: 1+ above {}, 2+ above {}, 3+ above {}
  {}: 1+ über {}, 2+ über {}, 3+ über {}
below {n}
  unter {}
{n} and above
  ab {}
{n} to {n}
  {} bis {}
{n} to {n} %
  {} bis {} %
{} % ({n} to {n} %)
  {} % ({} bis {} %)
Not all rows stand on the same cut-offs, so their positive shares and H-scores cannot be compared. {p}. Run one recipe over all slides: then they are the same.
  Nicht alle Zeilen beruhen auf denselben Grenzwerten, also sind ihre positiven Anteile und H-Scores nicht vergleichbar. {}. Lassen Sie ein Rezept über alle Schnitte laufen: Dann sind sie gleich.
{} and {n} more: {p}
  {} und {} weitere: {}
{}: {P}
  {}: {}
Distance to nearest object
  Abstand zum nächsten Objekt
Mean distance to {n} nearest
  Mittlerer Abstand zu den {} nächsten
Distance to border of {p}
  Abstand zum Rand von {}
Distance to nearest {p}
  Abstand zum nächsten: {}
Density within {}
  Dichte im Umkreis von {}
Neighbours
  Nachbarn
Neighbours: {p}
  Nachbarn: {}
Neighbours within {}
  Nachbarn im Umkreis von {}
Neighbours within {}: {p}
  Nachbarn im Umkreis von {}: {}
objects
  Objekte
positive share
  positiver Anteil
objects of class {p}
  Objekte der Klasse {}
not run
  ohne Lauf
in regions
  in Regionen
done
  fertig
partial
  unvollständig
failed
  fehlgeschlagen
cancelled
  abgebrochen
queued
  wartet
running
  läuft
paused
  pausiert
tissue
  Gewebe
read
  Lesen
upload
  Übertragen
download
  Zurückholen
channel
  Kanal
threshold
  Schwelle
mask
  Maske
brown
  Braun
distance
  Distanz
split
  Trennen
candidates
  Mehrere Schwellen
detection
  Erkennungsbild
nucleus
  Kern
cell
  Zelle
tree
  Baum
nodes
  Knoten
marker
  Marker
background
  Hintergrund
measure
  Messen
pack
  Packen
shard
  Teillauf
ground
  Hintergrund
ground: {p}
  Hintergrund: {}
kept
  aufgehoben
kept from earlier runs
  aus früheren Läufen
pinned memory
  fester Speicher
staged memory
  Zwischenspeicher
`

export const titles = phrasesIn(texts + names)
const book = new Phrasebook(titles)

/** The German title, also of one that is put together ("Hematoxylin mean", "Membrane: DAB"). null: there is none, as for a user's own name. */
export const germanTitle = (title: string): string | null => book.german(title)
