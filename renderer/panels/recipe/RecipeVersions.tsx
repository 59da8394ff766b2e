// Versions of recipes under names: keep the values that are set, take others, delete.
import { Button, Popover, TextInput } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useEffect, useState, type FormEvent } from 'react'
import { VersionName, type RecipeVersion } from '../../../app/contract'
import { tip } from '../../store/base/commandKeys'
import { differences, type RecipeState } from '../../store/slices/recipeSlice'
import { patch, useStore } from '../../store/store'
import { forgetVersion, keepVersion, readVersions, takeVersion } from '../../store/recipe/versionActions'
import { IconButton } from '../../widgets/IconButton'
import { words } from '../../words'

const [beforeCommand, afterCommand] = words.versions.noneYet

/** So many labels are read in a row. */
const mostLabels = 3

function differenceWords(state: RecipeState, { recipe }: RecipeVersion): string {
  const labels = differences(state, recipe)
  if (labels === null) return state.specs.find(({ id }) => id === recipe.spec)?.name ?? recipe.spec
  if (labels.length === 0) return words.versions.asSet
  return words.versions.other(words.counts.namesAndMore(labels.slice(0, mostLabels).join(', '), labels.length - mostLabels))
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
        aria-label={words.versions.nameLabel}
        placeholder={words.versions.namePlaceholder}
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        data-testid="version-name"
      />
      <Button size="xs" type="submit" disabled={!fits} data-testid="version-keep">
        {replaces ? words.versions.replace : words.buttons.keep}
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
    <div className="versions" role="group" aria-label={words.versions.title}>
      <Keep versions={versions ?? []} onKept={read} />
      {versions?.length === 0 && (
        <p className="versions-none">
          {beforeCommand}
          <code>morphoscope run --recipe NAME</code>
          {afterCommand}
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
              label={words.versions.delete(version.name)}
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
      <Popover.Dropdown aria-label={words.versions.title} data-testid="versions-list">
        <List />
      </Popover.Dropdown>
    </Popover>
  )
}
