// Facts from the engine and the shell, put into the store.
import { analysedChannel, isOver, type AppEvent, type AppInfo, type RunStatus } from '../../app/contract'
import { api, type Connection } from '../api'
import { words } from '../words'
import { cohortChanged, refreshCohort, refreshSlides } from './cohort/cohortActions'
import { commandNamed } from './base/commandKeys'
import { runCommand } from './commands/commands'
import { tellMissingDevice } from './runs/deviceActions'
import { askDevices, engineLost, engineMissing } from './engine/engineActions'
import { exportNotice, imagesNotice, importNotice } from './document/regionNotice'
import { refreshInterrupted } from './engine/interruptedActions'
import { followLanguage } from './base/languageActions'
import { tell, tellError } from './base/notify'
import { lastSlide } from './base/persist'
import { documentChanged, measure, refreshProject, slideChanged } from './document/documentActions'
import { setSpecs } from './slices/recipeSlice'
import { viewSettled } from './runs/previewActions'
import { resultTiles } from './runs/resultTiles'
import { ended } from './runs/runEnds'
import { endedElsewhere, listedAs, refreshRuns } from './runs/runList'
import { slidesOf } from './slices/documentChange'
import { choose, chosenRun, fullRuns, isStarting, setHidden, upsertElsewhere, upsertStatus } from './slices/runSlice'
import { bringLooks } from './slide/keptLooks'
import { listRecents, openSlide, reopenSlide } from './slide/slideActions'
import { beginAtStart } from './commands/startActions'
import { exportProgressed } from './slices/uiSlice'
import { getState, patch, update, useStore, type State } from './store'
import { watchMap } from './slide/mapActions'
import { watchTable } from './selection/tableActions'
import { watchWithin } from './runs/withinActions'
import { recipeSaid } from '../words/named'

/** Every window hears of every run: of those on its slide that it knows or has just asked for, and of the others. */
function progressed(status: RunStatus): void {
  listedAs(status)
  const { runs, slide } = getState()
  const expected = runs.byId[status.runId] !== undefined || isStarting(runs)
  if (status.slideId === slide.info?.slideId && expected) update('runs', (state) => upsertStatus(state, status))
  else if (isOver(status)) endedElsewhere(status)
  // A preview that this window did not wait for is listed there all the same: its end must be heard.
  update('runs', (state) => upsertElsewhere(state, status))
}

function announced(event: Extract<AppEvent, { type: 'run:tiles' }>): void {
  const { runs } = getState()
  // Of a run that is learned of later, the tiles are asked for then.
  if (runs.byId[event.runId] || isStarting(runs)) resultTiles.announce(event.runId, event.tiles)
}

function receive(event: AppEvent): void {
  switch (event.type) {
    case 'run:progress':
      return progressed(event.status)
    case 'run:tiles':
      return announced(event)
    case 'runs:changed':
      if (event.message) tell(event.message, words.names.results, 12_000)
      return void refreshRuns()
    case 'run:end':
      progressed(event.status)
      return ended(event.status)
    case 'document:changed':
      void refreshSlides(event.change ? slidesOf(event.change) : 'all')
      return void documentChanged(event)
    case 'slides:pictured':
      return void refreshSlides([event.key])
    case 'cohort:changed':
      return cohortChanged(event.cohort)
    case 'export:progress':
      if (getState().exporting.runId === event.runId)
        update('exporting', (state) => exportProgressed(state, event.file, event.fraction, performance.now()))
      return
    case 'spatial:progress':
      if (getState().table.view?.runId === event.runId && getState().table.busy) patch('table', { measured: event.fraction })
      return
    case 'import:progress':
      if (getState().slide.info?.slideId === event.slideId) importNotice.progressed(event.fraction)
      return
    case 'images:progress':
      if (getState().slide.info?.slideId === event.slideId) imagesNotice.progressed(event.fraction)
      return
    case 'regions:written':
      if (getState().project.doc?.slide === event.key) exportNotice.progressed(event.fraction)
      return
    case 'engine:lost':
      // The first engine never answered: the window begins with this one.
      if (event.restarted && !getState().ui.app) return void begin()
      if (event.restarted) {
        void refreshInterrupted()
        // Its document may be another, and its revisions lower.
        void refreshProject()
      }
      patch('cohort', { cohort: null })
      return engineLost(event)
    case 'slide:requested':
      return void openSlide(event.path)
    case 'command': {
      const command = commandNamed(event.command)
      if (command) runCommand(command)
    }
  }
}

