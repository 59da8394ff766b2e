// What the commands of app/commands.ts do here: keys, buttons and the desktop's menu all end here.
import { askClasses, askMembrane } from '../objects/classActions'
import type { Command } from '../../../app/commands'
import { viewer } from '../base/viewerHandle'
import { toggleSecond } from '../slide/secondActions'
import { clearSelection, selectAt } from '../selection/selectionActions'
import { resizeBrush } from '../objects/brushActions'
import { showHotSpot } from '../objects/hotSpotActions'
import { carryOver, leaveCarry } from '../objects/carryActions'
import { leaveCompare, toggleCompare } from '../runs/compareActions'
import { deleteMeant, finish } from './finishing'
import { askAmount, mergeLassoed, reshapeChosen } from '../objects/reshapeActions'
import { askForSlide } from '../slide/slideActions'
import { askForSlides } from '../cohort/addingActions'
import { addThisSlide, runOverSlides } from '../cohort/cohortActions'
import { markSelectedCores } from '../document/coreActions'
import { askForImages } from '../document/imageActions'
import { chooseTool, exportRegions, keepRuler, leaveDrawing, segmentRegions } from '../document/projectActions'
import { copyPicture, savePicture, toggleFullScreen } from '../slide/pictureActions'
import { askWhereToSave, askWhichProject, newProject } from '../document/projectFiles'
import { resetAll } from '../recipe/recipeActions'
import { askForRegions } from '../document/regionFiles'
import { previewNow } from '../runs/previewActions'
import { segment, segmentVisible } from '../runs/runActions'
import { cancelRun, escapeAsksAfterMs, pauseRun } from '../runs/runList'
import { setStyle, toggleOverlay } from '../slide/overlayActions'
import { runningRun } from '../slices/runSlice'
import { nameRegion, openMenuOfSelected, zoomToSelected } from './slideMenuActions'
import { leaveStart, leaveTour, openProjectAtStart, startTour, toggleStart } from './startActions'
import { getState, patch } from '../store'
import { chooseTheme } from '../base/theme'
import { chooseLanguage } from '../base/languageActions'
import { chooseKeys } from '../base/settingsActions'
import { toggleChannel, toggleChannels } from '../slide/channelActions'
import { autoTone, leaveTone, resetTone, toggleTone } from '../slide/toneActions'
import { toggleBands } from '../selection/bandsActions'
import { toggleMap } from '../slide/mapActions'
import { toggleSpatial } from '../selection/spatialActions'
import { toggleTable } from '../selection/tableActions'
import { redo, undo } from './undoActions'
import { leaveWand, toggleWand } from '../objects/wandActions'
import { leaveWhy, toggleWhy } from '../recipe/whyActions'

const panPx = 120

/** What the start page has a use for; anything else is about the slide behind it, and goes back there. */
const atStart: ReadonlySet<Command> = new Set([
  'start',
  'open',
  'newProject',
  'openProject',
  'saveProject',
  'palette',
  'help',
  'guide',
  'tour',
  'licences',
  'cancel',
  'themeSystem',
  'themeLight',
  'themeDark',
  'keysMorphoscope',
  'keysQuPath',
  'languageSystem',
  'languageEnglish',
  'languageGerman',
])

