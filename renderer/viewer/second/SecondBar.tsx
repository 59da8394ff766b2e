// What the second view shows: slide, layer, result; whether it goes along; how to close it.
import { Select } from '@mantine/core'
import { IconLink, IconLinkOff, IconX } from '@tabler/icons-react'
import type { View } from '../../arithmetic/geometry'
import { tip } from '../../store/base/commandKeys'
import { imageLayers, layerChoices } from '../../store/slide/layerChoices'
import { currentSpec } from '../../store/slices/recipeSlice'
import { fullRuns } from '../../store/slices/runSlice'
import { chooseSecondSlide, leaveSecond, linkViews, setSecondLayer, setSecondResults } from '../../store/slide/secondActions'
import { fileName } from '../../store/slide/slideActions'
import { getState, useStore } from '../../store/store'
import { IconButton } from '../../widgets/IconButton'
import { words } from '../../words'

const own = 'own'

function Slides() {
  const here = useStore((state) => state.slide.info)
  const other = useStore((state) => state.second.slide)
  const recents = useStore((state) => state.slide.recents)
  const ofProject = useStore((state) => state.cohort.slides)
  const paths = new Map([
    ...ofProject.filter(({ missing }) => !missing).map(({ path, name }) => [path, name] as const),
    ...recents.map(({ path, name }) => [path, name] as const),
  ])
  if (other) paths.set(other.path, other.name)
  if (here) paths.delete(here.path)
  return (
    <Select
      size="xs"
      aria-label={words.secondView.slide}
      data={[
        { value: own, label: words.secondView.thisSlide },
        ...[...paths].map(([value, name]) => ({ value, label: name || fileName(value) })),
      ]}
      value={other?.path ?? own}
      onChange={(value) => value !== null && void chooseSecondSlide(value === own ? null : value)}
      data-testid="second-slide"
    />
  )
}

function Layers() {
  const spec = useStore((state) => currentSpec(state.recipe))
  const other = useStore((state) => state.second.slide !== null)
  const layer = useStore((state) => state.second.layer)
  return (
    <Select
      size="xs"
      aria-label={words.secondView.layer}
      data={other ? imageLayers(spec, false) : layerChoices(spec, null)}
      value={layer}
      onChange={(value) => value !== null && setSecondLayer(value)}
      maxDropdownHeight={420}
      data-testid="second-layer-select"
    />
  )
}

function Results() {
  const runs = useStore((state) => state.runs)
  const second = useStore((state) => state.second)
  const list = second.slide ? second.runs : fullRuns(runs)
  return (
    <Select
      size="xs"
      aria-label={words.secondView.result}
      data={[
        { value: 'same', label: second.slide ? words.secondView.allResults : words.secondView.sameResults },
        { value: 'none', label: words.secondView.noResults },
        ...list.map(({ runId, name, objects }) => ({ value: runId, label: words.secondView.run(name, objects) })),
      ]}
      value={second.results}
      onChange={(value) => value !== null && setSecondResults(value)}
      data-testid="second-results"
    />
  )
}

export function SecondBar({ view }: { readonly view: View | null }) {
  const linked = useStore((state) => state.second.link !== null)
  const label = linked ? words.secondView.unlink : words.secondView.link
  return (
    <div className="second-bar" role="toolbar" aria-label={words.secondView.title}>
      <Slides />
      <Layers />
      <Results />
      <IconButton label={label} pressed={linked} onClick={() => linkViews(getState().ui.view, view)} testId="second-link">
        {linked ? <IconLink size={15} /> : <IconLinkOff size={15} />}
      </IconButton>
      <IconButton {...tip('second')} label={words.secondView.close} onClick={() => void leaveSecond()} testId="second-close">
        <IconX size={15} />
      </IconButton>
    </div>
  )
}