async function begin(): Promise<void> {
  if (getState().ui.engineGone) patch('ui', { banner: null, engineGone: null })
  const [app, specs, settings] = await Promise.all([
    api().call('app:info', undefined),
    api().call('recipe:list', undefined),
    api().call('settings:get', undefined),
  ])
  // One word about an engine that is not there, and not one for each of its answers.
  if (!app.ok && getState().ui.connection === 'online') return engineMissing(app.error)
  if (settings.ok) {
    patch('ui', { settings: settings.value })
    followLanguage(settings.value.language)
    patch('overlay', { style: settings.value.overlayStyle, opacity: settings.value.overlayOpacity })
    patch('device', { chosen: settings.value.device })
  }
  if (specs.ok)
    update('recipe', (recipe) => setSpecs(recipe, specs.value.map(recipeSaid), settings.ok ? settings.value.recipeSpec : ''))
  else tellError(specs.error, words.about.recipes)
  if (!app.ok) return tellError(app.error)
  patch('ui', { app: app.value })
  tellMissingDevice()
  void listRecents()
  void refreshInterrupted()
  void refreshCohort()
  if (!getState().slide.info && getState().slide.opening === null) await openFirst(app.value)
  else await refreshRuns()
}

/** A page that comes back, by a reload above all, shows the slide that it showed, with its runs; a new one what the shell says, else what people have opened lately. */
async function openFirst({ initialSlide, sampleSlide }: AppInfo): Promise<void> {
  const last = lastSlide()
  if (last && (await openSlide(last.path, last.mpp ?? undefined))) {
    for (const runId of last.hidden) update('runs', (runs) => (runs.byId[runId] ? setHidden(runs, runId, true) : runs))
    const { activeId } = last
    if (activeId !== null && !last.hidden.includes(activeId)) update('runs', (runs) => choose(runs, activeId))
  } else if (initialSlide !== null && initialSlide !== last?.path) await openSlide(initialSlide)
  else if (initialSlide === null) await beginAtStart(last === null ? sampleSlide : null)
  else await refreshRuns()
}

/** Whose objects regions count: what they hold is asked for again when a run has ended, is gone, or another is chosen. */
function chosenOf({ runs }: State): string {
  return [chosenRun(runs)?.runId, ...fullRuns(runs).map(({ runId, state }) => `${runId} ${state}`)].join()
}

let begun = false

function connected(connection: Connection): void {
  const before = getState().ui.connection
  patch('ui', { connection })
  if (connection !== 'online' || before === 'online') return
  if (!begun || !getState().ui.app) {
    begun = true
    void begin()
  } else void returned()
}

/** The connection is back. The same server still has the slide and the runs; a new one has not. */
async function returned(): Promise<void> {
  void refreshProject()
  if (!getState().slide.info) return begin()
  void askDevices()
  void refreshCohort()
  await reopenSlide()
  // One that was asked for, and whose answer was lost, is shown by nothing.
  viewSettled()
}

export function listen(): () => void {
  const offEvents = api().onEvent(receive)
  const offConnection = api().onConnection(connected)
  // Revisions of runs that nothing shows are let go with them.
  const offRuns = useStore.subscribe((state, before) => {
    if (state.runs.byId === before.runs.byId || isStarting(state.runs)) return
    const running = Object.keys(state.runs.byId)
    if (running.length < Object.keys(before.runs.byId).length)
      resultTiles.keepOnly(new Set([...running, ...state.second.runs.map(({ runId }) => runId)]))
  })
  // Another slide has other regions; another run other counts.
  const offProject = useStore.subscribe((state, before) => {
    if (state.slide.info?.slideId !== before.slide.info?.slideId) slideChanged()
    else if (chosenOf(state) !== chosenOf(before)) void measure()
    // A project that is opened may say which channel of the slide on screen is analysed.
    const { path = null } = state.project.doc ?? {}
    const isSeveral = state.slide.info !== null && analysedChannel(state.slide.info) !== null
    if (isSeveral && path !== null && before.project.doc && before.project.doc.path !== path)
      void reopenSlide().then(() => getState().slide.info && bringLooks(getState().slide.info!, true))
  })
  const offTable = watchTable()
  const offMap = watchMap()
  const offWithin = watchWithin()
  return () => {
    offTable()
    offMap()
    offWithin()
    offEvents()
    offProject()
    offConnection()
    offRuns()
  }
}
