// The guide: what a newcomer finds where. Data only, beside the commands' table; its pictures are made, and its controls found, by
// test/stress/guide.spec.ts, and test/app/guide.test.ts fails where a command is not in it.
import type { Command } from './commands'

export interface GuideMark {
  /** data-testid of the control that the number stands on in the picture. */
  readonly testId: string
  readonly words: string
}

export interface GuideChapter {
  readonly id: string
  readonly title: string
  /** A command in braces stands for its key, whichever keys are chosen. */
  readonly words: readonly string[]
  /** What its picture shows, for who does not see it. */
  readonly alt: string
  /** The numbers in the picture, in their order. */
  readonly marks: readonly GuideMark[]
  readonly commands: readonly Command[]
}

export const guide = [
  {
    id: 'window',
    title: 'The window',
    words: [
      'The slide is in the middle. At the left is the recipe: what is computed, step after step, with a slider for each value. At the right is what came of it: figures, regions, results, the selected object, times.',
      '{palette} finds every command by a few letters of its name. {help} lists all keys; there you can choose QuPath’s, and the window’s language. Every small “i” explains the value beside it.',
    ],
    alt: 'The whole window with a segmented field: recipe at the left, slide in the middle, results at the right',
    marks: [
      { testId: 'open', words: 'Open a slide, or drop a file anywhere' },
      { testId: 'param-channel-smoothing-slider', words: 'A value of the recipe: drag it and look' },
      { testId: 'layer-select', words: 'The slide, a stain, or a step of the recipe' },
      { testId: 'segment-visible', words: 'Segment what you see' },
      { testId: 'object-count', words: 'How many objects, and how dense' },
      { testId: 'zoom-in', words: 'The view’s tools' },
      { testId: 'help', words: 'Keys, and this guide' },
    ],
    commands: [
      'palette',
      'help',
      'guide',
      'tour',
      'licences',
      'leftPanel',
      'rightPanel',
      'themeSystem',
      'themeLight',
      'themeDark',
      'keysMorphoscope',
      'keysQuPath',
      'languageSystem',
      'languageEnglish',
      'languageGerman',
    ],
  },
  {
    id: 'open',
    title: 'Open a slide',
    words: [
      'The start page has the sample, the slides and the projects that you opened lately, with a picture of each tissue and never of a label. SVS, tiled TIFF, OME-TIFF, NDPI, MIRAX, Philips, Leica, DICOM, OME-Zarr and more are read, and plain PNG, JPEG and TIFF.',
      'A slide that does not know its pixel size says “Uncalibrated” in the bottom line: a click there sets it. Lengths are in µm from then on.',
    ],
    alt: 'The start page with the sample slide and the slides that were opened lately',
    marks: [],
    commands: ['open', 'start', 'info'],
  },
  {
    id: 'move',
    title: 'Move about',
    words: [
      'Drag pans, the wheel zooms at the pointer, arrow keys and + − do the same. The bottom line shows the magnification as an objective would give it: a click, or {magnification}, offers the usual ones and takes any number.',
      'The small map at the right shows where you are; a click in it goes there. Turned or flipped, everything that lies over the slide turns with it, and a button beside the scale bar goes back.',
      'A right click on the slide shows what can be done with the object, the region and the field there.',
    ],
    alt: 'The list of magnifications above the bottom line',
    marks: [
      { testId: 'magnification', words: 'The magnification now; a click chooses another' },
      { testId: 'fit', words: 'The whole slide' },
      { testId: 'actual-size', words: 'A pixel of the slide on a pixel of the screen' },
      { testId: 'rotate-right', words: 'Turn' },
      { testId: 'flip', words: 'Flip' },
    ],
    commands: [
      ...([
        'fit',
        'actualSize',
        'zoomIn',
        'zoomOut',
        'magnification',
        'zoomToSelected',
        'slideMenu',
        'move',
        'panLeft',
        'panRight',
        'panUp',
        'panDown',
      ] as const),
      ...(['rotateRight', 'rotateLeft', 'flip', 'fullScreen'] as const),
    ],
  },
  {
    id: 'picture',
    title: 'The picture: brightness, grid, picture of the view',
    words: [
      'Brightness, contrast and gamma change how the slide is shown, for all channels or one. Each channel can be switched off or given another colour, which fluorescence needs. Results do not change: they are computed from the file. A picture that would be almost black opens with auto contrast. While the picture is adjusted a button says so, and takes it back. A slide whose file carries a colour profile can be shown by it; what is analysed stays as the file has it.',
      'The grid’s squares have a round length, which stands above the scale bar. A picture of the view is saved or copied with its outlines, its scale bar and what its colours mean (classes, regions, scales); it is called after the slide, or by its pseudonym where you chose that for exports.',
    ],
    alt: 'The card with brightness, contrast, gamma and the channels’ colours, and the grid over the slide',
    marks: [
      { testId: 'tone', words: 'Brightness, contrast, gamma, channels' },
      { testId: 'toned', words: 'Back to the picture as its file has it' },
      { testId: 'grid-words', words: 'How long a square of the grid is' },
      { testId: 'save-picture', words: 'Save a picture of the view' },
    ],
    commands: ['tone', 'autoTone', 'resetTone', 'grid', 'ruler', 'keepRuler', 'savePicture', 'copyPicture'],
  },
  {
    id: 'channels',
    title: 'Channels of fluorescence',
    words: [
      'A slide of several channels shows all of them together, each in its colour. The card says which are shown. Click a channel’s name, and drag the value below which it is black, and the one from which it is as bright as can be. Auto takes both from the field. Number keys switch channels on and off.',
      '“Segment in” says which channel is analysed; a nuclear stain’s is at first. Every object is measured in all channels, in the file’s own units. The project keeps what you choose, and how channels look. What was found in another channel stays with it. A slide of 16 bits is analysed at 16 bits by Fluorescence nuclei.',
    ],
    alt: 'A slide of three channels in blue, green and red, with the card of its channels',
    marks: [
      { testId: 'channel-show-0', words: 'Whether a channel is shown' },
      { testId: 'channel-color-0', words: 'Its colour' },
      { testId: 'channel-histogram', words: 'How often each value is in the field' },
      { testId: 'channel-high', words: 'From here on it is as bright as can be' },
      { testId: 'channel-auto', words: 'Both ends from what is seen' },
      { testId: 'channel-analysed', words: 'Which one is segmented' },
    ],
    commands: [
      'channels',
      'channel1',
      ...(['channel2', 'channel3', 'channel4', 'channel5', 'channel6', 'channel7', 'channel8', 'channel9'] as const),
    ],
  },
  {
    id: 'second',
    title: 'Two views side by side',
    words: [
      '{second} opens a second view. It shows the same field with another layer or another result, or another slide. The two go together: what you do in one the other follows, and a cross shows where the pointer is. Let go by the link’s button, each moves by itself; linked again, they stay laid over each other as you left them.',
      '{split} is the quick way for one field: left of its bar the slide alone, right of it what was computed.',
    ],
    alt: 'Two views of the same field: outlines in the first, the hematoxylin channel in the second',
    marks: [
      { testId: 'second-slide', words: 'This slide or another' },
      { testId: 'second-layer-select', words: 'Its layer' },
      { testId: 'second-results', words: 'Its result' },
      { testId: 'second-link', words: 'Together, or each by itself' },
    ],
    commands: ['second', 'split', 'overlay', 'style'],
  },
  {
    id: 'segment',
    title: 'Segment',
    words: [
      '{segmentVisible} segments the visible field. A rectangle or the whole slide take longer, and the window says how long before it starts. Tiles appear as they are done, nearest to the middle first; every result is kept in the list until you delete it.',
      'A click on a nucleus selects it, also where nothing has run: then the recipe is run around it. A run is paused and goes on, and what ends a minute’s work asks first.',
    ],
    alt: 'A run under way: tiles appear from the middle, the bar tells how far it is',
    marks: [
      { testId: 'progress', words: 'How far it is, and how long it will take' },
      { testId: 'pause', words: 'Pause, and go on' },
      { testId: 'cancel', words: 'End it: what is done stays' },
    ],
    commands: ['segmentVisible', 'rectangle', 'segmentWhole', 'segmentCenter', 'preview', 'pause', 'cancel', 'device'],
  },
  {
    id: 'stages',
    title: 'Marker, mask and the steps of a recipe',
    words: [
      'A recipe is a row of steps. H&E nuclei first makes one grey image of the slide, its channel, in which nuclei are bright. From it and its neighbourhood’s levels comes the mask: every pixel that may belong to a nucleus. In the mask, each pixel’s depth (how far it is from the edge) and darkness have peaks; each peak is a marker, one for each nucleus. From the markers the watershed floods the mask, and where two floods meet, touching nuclei are parted.',
      'Marker and mask are also the two inputs of reconstruction: the marker says which objects are meant, the mask how far each may reach. Each step’s image is a layer; choose it above the slide, and watch it while you drag a slider.',
    ],
    alt: 'The same field as each step of the recipe leaves it: channel, lower envelope, contrast, mask, depth and darkness, markers, nuclei',
    marks: [],
    commands: ['undo', 'redo', 'resetAll', 'versions'],
  },
  {
    id: 'tune',
    title: 'Tune what you see',
    words: [
      'The visible field is computed again while a slider moves, from the first step that the value touches. Under the slider of a threshold stands the histogram of what it cuts; while it moves, what is above is coloured on the slide. The “i” beside each value explains it, with its unit and a small picture of what less and more of it do.',
      'The stains of the recipe can be taken from the slide, or from the selected region where the slide’s own tell too little; so can the limit between positive and negative nuclei of IHC.',
      'Values that work are kept under a name, for this window, other windows and the command line. Everything can be undone.',
    ],
    alt: 'The histogram under the threshold’s slider',
    marks: [
      { testId: 'param-threshold-level-slider', words: 'The slider of a threshold' },
      { testId: 'cut-histogram', words: 'What it cuts, and how much of the field is above' },
    ],
    commands: [],
  },
  {
    id: 'why',
    title: 'Why is this kept or dropped?',
    words: [
      '{why} asks of the point under the pointer: each step’s value there, the rule that kept or dropped it, and the values that would change the answer. A click on an offer sets the value.',
    ],
    alt: 'The card that says which rule dropped a point, what each step shows there, and which values would keep it',
    marks: [{ testId: 'why-verdict', words: 'The verdict, and the rule' }],
    commands: ['why'],
  },
  {
    id: 'results',
    title: 'Read a result',
    words: [
      'Count, density and positive share stand first. {table} opens the table of objects: filter, sort, brush its histogram; a row selects its object on the slide. Under the histogram of a stain’s density, cut-offs give the positive share with its 95 % interval, or the H-score and the Allred score: type them or drag them, and the recipe has them too. {membrane} draws a cell around each nucleus and scores its membrane by how much of it is brown, and how strongly. “Also by another column” adds a limit on a second measurement: classes are then “CD3+ CD8-” and so on. With classes the figures have a hot spot: the circle with the highest positive share, with its interval. Its size, and how many objects it holds at least, are typed there; {hotSpot} goes to it, and it can be kept as a region. Reports and the project’s summary also have one of each region, of its own objects alone. The palette’s button in the top bar colours objects by a measurement, with a legend.',
      '{spatial} adds columns on where objects lie: the distance to the border of the regions of each class, below 0 inside; the distance to the nearest object of each class; how many objects are within a radius, for each mm²; the mean distance to the nearest; and neighbours. They can be filtered, sorted and plotted, and exports have them.',
      '{bands} counts what lies in bands along the border of a class of regions, inside and outside: objects of each class, per mm² of the band that was analysed, and the positive share with its interval. The limits are typed. {densityMap} lays a map over the slide: of each place how many objects lie within a radius, for each mm², or their positive share. Where it is high it gives regions, which can be taken back.',
      '{timeline} shows when each window of the run was computed, by device and step. {compare} holds two results against each other: what only one of them has, how much their areas agree, which values differ.',
    ],
    alt: 'The table of objects under the slide, with the histogram of their areas',
    marks: [
      { testId: 'look', words: 'Colours of objects and layers' },
      { testId: 'table-toggle', words: 'The table of objects' },
    ],
    commands: [
      'table',
      'positiveShare',
      'hScore',
      'membrane',
      'hotSpot',
      'spatial',
      'bands',
      'densityMap',
      'timeline',
      'compare',
      'carry',
    ],
  },
  {
    id: 'correct',
    title: 'Correct it by hand',
    words: [
      '{lasso} draws a lasso around objects: delete them, give them a class by a digit, make one of them, fill their holes, grow or shrink them. A line splits those that it crosses. {addObjects} adds what was missed by a click, and {redrawObject} redraws an outline with a brush. All of it can be undone, is in every export, and {carry} carries it over to the next run’s objects where they are the same.',
    ],
    alt: 'A lasso around some objects, and the card that says how many they are',
    marks: [{ testId: 'lasso-tool', words: 'The lasso' }],
    commands: [
      'lasso',
      'mergeObjects',
      'fillHoles',
      'growObjects',
      'shrinkObjects',
      'splitObjects',
      'addObjects',
      'redrawObject',
      'deleteRegions',
    ],
  },
  {
    id: 'regions',
    title: 'Regions of interest, wand, brush and points',
    words: [
      'Regions are rectangles, ellipses, polygons, or drawn by hand. Shift adds to the selected one, Alt cuts out of it. The brush paints; the wand outlines what stands out under the pointer, and Ctrl with the wheel makes it larger or smaller before a click keeps it. Points count by clicking, by class; lines have their length, and what the ruler measured can be kept as one.',
      'Regions have names and classes, count the objects in them, and go to QuPath and back as GeoJSON. Each can be written as a picture, too.',
      'On a tissue microarray {findCores} finds the cores, in rows and columns, also where some are missing. There they get their names, and their cases, typed or from a CSV; a click marks one as missing. The summary has a table by core.',
      'Cells that QuPath, StarDist, Cellpose or others found come in the same way, or drop the file on the slide: GeoJSON, a label image, or a table of points. They become a result, measured anew. A cell with a nucleus keeps both outlines. What the file does not say, the window asks. The summary uses such a result where no recipe has one, or where you choose it.',
      'Another section of the same block lends its regions and objects. “Carry over from another section” lays the two tissues on each other, or places that are marked on both, and says how well they fit.',
    ],
    alt: 'A region over the slide with its handles and its name, and its tools at the right',
    marks: [
      { testId: 'region-shape', words: 'A region: drag it, or its handles' },
      { testId: 'wand-tool', words: 'The wand' },
    ],
    commands: [
      ...(['drawRectangle', 'drawEllipse', 'drawPolygon', 'drawFreehand', 'brush', 'brushSmaller', 'brushLarger'] as const),
      ...([
        'wand',
        'points',
        'drawLine',
        'drawPolyline',
        'nameRegion',
        'segmentRegions',
        'findCores',
        'markCores',
        'showRegions',
        'finish',
        'importRegions',
        'carrySection',
        'exportRegions',
        'exportRegionImages',
      ] as const),
    ],
  },
  {
    id: 'export',
    title: 'Many slides, and what leaves the program',
    words: [
      'A project holds many slides with their regions, classes and results. Add them, run the recipe over all or the ticked ones, and read one table over slides and regions. It is kept as you work; {saveProject} makes it a folder of your own, and the start page has those without a name.',
      '{export} writes objects, labels, pictures, the recipe and the times into a folder, whole or not at all, and replaces nothing unasked. objects.h5ad is for scanpy, labels.zarr for napari, spatialdata.zarr for squidpy. shapes.lmd.xml and shapes.palm.txt tell a laser microscope what to cut, by three marks of the slide. A report is one page, and a PDF on the desktop. With the pseudonym ticked, no file has the slide’s name. QuPath crops Leica’s and MIRAX’s slides: there “Coordinates for QuPath” has objects lie where QuPath has them.',
    ],
    alt: 'The dialog for exporting, with its list of files and the box for a pseudonym',
    marks: [{ testId: 'export-deidentify', words: 'A pseudonym instead of the slide’s name, in every file' }],
    commands: [
      ...(['addSlide', 'addSlides', 'runSlides', 'summary', 'export'] as const),
      ...(['newProject', 'openProject', 'saveProject'] as const),
    ],
  },
] as const satisfies readonly GuideChapter[]

export const guideChapters: readonly GuideChapter[] = guide
