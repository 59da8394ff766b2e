// The messages about the engine's process in German (app/host). app/german/phrases.ts says what stands in braces.

export const host = `
it was killed, which is what the system does when memory runs out
  sie wurde beendet, wie es das System bei Speichermangel tut
it was told to end
  sie wurde aufgefordert, sich zu beenden
it crashed while reading or analysing the slide ({})
  sie stürzte beim Lesen oder Analysieren des Schnitts ab ({})
it crashed while opening a project ({})
  sie stürzte beim Öffnen eines Projekts ab ({})
it crashed, or this processor lacks an instruction that it needs ({})
  sie stürzte ab, oder diesem Prozessor fehlt ein nötiger Befehl ({})
it ended with {}
  sie endete mit {}
The engine stopped: {P}.
  Die Engine ist ausgefallen: {}.
The engine stopped while it worked on this: {P}.
  Die Engine ist dabei ausgefallen: {}.
The engine stopped: {P} and is not started again by itself.
  Die Engine ist ausgefallen: {}. Sie startet nicht mehr von selbst.
The engine stopped {n} times in a row (the last time {P}) and is not started again by itself.
  Die Engine ist {}-mal nacheinander ausgefallen (zuletzt: {}) und startet nicht mehr von selbst.
A new one is running.
  Eine neue läuft.
Interrupted runs are offered with what they had finished; exported files are safe.
  Unterbrochene Läufe werden mit dem Fertigen angeboten; exportierte Dateien sind sicher.
It starts again by itself; open the slide and run again.
  Sie startet von selbst neu; öffnen Sie den Schnitt und starten Sie den Lauf erneut.
It starts again by itself; try again.
  Sie startet von selbst neu; versuchen Sie es erneut.
Start it again, and try a smaller region or another slide.
  Starten Sie sie neu, und versuchen Sie eine kleinere Region oder einen anderen Schnitt.
Start it again, and try another project.
  Starten Sie sie neu, und versuchen Sie ein anderes Projekt.
The engine ended, and another could not start.
  Die Engine wurde beendet, und eine andere konnte nicht starten.
The slide {} was open.
  Der Schnitt {} war geöffnet.
It was opening the project {}.
  Sie öffnete gerade das Projekt {}.
The slides {} were open.
  Die Schnitte {} waren geöffnet.
`
