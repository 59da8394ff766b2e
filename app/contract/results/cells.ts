// Cells around nuclei: which figures a cell has, in which parts of it stains and channels are measured, and what all these are called.
import type { Dimension } from './measurements'
import { stainTitle } from '../recipes'

/** What is measured of a cell itself, in the order of the engine's five columns (native/engine/query/cell_measures.hpp). */
export const cellFigures = {
  Mean: { title: 'Cell area', dimension: 'area', csv: 'cell_area', geojson: 'Cell: Area' },
  Std: { title: 'Cytoplasm area', dimension: 'area', csv: 'cytoplasm_area', geojson: 'Cytoplasm: Area' },
  Min: {
    title: 'Membrane completeness',
    dimension: 'ratio',
    unit: '%',
    csv: 'membrane_completeness_percent',
    geojson: 'Membrane: Completeness %',
  },
  Max: {
    title: 'Membrane intensity',
    dimension: 'ratio',
    unit: 'OD',
    csv: 'membrane_intensity_od',
    geojson: 'Membrane: Intensity OD',
  },
  Sum: { title: 'Membrane score', dimension: 'ratio', csv: 'membrane_score', geojson: 'Membrane: Score' },
} as const satisfies Record<string, { title: string; dimension: Dimension; unit?: string; csv: string; geojson: string }>
export type CellFigure = keyof typeof cellFigures
export const isCellFigure = (figure: string): figure is CellFigure => Object.hasOwn(cellFigures, figure)

/** The parts of a cell beside its nucleus, whose figures are the object's own. */
export const cellParts = ['Cytoplasm', 'Membrane'] as const

/**
 * What an object's columns behind its own stand for, five a group: the slide's channels, then with cells the cell itself and of each channel
 * (of a slide without channels: of each stain) its cytoplasm and its membrane.
 */
export interface ColumnGroups {
  readonly channels: readonly string[]
  /** Which of them is the cell itself; absent: there are no cells. */
  readonly cellsAt?: number | undefined
  /** Whether their membranes have a score. */
  readonly membranes?: boolean | undefined
}

/** `cells`: 'scored' where their membranes are. */
export function columnGroups(
  channels: readonly string[],
  stainNames: readonly string[],
  cells: 'none' | 'plain' | 'scored',
): ColumnGroups {
  if (cells === 'none') return { channels }
  const sources = channels.length > 0 ? channels : stainNames.map((name) => stainTitle(name))
  const parts = cellParts.flatMap((part) => sources.map((name) => `${part}: ${name}`))
  return { channels: [...channels, 'Cell', ...parts], cellsAt: channels.length, membranes: cells === 'scored' }
}

/** Of what a group's figures are, and how they are told: of the slide's channels in the file's own units, of stains in `stainUnit`. */
export type GroupKind = 'channel' | 'cell' | 'part'
export function groupKind(group: number, { cellsAt = Infinity }: Pick<ColumnGroups, 'cellsAt'>): GroupKind {
  return group < cellsAt ? 'channel' : group === cellsAt ? 'cell' : 'part'
}
/** Whether the parts of cells are measured by stains, as the slide has no channels. */
export const partsAreStains = ({ cellsAt }: Pick<ColumnGroups, 'cellsAt'>): boolean => cellsAt === 0

/** Those that a run's cells have. */
export const cellFiguresOf = ({ membranes = false }: Pick<ColumnGroups, 'membranes'>): readonly CellFigure[] =>
  membranes ? ['Mean', 'Std', 'Min', 'Max', 'Sum'] : ['Mean', 'Std']

/** The column of a membrane's score, 0 to 3; null: there is none. */
export const membraneColumn = ({ cellsAt, membranes = false }: Pick<ColumnGroups, 'cellsAt' | 'membranes'>): string | null =>
  cellsAt === undefined || !membranes ? null : `channel${cellsAt + 1}Sum`
/** Between the scores: 1+, 2+ and 3+ begin above them. */
export const membraneLimits = [0.5, 1.5, 2.5] as const
