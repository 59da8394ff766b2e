// What each column of the tables means, and by which formula: by the names that the program's own tables give it. A test writes real tables and compares.
import type { CellFigure, MeasurementKey, StainStatistic } from '../../../app/contract'

/** Capitals stand for what the slide, the recipe or the command line gives: the name of a stain, a number. */
export interface ColumnText {
  readonly header: string
  readonly unit: string
  readonly text: string
}

export const measurementTexts = {
  area: 'Number of pixels × area of a pixel.',
  perimeter:
    'Length of all borders, those of holes too, by Crofton’s formula: π/4 (n₀ + n₉₀ + (n₄₅ + n₁₃₅) / √2). n is the number of pixels whose next one in that direction is outside.',
  majorAxis:
    'Longer axis of the ellipse with the same second moments: 4 √λ of the larger eigenvalue. Each pixel counts as a square, which adds 1/12 px².',
  minorAxis: 'Shorter axis of the same ellipse: 4 √λ of the smaller eigenvalue.',
  orientation:
    'Direction of the major axis, from −90 to 90, counter-clockwise from the x axis as seen on the screen. 0 where no direction stands out.',
  eccentricity: '√(1 − (minor axis / major axis)²): 0 is a circle, 1 a line.',
  circularity: '4π × area / perimeter², at most 1.',
  solidity: 'Area / area of the convex hull of the corners of the pixels.',
  contrast:
    'Mean above the lower envelope × (area / typical area)^¼, in multiples of the slide’s own level. Of recipes that compare with the surroundings; else empty.',
  score:
    'Mean of what contrast and solidity give, 0 to 100: how much the object looks like one whole nucleus. It is no probability. Of recipes with a contrast; else empty.',
  stainedArea: 'Share of the pixels whose stain is above the recipe’s limit for stained. Of recipes that can judge by it.',
} as const satisfies Record<MeasurementKey, string>

export const statisticTexts = {
  mean: 'Mean over the pixels of the object.',
  std: 'Standard deviation of all its pixels (not of a sample of them).',
  min: 'Smallest value of a pixel.',
  max: 'Largest value of a pixel.',
} as const satisfies Record<StainStatistic, string>

export const channelTexts = {
  Mean: 'Mean of the samples whose centre lies in the object.',
  Std: 'Standard deviation of these samples.',
  Min: 'Smallest sample.',
  Max: 'Largest sample.',
  Sum: 'Sum of the samples.',
} as const satisfies Record<CellFigure, string>

export const cellTexts = {
  Mean: 'Area of the cell, with its nucleus.',
  Std: 'Area of the cell without nucleus and membrane.',
  Min: 'Share of the cell’s border from which a line towards the nucleus meets a stained pixel of the membrane.',
  Max: 'Mean of the stained pixels of the membrane; 0 where there are none.',
  Sum: '0 below the least completeness; 2 or 3 where the membrane is complete and moderate or strong; else 1.',
} as const satisfies Record<CellFigure, string>

/** Before the shape in objects.csv. */
export const firstTexts: readonly ColumnText[] = [
  { header: 'id', unit: '', text: 'Number of the object: its row, its pixel value in label images, and “Object 12” in QuPath.' },
  {
    header: 'uuid',
    unit: '',
    text: 'Made of the slide’s checksum, the resolution and the object’s pixels: the same pixels have the same.',
  },
  { header: 'slide', unit: '', text: 'Name of the slide, or its pseudonym with `--deidentify`.' },
  { header: 'origin', unit: '', text: '`bounds` with `--origin bounds`; else there is no such column.' },
  { header: 'origin_x_px', unit: 'px', text: 'Where coordinates begin on the slide; with `origin`.' },
  { header: 'origin_y_px', unit: 'px', text: 'The same, down.' },
  {
    header: 'centroid_x_px',
    unit: 'px',
    text: 'Mean of the centres of the pixels. Coordinates are pixels of the full resolution; the first pixel’s centre is 0.5.',
  },
  { header: 'centroid_y_px', unit: 'px', text: 'The same, down.' },
  { header: 'bounds_x_px', unit: 'px', text: 'Left side of the bounding box.' },
  { header: 'bounds_y_px', unit: 'px', text: 'Its upper side.' },
  { header: 'bounds_width_px', unit: 'px', text: 'Its width.' },
  { header: 'bounds_height_px', unit: 'px', text: 'Its height.' },
]

/** After the shape. */
export const classTexts: readonly ColumnText[] = [
  { header: 'class', unit: '', text: 'Class of the object, where the result has classes.' },
  {
    header: 'made_by',
    unit: '',
    text: '`program` or `hand`. Only where a person drew, merged, split or changed some.',
  },
  { header: 'regions', unit: '', text: 'Regions that hold the centroid, where the slide has any with an area.' },
]

