// The recipe: which one, every parameter of every stage, history, files.
import { Button, Select, Switch } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconDeviceFloppy, IconFolderOpen, IconRestore } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { StageSpec } from '../../../app/contract'
import { tip } from '../../store/base/commandKeys'
import { loadRecipe, resetAll, saveRecipe, selectSpec } from '../../store/recipe/recipeActions'
import { darkSlideWords } from '../../store/runs/noObjects'
import { currentSpec, dirtyCount, paramId, valuesOf } from '../../store/slices/recipeSlice'
import { figuresPreview } from '../../store/slices/runSlice'
import { previewNow } from '../../store/runs/previewActions'
import { isDarkSlide } from '../../store/slices/slideSlice'
import { patch, useStore } from '../../store/store'
import { redo, stepName, undo } from '../../store/commands/undoActions'
import { IconButton } from '../../widgets/IconButton'
import { PathDialog } from '../../widgets/PathDialog'
import { Section } from '../../widgets/Section'
import { words } from '../../words'
import { previewCost } from '../dialogs/Timings'
import { LimitFromSlide, StainsFromSlide } from './FromSlide'
import { PanelEdge } from '../PanelEdge'
import { ParamControl } from './ParamControl'
import { RecipeVersions } from './RecipeVersions'

function Stage({ stage }: { readonly stage: StageSpec }) {
  const [all, setAll] = useState(false)
  const values = useStore((state) => valuesOf(state.recipe)[stage.id])
  const meant = stage.params.filter(({ when }) => {
    if (!when) return true
    const value = values?.[when.key] ?? stage.params.find(({ key }) => key === when.key)?.default
    return value !== undefined && when.is.some((each) => each === value)
  })
  const basic = meant.filter((param) => !param.advanced)
  const advanced = meant.filter((param) => param.advanced)
  // Six numbers say little: what they look like stands in their place.
  const isStains = stage.id === 'stains'
  const limit = useStore((state) => currentSpec(state.recipe)?.classes?.limit)
  const hasLimit = meant.some(({ key }) => paramId(stage.id, key) === limit)
  const wanted = useStore(({ ui }) => stage.params.some(({ key }) => paramId(stage.id, key) === ui.paramWanted))
  useEffect(() => {
    if (wanted) setAll(true)
  }, [wanted])
  const shown = all ? meant : basic
  return (
    <Section title={stage.label} folded={basic.length === 0 && !isStains} help={stage.help} wanted={wanted}>
      {isStains && <StainsFromSlide stage={stage} />}
      {(basic.length === 0 && !isStains ? meant : shown).map((param) => (
        <ParamControl key={param.key} stage={stage.id} param={param} />
      ))}
      {hasLimit && <LimitFromSlide />}
      {advanced.length > 0 && (basic.length > 0 || isStains) && (
        <button type="button" className="more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? words.recipe.fewerSettings : words.recipe.moreSettings(advanced.length)}
        </button>
      )}
    </Section>
  )
}

const named = (label: (step: string) => string, step: string | undefined) => (step === undefined ? {} : { label: label(step) })

const undoName = stepName('past')
const redoName = stepName('future')

function Tools() {
  const toUndo = useStore(undoName)
  const toRedo = useStore(redoName)
  const dirty = useStore((state) => dirtyCount(state.recipe))
  const dialogs = useStore((state) => state.ui.app?.dialogs ?? false)
  const [asking, setAsking] = useState<'open' | 'save' | null>(null)
  const file = (mode: 'open' | 'save', path?: string) => void (mode === 'open' ? loadRecipe(path) : saveRecipe(path))
  return (
    <div className="recipe-tools">
      <IconButton
        {...tip('undo')}
        {...named(words.recipe.undo, toUndo)}
        disabled={toUndo === undefined}
        onClick={undo}
        testId="undo"
      >
        <IconArrowBackUp size={16} />
      </IconButton>
      <IconButton
        {...tip('redo')}
        {...named(words.recipe.redo, toRedo)}
        disabled={toRedo === undefined}
        onClick={redo}
        testId="redo"
      >
        <IconArrowForwardUp size={16} />
      </IconButton>
      <IconButton label={words.recipe.loadFile} onClick={() => (dialogs ? file('open') : setAsking('open'))} testId="recipe-load">
        <IconFolderOpen size={16} />
      </IconButton>
      <IconButton label={words.recipe.saveFile} onClick={() => (dialogs ? file('save') : setAsking('save'))} testId="recipe-save">
        <IconDeviceFloppy size={16} />
      </IconButton>
      <RecipeVersions />
      <span className="grow" />
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<IconRestore size={13} />}
        disabled={dirty === 0}
        onClick={resetAll}
        data-testid="reset-all"
      >
        {dirty === 0 ? words.recipe.allDefaults : words.recipe.resetMany(dirty)}
      </Button>
      <PathDialog
        opened={asking !== null}
        title={asking === 'save' ? words.recipe.save : words.recipe.load}
        label={asking === 'save' ? words.recipe.fileToWrite : words.recipe.fileToRead}
        action={asking === 'save' ? words.buttons.save : words.buttons.load}
        placeholder={words.recipe.fileExample}
        onClose={() => setAsking(null)}
        onPath={(path) => asking && file(asking, path)}
      />
    </div>
  )
}

/** What the last answer to a slider cost, and how little of the recipe it had to compute. */
function PreviewCost() {
  const run = useStore(({ runs }) => figuresPreview(runs))
  if (run?.state !== 'done' || run.timings.length === 0) return null
  return (
    <p className="preview-cost num" data-testid="preview-cost">
      {previewCost(run)}
    </p>
  )
}

export function RecipePanel() {
  const specs = useStore((state) => state.recipe.specs)
  const spec = useStore((state) => currentSpec(state.recipe))
  const dark = useStore((state) => isDarkSlide(state.slide))
  const live = useStore((state) => state.ui.livePreview)
  return (
    <aside className="panel left" aria-label={words.names.recipe}>
      <div className="panel-top">
        <Select
          aria-label={words.names.recipe}
          size="sm"
          data={specs.map(({ id, name }) => ({ value: id, label: name }))}
          value={spec?.id ?? null}
          placeholder={words.recipe.none}
          onChange={(id) => id !== null && selectSpec(id)}
          data-testid="recipe-select"
        />
        {spec && <p className="recipe-about">{spec.description}</p>}
        {spec && dark && spec.stainSet !== 'rgb' && (
          <p className="recipe-unfit" role="status" data-testid="recipe-unfit">
            {darkSlideWords(spec.name)}
          </p>
        )}
        <Tools />
      </div>
      <div className="panel-scroll" tabIndex={-1}>
        {spec?.stages.map((stage) => (
          <Stage key={`${spec.id}/${stage.id}`} stage={stage} />
        ))}
      </div>
      <div className="panel-foot">
        <Switch
          size="xs"
          label={words.recipe.livePreview}
          checked={live}
          onChange={(event) => {
            const on = event.currentTarget.checked
            patch('ui', { livePreview: on, previewNote: null })
            if (on) previewNow()
          }}
          data-testid="live-preview"
        />
        <PreviewCost />
      </div>
      <PanelEdge side="left" />
    </aside>
  )
}