export function runCommand(command: Command): void {
  if (!atStart.has(command) && leaveStart() && !getState().slide.info) return
  const { ui, slide, project } = getState()
  const action: Record<Command, () => void> = {
    start: toggleStart,
    open: () => void askForSlide(),
    newProject,
    openProject: () => askWhichProject(openProjectAtStart),
    saveProject: askWhereToSave,
    importRegions: askForRegions,
    carrySection: () => slide.info && patch('ui', { dialog: 'section' }),
    exportRegions: () => void exportRegions(),
    exportRegionImages: () => askForImages(),
    export: () => slide.info && patch('ui', { dialog: 'export', exportRunId: null }),
    info: () => slide.info && patch('ui', { dialog: 'info' }),
    fit: () => viewer()?.fit(),
    actualSize: () => viewer()?.zoomTo(1 / (window.devicePixelRatio || 1)),
    zoomIn: () => viewer()?.zoomBy(1.5),
    zoomOut: () => viewer()?.zoomBy(1 / 1.5),
    move: noTool,
    panLeft: () => viewer()?.panBy(-panPx, 0),
    panRight: () => viewer()?.panBy(panPx, 0),
    panUp: () => viewer()?.panBy(0, -panPx),
    panDown: () => viewer()?.panBy(0, panPx),
    rotateRight: () => viewer()?.rotateBy(90),
    rotateLeft: () => viewer()?.rotateBy(-90),
    flip: () => viewer()?.flip(),
    zoomToSelected,
    slideMenu: () => slide.info && openMenuOfSelected(),
    magnification: () => slide.info && patch('ui', { magnificationOpen: !ui.magnificationOpen }),
    fullScreen: () => void toggleFullScreen(),
    tone: () => slide.info && toggleTone(),
    channels: toggleChannels,
    channel1: () => toggleChannel(0),
    channel2: () => toggleChannel(1),
    channel3: () => toggleChannel(2),
    channel4: () => toggleChannel(3),
    channel5: () => toggleChannel(4),
    channel6: () => toggleChannel(5),
    channel7: () => toggleChannel(6),
    channel8: () => toggleChannel(7),
    channel9: () => toggleChannel(8),
    autoTone,
    resetTone,
    grid: () => patch('ui', { grid: !ui.grid }),
    second: toggleSecond,
    savePicture: () => void savePicture(),
    copyPicture: () => void copyPicture(),
    overlay: toggleOverlay,
    style: () => setStyle(getState().overlay.style === 'outline' ? 'filled' : 'outline'),
    split: () => patch('ui', { split: ui.split === null ? 0.5 : null }),
    segmentVisible: () => segmentVisible(),
    rectangle: () => {
      patch('project', { tool: null, drawing: null })
      if (slide.info) patch('ui', { tool: ui.tool === 'rectangle' ? 'pan' : 'rectangle', drawn: null })
    },
    segmentWhole: () => segment('whole'),
    segmentCenter: () => void (ui.view && selectAt(ui.view.center)),
    why: toggleWhy,
    hScore: () => void askClasses('three'),
    membrane: () => void askMembrane(),
    positiveShare: () => void askClasses('one'),
    spatial: toggleSpatial,
    bands: toggleBands,
    densityMap: toggleMap,
    hotSpot: showHotSpot,
    preview: previewNow,
    pause: () => pauseRun(),
    timeline: () => patch('ui', { dialog: 'timeline' }),
    compare: toggleCompare,
    carry: () => void carryOver(),
    device: () => patch('ui', { deviceMenu: !ui.deviceMenu }),
    versions: () => patch('ui', { versionsOpen: !ui.versionsOpen, leftOpen: true }),
    drawRectangle: () => chooseTool('rectangle'),
    drawEllipse: () => chooseTool('ellipse'),
    drawPolygon: () => chooseTool('polygon'),
    drawFreehand: () => chooseTool('freehand'),
    points: () => chooseTool('points'),
    drawLine: () => chooseTool('line'),
    drawPolyline: () => chooseTool('polyline'),
    brush: () => chooseTool('brush'),
    brushSmaller: () => resizeBrush(-1),
    brushLarger: () => resizeBrush(1),
    ruler: () => chooseTool('ruler'),
    keepRuler,
    wand: toggleWand,
    addSlide: () => void addThisSlide(),
    addSlides: () => void askForSlides(),
    summary: () => patch('ui', { dialog: 'summary' }),
    runSlides: () => void runOverSlides(),
    nameRegion,
    findCores: () => slide.info && patch('ui', { dialog: 'cores' }),
    markCores: () => void markSelectedCores(),
    segmentRegions,
    lasso: () => chooseTool('lasso'),
    mergeObjects: () => void mergeLassoed(),
    fillHoles: () => void reshapeChosen({ type: 'fill' }),
    growObjects: () => askAmount('grow'),
    shrinkObjects: () => askAmount('shrink'),
    splitObjects: () => chooseTool('cut'),
    addObjects: () => chooseTool('add'),
    redrawObject: () => chooseTool('redraw'),
    finish,
    deleteRegions: deleteMeant,
    showRegions: () => patch('project', { hidden: !project.hidden }),
    cancel: escape,
    undo,
    redo,
    resetAll,
    leftPanel: () => patch('ui', { leftOpen: !ui.leftOpen }),
    rightPanel: () => patch('ui', { rightOpen: !ui.rightOpen }),
    table: toggleTable,
    themeSystem: () => chooseTheme('auto'),
    themeLight: () => chooseTheme('light'),
    themeDark: () => chooseTheme('dark'),
    keysMorphoscope: () => chooseKeys('morphoscope'),
    keysQuPath: () => chooseKeys('qupath'),
    languageSystem: () => chooseLanguage('system'),
    languageEnglish: () => chooseLanguage('en'),
    languageGerman: () => chooseLanguage('de'),
    palette: () => patch('ui', { dialog: 'palette' }),
    guide: () => patch('ui', { dialog: ui.dialog === 'guide' ? null : 'guide' }),
    tour: () => void startTour(),
    licences: () => patch('ui', { dialog: 'licences' }),
    help: () => patch('ui', { dialog: ui.dialog === 'help' ? null : 'help' }),
  }
  action[command]()
}

function noTool(): void {
  leaveWand()
  patch('project', { tool: null, drawing: null })
  patch('ui', { tool: 'pan', drawn: null })
}

/** One thing at a time, the most recent intention first. */
function escape(): void {
  const { ui, runs, selection } = getState()
  if (leaveTone() || leaveTour() || leaveStart() || leaveWand() || leaveDrawing() || leaveWhy() || leaveCompare() || leaveCarry())
    return
  if (ui.tool === 'rectangle') return patch('ui', { tool: 'pan', drawn: null })
  const running = runningRun(runs)
  if (running) return cancelRun(running, escapeAsksAfterMs)
  if (selection.state !== 'none') clearSelection()
}
