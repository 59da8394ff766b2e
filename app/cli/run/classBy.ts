// `--class-by "CD8 mean > 7550"`: limits on measurements, as the window's rule has them, that part the objects' classes once they are found.
import { measuredChannels } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { columnGroups, cutsOn, measurements, ObjectRule, stainSets, stainStatisticKeys } from '../../contract'
import type { RecipeSpec, RunStatus, SlideInfo } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'

const figures = ['Mean', 'Std', 'Min', 'Max', 'Sum'] as const

/** Each column that a rule may stand on, by what the table calls it and by its own name, in small letters. */
function columnsOf(slide: SlideInfo, { stainSet }: RecipeSpec): Map<string, string> {
  const stainNames = stainSets[stainSet].names
  // Of cells too: where a run has none, nothing of theirs was measured.
  const { channels, cellsAt } = columnGroups(measuredChannels(slide), stainNames, 'scored')
  const keys = [
    ...Object.keys(measurements),
    ...stainNames.flatMap((_, k) =>
      stainStatisticKeys.map((key) => `stain${k + 1}${key.charAt(0).toUpperCase()}${key.slice(1)}`),
    ),
    ...channels.flatMap((_, k) => figures.map((figure) => `channel${k + 1}${figure}`)),
  ]
  const place = { stainSet, stainNames, channels, cellsAt, length: 'px' } as const
  const columns = new Map<string, string>()
  // A title that two have means the first of them.
  for (const key of keys)
    for (const name of [key, cutsOn(key, [0], place).title].map((each) => each.toLowerCase()))
      if (!columns.has(name)) columns.set(name, key)
  return columns
}

/** null: nobody asked. Throws a usage error that says what is wrong with which. */
export function ruleOf(asked: readonly string[] | undefined, slide: SlideInfo, spec: RecipeSpec | undefined): ObjectRule | null {
  if (asked === undefined || asked.length === 0 || !spec) return null
  const columns = columnsOf(slide, spec)
  const parts = asked.map((text) => {
    const [, name = '', limits = ''] = /^(.+)>([^>]+)$/.exec(text) ?? []
    const numbers = limits.split(',').map((limit) => (limit.trim() === '' ? Number.NaN : Number(limit)))
    if (!numbers.every(Number.isFinite))
      throw new CliError(
        ExitCode.usage,
        `expected a measurement and its limit, such as "area > 40" or "CD8 mean > 1200", for --class-by but received ${text}`,
      )
    const column = columns.get(name.trim().toLowerCase())
    if (column === undefined)
      throw new CliError(
        ExitCode.usage,
        `expected one of ${[...columns.keys()].join(', ')} for the measurement of --class-by but received ${name.trim()}`,
      )
    return { column, limits: numbers }
  })
  const [first, ...others] = parts
  const several = parts.find(({ limits }) => limits.length > 1)
  if (several && others.length > 0)
    throw new CliError(ExitCode.usage, 'expected one limit for each --class-by where there are several')
  const and = others.map(({ column, limits }) => ({ column, limit: limits[0]! }))
  const rule = ObjectRule.safeParse({ ...first!, ...(and.length > 0 && { and }) })
  if (rule.success) return rule.data
  throw new CliError(
    ExitCode.usage,
    `${rule.error.issues[0]?.message ?? 'expected other limits'} for --class-by but received ${asked.join(' and ')}`,
  )
}

/** How the run stands with its objects in these classes. */
export async function classedBy(engine: Engine, status: RunStatus, rule: ObjectRule | null): Promise<RunStatus> {
  if (rule === null || status.objects === 0) return status
  const { runId } = status
  valueOf(await engine.call('object:rule', { runId, rule }))
  return valueOf(await engine.call('run:status', { runId })) as RunStatus
}
