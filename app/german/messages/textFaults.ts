// Faults of XML, JSON and Zarr in slides' files in German, as native/slide puts them into its messages. app/german/phrases.ts says what stands in braces.

export const textFaults = `
does not begin with an element
  beginnt nicht mit einem Element
holds a control character, or is not in UTF-8
  enthält ein Steuerzeichen oder ist kein UTF-8
is not valid UTF-8
  ist kein gültiges UTF-8
has character data outside its root element
  hat Zeichendaten außerhalb des Wurzelelements
has a document type
  hat einen Dokumenttyp
has more than one root element
  hat mehr als ein Wurzelelement
has no end of its element {}
  hat kein Ende des Elements {}
has no element
  hat kein Element
has no end of {}
  hat kein Ende von {}
    a section of character data = einem Abschnitt mit Zeichendaten
    an instruction = einer Anweisung
    a comment = einem Kommentar
has a name that is none in ASCII
  hat einen Namen, der in ASCII keiner ist
has a value without quotes
  hat einen Wert ohne Anführungszeichen
has a declaration that is none
  hat eine falsche Deklaration
has a declaration that is none of XML 1.0
  hat eine Deklaration, die nicht XML 1.0 ist
is in the encoding {}
  ist in der Kodierung {}
has a comment with two hyphens in it
  hat einen Kommentar mit zwei Bindestrichen
has a declaration that is not at its beginning
  hat eine Deklaration, die nicht am Anfang steht
has text outside its root element
  hat Text außerhalb des Wurzelelements
has ]]> in its text
  hat ]]> im Text
has an end tag that is none
  hat ein falsches Endtag
closes an element that is not open ({})
  schließt ein Element, das nicht offen ist ({})
has more than {} elements one in another
  hat mehr als {} Elemente ineinander
has no space before an attribute of {}
  hat kein Leerzeichen vor einem Attribut von {}
has an attribute without a value ({})
  hat ein Attribut ohne Wert ({})
has < in the value of {}
  hat < im Wert von {}
states {} twice in one element
  nennt {} zweimal in einem Element
has & that begins no reference
  hat &, das keine Referenz beginnt
refers to an entity that is not of the standard
  verweist auf eine Entität, die nicht zum Standard gehört
refers to a character that is none
  verweist auf ein Zeichen, das keines ist
its JSON is wrong: {} was expected at byte {}
  das JSON ist falsch: {} wurde bei Byte {} erwartet
    the end = das Ende
    four hexadecimal digits = vier hexadezimale Ziffern
    the end of a text = das Ende eines Texts
    no control character = kein Steuerzeichen
    an escaped character = ein maskiertes Zeichen
    a value = ein Wert
    a number = eine Zahl
its JSON nests deeper than {} levels
  das JSON ist tiefer als {} Ebenen geschachtelt
its JSON has more than {} values
  das JSON hat mehr als {} Werte
its JSON states "{}" twice
  das JSON nennt „{}“ zweimal
its JSON has {} bytes, more than {}
  das JSON hat {} Byte, mehr als {}
it states no multiscales
  es nennt keine multiscales
its multiscales name no levels
  die multiscales nennen keine Stufen
it names its level {} "{}", which is no place in its folder
  es nennt seine Stufe {} „{}“, das ist kein Ort im Ordner
it states {} axes, and its arrays have {}
  es nennt {} Achsen, und seine Arrays haben {}
it has no axes x and y
  es hat keine Achsen x und y
it has an axis "{}" of {}, and t, c, z, y and x are known
  es hat eine Achse „{}“ von {}, bekannt sind t, c, z, y und x
it states no {} of 1 to {} axes
  es nennt keine {} von 1 bis {} Achsen
its {} has {} axes, and its shape {}
  {} hat {} Achsen, die Form {}
its {} has a side that is not from 1 to 2^26
  {} hat eine Seite, die nicht von 1 bis 2^26 ist
its samples are {}, and not of 8 to 32 bits or float
  die Werte sind {}, nicht 8 bis 32 Bit oder float
its fill value is {}, which is no number
  der Füllwert ist {}, keine Zahl
its fill value is no {}
  der Füllwert ist kein {}
its chunks are packed by {}, for which zlib is needed ({})
  die Chunks sind mit {} gepackt, wofür zlib nötig ist ({})
its chunks are packed by Zstandard, for which its library is needed (Debian: libzstd1; {})
  die Chunks sind mit Zstandard gepackt, wofür seine Bibliothek nötig ist (Debian: libzstd1; {})
its chunks are packed by Blosc, for which its library is needed (Debian: sudo apt install libblosc1; macOS: brew install c-blosc; {})
  die Chunks sind mit Blosc gepackt, wofür seine Bibliothek nötig ist (Debian: sudo apt install libblosc1; macOS: brew install c-blosc; {})
its chunks are packed by {}, for which there is no decoder here
  die Chunks sind mit {} gepackt, wofür es hier keinen Decoder gibt
its byte order is neither little nor big
  die Bytefolge ist weder little noch big
it states no list of codecs
  es nennt keine Liste von Codecs
its chunks are transposed, and only those in C order are read
  die Chunks sind transponiert; gelesen werden nur solche in C-Ordnung
its chunks begin with the codec {}, for which there is no decoder here
  die Chunks beginnen mit dem Codec {}, für den es hier keinen Decoder gibt
it states no byte order of its samples (codec "bytes")
  es nennt keine Bytefolge der Werte (Codec "bytes")
its shards are no whole number of chunks
  die Shards sind keine ganze Zahl von Chunks
its shards have more than {} chunks each
  die Shards haben je mehr als {} Chunks
the tables of its shards are packed
  die Tabellen der Shards sind gepackt
the tables of its shards are in no known place
  die Tabellen der Shards sind an keinem bekannten Ort
its chunks are in the order {}, and only those in C order are read
  die Chunks sind in der Ordnung {}; gelesen werden nur solche in C-Ordnung
its samples went through filters ({}), for which there is no decoder here
  die Werte gingen durch Filter ({}), für die es hier keinen Decoder gibt
its keys are separated by neither . nor /
  die Schlüssel sind weder mit . noch mit / getrennt
it is no array
  es ist kein Array
its chunks are no regular grid
  die Chunks sind kein regelmäßiges Raster
its chunks have names of a kind that is not known here
  die Chunks haben Namen einer Art, die hier nicht bekannt ist
its chunks are stored by a transformer, and none is known here
  die Chunks sind durch einen Transformer gespeichert, hier ist keiner bekannt
it is of no Zarr format that is known here (2 or 3)
  es hat kein Zarr-Format, das hier bekannt ist (2 oder 3)
its chunks have more than {} MiB each. Write it anew in chunks of some hundred px
  die Chunks haben je mehr als {} MiB. Schreiben Sie es neu, in Chunks von einigen hundert px
its chunks have {} × {} px, more than a tile may have. Write it anew in chunks of some hundred px
  die Chunks haben {} × {} px, mehr als eine Kachel haben darf. Schreiben Sie es neu, in Chunks von einigen hundert px
its chunks have {} × {} px, too small for its size. Write it anew in chunks of some hundred px
  die Chunks haben {} × {} px, zu wenig für seine Größe. Schreiben Sie es neu, in Chunks von einigen hundert px
it has {} channels, more than {}
  es hat {} Kanäle, mehr als {}
its axes are in an order in which y and x do not follow each other
  die Achsen sind in einer Ordnung, in der y und x nicht aufeinander folgen
it has {} bytes, which no sane chunk has
  es hat {} Byte, das hat kein vernünftiger Chunk
its shard ends before it
  der Shard endet davor
its file could not be read
  die Datei war nicht lesbar
its shard is shorter than its table
  der Shard ist kürzer als seine Tabelle
the checksum of its shard's table is wrong
  die Prüfsumme der Tabelle des Shards ist falsch
"{}" in its folder {P}
  „{}“ in seinem Ordner {}
is no name of a file
  ist kein Dateiname
could not be looked at: {}
  ließ sich nicht ansehen: {}
is a link that leads out of the folder
  ist ein Link aus dem Ordner hinaus
is no regular file
  ist keine gewöhnliche Datei
may not be read by this user, or changes
  darf mit diesem Konto nicht gelesen werden oder ändert sich
has {} bytes, which no metadata has
  hat {} Byte, so viele haben keine Metadaten
could not be read
  war nicht lesbar
is damaged: {p}
  ist beschädigt: {}
it has no metadata
  es hat keine Metadaten
its metadata ({}) is missing
  die Metadaten ({}) fehlen
its folder holds no chunk
  der Ordner enthält keinen Chunk
its level 0 cannot be read: {p}
  Stufe 0 ist nicht lesbar: {}
zlib has no memory for it, or is of another kind
  zlib hat keinen Arbeitsspeicher dafür oder ist anderer Art
it unpacks to more than the {} bytes of its shape
  es ist entpackt größer als die {} Byte seiner Form
zlib cannot unpack it ({})
  zlib kann es nicht entpacken ({})
Zstandard cannot unpack it to the {} bytes of its shape
  Zstandard kann es nicht auf die {} Byte seiner Form entpacken
its header is none of Blosc's
  der Kopf ist nicht von Blosc
it states {} bytes, more than the {} of its shape
  es nennt {} Byte, mehr als die {} seiner Form
Blosc cannot unpack it ({})
  Blosc kann es nicht entpacken ({})
it is too short for its checksum
  es ist zu kurz für seine Prüfsumme
its checksum is wrong
  die Prüfsumme ist falsch
it holds {} bytes, and its shape has {}
  es enthält {} Byte, und seine Form hat {}
`
