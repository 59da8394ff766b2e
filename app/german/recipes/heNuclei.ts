// H&E nuclei in German.
import * as shared from './shared'
import type { GermanRecipe } from './shape'

export const heNuclei: GermanRecipe = {
  name: 'H&E-Kerne',
  description:
    'Kerne in Hämatoxylin und Eosin. Passt sich der Färbung des Schnitts und jeder Umgebung an und trennt Kerne, die sich berühren. Die erste Wahl für einen neuen Schnitt.',
  layers: shared.layers,
  stages: {
    image: shared.image,
    tissue: shared.tissue,
    stains: {
      ...shared.stainsStage,
      params: {
        hematoxylinRed: shared.stainColour('Hämatoxylin', 'red'),
        hematoxylinGreen: shared.stainColour('Hämatoxylin', 'green'),
        hematoxylinBlue: shared.stainColour('Hämatoxylin', 'blue'),
        eosinRed: shared.stainColour('Eosin', 'red'),
        eosinGreen: shared.stainColour('Eosin', 'green'),
        eosinBlue: shared.stainColour('Eosin', 'blue'),
      },
    },
    channel: {
      label: 'Kanal',
      help: shared.channelHelp,
      params: { image: shared.nucleiImage, smoothing: shared.smoothing, coarseSmoothing: shared.coarseSmoothing },
    },
    threshold: shared.threshold,
    mask: {
      ...shared.mask,
      params: {
        ...shared.mask.params,
        gapRadius: {
          label: 'Randlücken schließen',
          help: 'Schließt Lücken bis zur doppelten Breite im Rand eines Kerns, sodass sein blasses Inneres gefüllt wird. Weniger als ein halbes Pixel: aus.',
        },
      },
    },
    split: shared.split,
    objects: shared.objects,
    candidates: shared.candidates,
    reject: {
      label: 'Auslassen',
      help: 'Objekte, die nach ihrer Farbe oder der ihrer Umgebung keine Kerne sind: die, bei denen mindestens die Hälfte der Pixel sie hat.',
      params: {
        pigment: {
          label: 'Pigment',
          help: 'Dunkelbraun bis schwarz: Melanin, Kohlenstaub, Formalinpigment. Helleres Braun sieht der Hämatoxylinkanal nicht.',
        },
        redCells: {
          label: 'Erythrozyten',
          help: 'Das Rot von Blut. Der Hämatoxylinkanal sieht keines; invertiertes Rot und Dunkelheit schon. Manche Scanner machen auch Kerne rot: Prüfen Sie, was ausgelassen wird.',
        },
        keratin: {
          label: 'Keratin',
          help: 'Eine dicke Hornschicht: was nicht blauer ist als seine Umgebung im Radius des lokalen Kontrasts. Einzelne Lamellen bleiben; blasse oder dichte Kerne können entfallen.',
        },
        mucin: {
          label: 'Muzin',
          help: 'Blass und bläulich, wie Muzin, und Krümel grüner oder blauer Farbe.',
        },
        folds: {
          label: 'Falten',
          help: 'Rosa Gewebe, das doppelt liegt: röter als blau, ohne helle Stelle im Radius des lokalen Kontrasts. Violette Falten bleiben.',
        },
      },
    },
    cells: shared.cells,
  },
}
