// Versions of recipes under names: keep the values that are set, take others, delete.
import { Button, Popover, TextInput } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useEffect, useState, type FormEvent } from 'react'
import { VersionName, type RecipeVersion } from '../../app/contract'
import { tip } from '../store/commands'
import { differences, type RecipeState } from '../store/recipeSlice'
import { patch, useStore } from '../store/store'
import { forgetVersion, keepVersion, readVersions, takeVersion } from '../store/versionActions'
import { IconButton } from '../widgets/IconButton'

/** So many labels are read in a row. */
const mostLabels = 3

function differenceWords(state: RecipeState, { recipe }: RecipeVersion): string {
  const labels = differences(state, recipe)
  if (labels === null) return state.specs.find(({ id }) => id === recipe.spec)?.name ?? recipe.spec
  if (labels.length === 0) return 'As it is set now'
  const more = labels.length - mostLabels
  return `Other: ${labels.slice(0, mostLabels).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function Keep({ versions, onKept }: { readonly versions: readonly RecipeVersion[]; readonly onKept: () => Promise<void> }) {
  const [name, setName] = useState('')
  const wanted = name.trim()
  const replaces = versions.some((each) => same(each.name, wanted))
  const fits = VersionName.safeParse(wanted).success
  const keep = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!fits || !(await keepVersion(wanted, replaces))) return
    setName('')
    await onKept()
  }
  return (
    <form className="version-keep" onSubmit={(event) => void keep(event)}>
      <TextInput
        size="xs"
        aria-label="Name for the values that are set now"
        placeholder="Name for these values"
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        data-testid="version-name"
      />
      <Button size="xs" type="submit" disabled={!fits} data-testid="version-keep">
        {replaces ? 'Replace' : 'Keep'}
      </Button>
    </form>
  )
}

function List() {
  const recipe = useStore((state) => state.recipe)
  const [versions, setVersions] = useState<readonly RecipeVersion[] | null>(null)
  const read = async (): Promise<void> => setVersions(await readVersions())
  useEffect(() => void read(), [])
  return (
    <div className="versions" role="group" aria-label="Versions of recipes">
      <Keep versions={versions ?? []} onKept={read} />
      {versions?.length === 0 && (
        <p className="versions-none">
          None yet. A version is found again here, in every window, and by <code>morphoscope run --recipe NAME</code>.
        </p>
      )}
      <ul>
        {versions?.map((version) => (
          <li key={version.name}>
            <button type="button" className="version" onClick={() => takeVersion(version)} data-testid="version">
              <b>{version.name}</b>
              <span>{differenceWords(recipe, version)}</span>
            </button>
            <IconButton
              label={`Delete the version ${version.name}`}
              onClick={() => void forgetVersion(version.name).then(read)}
              testId="version-delete"
            >
              <IconTrash size={15} />
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
  )
}

export function RecipeVersions() {
  const opened = useStore((state) => state.ui.versionsOpen)
  const open = (versionsOpen: boolean): void => patch('ui', { versionsOpen })
  return (
    <Popover opened={opened} onChange={open} position="bottom-start" width={290} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <IconButton {...tip('versions')} onClick={() => open(!opened)} testId="versions">
          <IconBookmark size={16} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Versions of recipes" data-testid="versions-list">
        <List />
      </Popover.Dropdown>
    </Popover>
  )
}