/** With --spatial. */
export const spatialTexts: readonly ColumnText[] = [
  {
    header: 'distance_border_CLASS_um',
    unit: 'µm',
    text: 'Distance to the nearest point of the border of the class’s regions; below 0 inside.',
  },
  { header: 'distance_nearest_CLASS_um', unit: 'µm', text: 'Distance to the nearest other object of the class.' },
  { header: 'density_within_N_um_per_mm2', unit: '1/mm²', text: 'Other objects at most N µm away / area of that circle.' },
  { header: 'distance_mean_N_nearest_um', unit: 'µm', text: 'Mean distance to the N nearest other objects.' },
  {
    header: 'neighbours_within_N_um',
    unit: '',
    text: 'Other objects that an edge of the Delaunay triangulation joins, at most N µm away.',
  },
  { header: 'neighbours_CLASS_within_N_um', unit: '', text: 'Those of them that are of the class.' },
]

const interval = (of: string) => ({
  low: `Lower end of the 95 % interval of ${of} (Wilson).`,
  high: `Upper end of the 95 % interval of ${of} (Wilson).`,
})
const positive = interval('the positive share')
const hotSpot = interval('the hot spot’s positive share')
const share = interval('that share')

/** Of the other tables, all that they share by one name. */
export const tableTexts: Readonly<Record<string, string>> = {
  slide: 'Name of the slide, or its pseudonym.',
  region: 'Title of the region; empty: the whole slide.',
  class: 'Class of the region. In bands.csv the class of the objects; empty: all of them.',
  state: 'done, partial, not run, in regions or failed. A core is missing or found; points are counted, lines measured.',
  recipe: 'Recipe of the result.',
  values: 'Eight digits that stand for the recipe’s values: rows with the same ones can be compared.',
  result: 'Name of the result that the figures come from.',
  area_px: 'Area of the region, pixels of the full resolution.',
  area_mm2: 'Area of the region. In bands.csv that of the band, as far as it was analysed.',
  area_error_mm2: 'How far the sum over a third of the scan lines differs.',
  analysed_mm2: 'Area that was computed and could be read.',
  tissue_mm2: 'Of that the area of tissue.',
  objects: 'Number of objects.',
  objects_per_mm2_area: 'Objects / analysed area.',
  objects_per_mm2_tissue: 'Objects / area of tissue.',
  objects_per_mm2: 'Objects / area of the band.',
  positive_share: 'Positive objects / positive and negative objects, 0 to 1.',
  positive_share_low: positive.low,
  positive_share_high: positive.high,
  share: 'Objects of the class / objects of any class, 0 to 1.',
  share_low: share.low,
  share_high: share.high,
  h_score: '1 × the percentage of 1+, 2 × that of 2+ and 3 × that of 3+: 0 to 300.',
  allred: 'Allred score: 0 to 5 for the positive share and 0 to 3 for the mean grade of positive objects.',
  why: 'Why there are no figures, or only some.',
  points: 'Number of counted points.',
  length_um: 'Length of a line.',
  length_px: 'The same in pixels of the full resolution.',
  class_measurement: 'Measurement by which objects have their classes.',
  class_cutoffs: 'The cut-offs on it.',
  stain_warning: 'Why the slide’s stain may not fit the recipe.',
  hot_spot_positive_share: 'Positive share in the hot spot, the circle where it is highest.',
  hot_spot_share_low: hotSpot.low,
  hot_spot_share_high: hotSpot.high,
  hot_spot_objects: 'Number of objects in it.',
  hot_spot_um: 'Diameter of the circle.',
  hot_spot_x_px: 'Its centre on the slide.',
  hot_spot_y_px: 'The same, down.',
  core_row: 'Row of the core, from 1.',
  core_column: 'Its column, from 1.',
  case_label: 'Whose the core is.',
  slides: 'Number of slides.',
  regions: 'Number of regions.',
  shared_mm2: 'Area that lies in several regions of the class; it is counted once.',
  shared_objects: 'Objects in that area; they are counted once.',
  core: 'Name of the core, such as A-1.',
  row: 'Row of the core, from 1.',
  column: 'Its column, from 1.',
  x_px: 'Its centre on the slide.',
  y_px: 'The same, down.',
  diameter_px: 'Its diameter.',
  region_class: 'Class of the regions along whose border the bands lie.',
  from_um: 'Where the band begins, from the border; below 0 inside. Empty: no end.',
  to_um: 'Where it ends; the limit itself belongs to the next band.',
  stage: 'Step of the recipe.',
  device: 'What computed it.',
  variant: 'Which algorithm.',
  ms: 'Time of the step, milliseconds, all windows together.',
  megapixels: 'How much was computed.',
  operation: 'Operation of the step.',
  algorithm: 'Which algorithm it took.',
  calls: 'How often it was called.',
  rounds: 'How many rounds it needed.',
  queue_entries: 'How many entries its queues had in all.',
  longest_queue: 'The longest queue.',
  part: 'Part of the step, such as read or upload.',
  reader: 'Library that read the slide.',
  memory: 'Kind of host memory of a copy.',
  kept: 'yes: the step was kept from before, not computed.',
  found_in: 'A, B or both.',
  id_a: 'Number of the object in the first result.',
  id_b: 'Number of the object in the second.',
  iou: 'Intersection / union of the two, 0 to 1.',
  centroid_x_px: 'Centre of the object on the slide.',
  centroid_y_px: 'The same, down.',
  area_a_px: 'Its area in the first result.',
  area_b_px: 'Its area in the second.',
}
