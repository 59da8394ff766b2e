// Facts from the engine and the shell, put into the store.
import { isOver, type AppEvent, type RunStatus } from '../../app/contract'
import { api, type Connection } from '../api'
import { commandNamed, runCommand } from './commands'
import { tellMissingDevice } from './deviceActions'
import { tellError } from './notify'
import { setSpecs } from './recipeSlice'
import { resultTiles } from './resultTiles'
import { ended, lostRequest } from './runActions'
import { emptyRuns, runningRun, upsertStatus } from './runSlice'
import { listRecents, openSlide, reopenSlide } from './slideActions'
import { getState, patch, update, useStore } from './store'

function progressed(status: RunStatus): void {
  update('runs', (runs) => upsertStatus(runs, status))
}

/** The old engine's slides and runs are gone; what the user set is not. */
function engineLost(message: string, restarted: boolean): void {
  const { runs } = getState()
  const running = runningRun(runs)
  const again = running || runs.starting ? lostRequest() : null
  update('runs', () => emptyRuns)
  resultTiles.clear()
  patch('exporting', { running: false, runId: null })
  patch('ui', { banner: { message, again, restarted }, armed: false, previewNote: null })
  if (!restarted) return
  void reopenSlide()
  void askDevices()
}

/** Another engine, or another server, may have other devices. */
async function askDevices(): Promise<void> {
  const app = await api().call('app:info', undefined)
  if (!app.ok) return
  patch('ui', { app: app.value })
  tellMissingDevice()
}

function receive(event: AppEvent): void {
  switch (event.type) {
    case 'run:progress':
      return progressed(event.status)
    case 'run:tiles':
      return resultTiles.announce(event.runId, event.tiles)
    case 'run:end':
      progressed(event.status)
      return ended(event.status)
    case 'runs:changed':
      // Nothing here lists other pages' runs yet.
      return
    case 'export:progress':
      if (getState().exporting.runId === event.runId) patch('exporting', { file: event.file, fraction: event.fraction })
      return
    case 'engine:lost':
      return engineLost(event.message, event.restarted)
    case 'slide:requested':
      return void openSlide(event.path)
    case 'command': {
      const command = commandNamed(event.command)
      if (command) runCommand(command)
    }
  }
}

async function begin(): Promise<void> {
  const [app, specs, settings] = await Promise.all([
    api().call('app:info', undefined),
    api().call('recipe:list', undefined),
    api().call('settings:get', undefined),
  ])
  if (settings.ok) {
    patch('ui', { settings: settings.value })
    patch('overlay', { style: settings.value.overlayStyle, opacity: settings.value.overlayOpacity })
    patch('device', { chosen: settings.value.device })
  }
  if (specs.ok) update('recipe', (recipe) => setSpecs(recipe, specs.value, settings.ok ? settings.value.recipeSpec : ''))
  else tellError(specs.error, 'Recipes')
  if (!app.ok) return tellError(app.error)
  patch('ui', { app: app.value })
  tellMissingDevice()
  void listRecents()
  if (app.value.initialSlide !== null && !getState().slide.info && getState().slide.opening === null)
    await openSlide(app.value.initialSlide)
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
  const { slide, runs } = getState()
  if (!slide.info) return begin()
  void askDevices()
  const id = runs.activeId
  if (id !== null) {
    const status = await api().call('run:status', { runId: id })
    if (status.ok) {
      progressed(status.value)
      if (isOver(status.value)) ended(status.value)
      return
    }
  }
  update('runs', () => emptyRuns)
  resultTiles.clear()
  await reopenSlide()
}

export function listen(): () => void {
  const offEvents = api().onEvent(receive)
  const offConnection = api().onConnection(connected)
  // Revisions of runs that nothing shows are let go with them.
  const offRuns = useStore.subscribe((state, before) => {
    if (state.runs.byId === before.runs.byId || state.runs.starting !== null) return
    const running = Object.keys(state.runs.byId)
    if (running.length < Object.keys(before.runs.byId).length) resultTiles.keepOnly(new Set(running))
  })
  return () => {
    offEvents()
    offConnection()
    offRuns()
  }
}
