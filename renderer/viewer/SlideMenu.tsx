// The menu of a place on the slide: of the object, the region and the field there. What it does are the commands of app/commands.ts.
import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { keysOf, type Command } from '../store/base/commandKeys'
import { runCommand } from '../store/commands/commands'
import { editSelected, handClasses, selectedRun } from '../store/objects/objectActions'
import { classify } from '../store/document/projectActions'
import { regionOf, titleOf } from '../store/slices/projectSlice'
import { closeSlideMenu, isSegmentable, meanObject, meanRegion } from '../store/commands/slideMenuActions'
import { getState, useStore } from '../store/store'
import { askWhy } from '../store/recipe/whyActions'
import type { SlideMenu as Place } from '../store/slices/uiSlice'
import { Swatch } from '../widgets/Swatch'
import { words } from '../words'

interface ItemProps {
  readonly command: Command
  readonly label: string
  /** Makes the command mean what the menu is of. */
  readonly before?: () => void
  /** In place of the command, where it would ask for a place that the menu has. */
  readonly act?: () => void
  readonly disabled?: boolean
}

function Item({ command, label, before, act = () => runCommand(command), disabled = false }: ItemProps) {
  const [key] = keysOf(command)
  const run = () => {
    before?.()
    // The menu gives the keyboard back first.
    setTimeout(act, 0)
  }
  return (
    <Menu.Item disabled={disabled} onClick={run} rightSection={key && <kbd>{key}</kbd>} data-testid={`slide-menu-${command}`}>
      {label}
    </Menu.Item>
  )
}

interface ClassesProps {
  readonly classes: readonly { readonly id: string; readonly label: string; readonly css: string }[]
  readonly none: string
  readonly disabled?: boolean
  readonly onChoose: (classId: string | null) => void
  readonly testId: string
}

function Classes({ classes, none, disabled = false, onChoose, testId }: ClassesProps): ReactNode {
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item disabled={disabled} data-testid={testId}>
          {words.names.class}
        </Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {classes.map(({ id, label, css }) => (
          <Menu.Item key={id} leftSection={<Swatch colour={css} name={label} isSaid />} onClick={() => onChoose(id)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChoose(null)}>{none}</Menu.Item>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}

function ObjectItems() {
  const object = useStore((state) => state.selection.object)
  const run = useStore(selectedRun)
  if (!object) return null
  const classes = handClasses(getState(), run).map(({ id, label, color }) => ({ id, label, css: `rgb(${color.join(' ')})` }))
  return (
    <>
      <Menu.Label>{words.names.objectNumber(object.id)}</Menu.Label>
      <Item command="zoomToSelected" label={words.slideMenu.zoomTo} before={meanObject} />
      <Classes
        classes={classes}
        none={words.classMenu.noneByHand}
        disabled={!run}
        onChoose={(classId) => void editSelected({ type: 'classify', classId })}
        testId="slide-menu-object-class"
      />
      <Item command="why" label={words.slideMenu.whyKept} act={() => askWhy(object.centroid)} />
      <Item command="deleteRegions" label={words.buttons.deleteIt} before={meanObject} disabled={!run} />
      <Menu.Divider />
    </>
  )
}

function RegionItems({ id }: { readonly id: string }) {
  const region = useStore(({ project }) => (id === null ? undefined : regionOf(project, id)))
  const title = useStore(({ project }) => (region ? titleOf(project, region) : ''))
  const classes = useStore((state) => state.project.doc?.classes)
  if (!region) return null
  const before = () => meanRegion(id)
  const choose = (classId: string | null) => {
    before()
    classify(classId)
  }
  return (
    <>
      <Menu.Label>{words.slideMenu.region(title)}</Menu.Label>
      <Item command="nameRegion" label={words.slideMenu.rename} before={before} />
      <Classes
        classes={(classes ?? []).map(({ id, name, color }) => ({ id, label: name, css: color }))}
        none={words.names.none}
        onChoose={choose}
        testId="slide-menu-region-class"
      />
      <Item command="segmentRegions" label={words.slideMenu.segmentIn} before={before} disabled={!isSegmentable(id)} />
      {/* What was selected last is what a deletion means. */}
      <Item command="deleteRegions" label={words.slideMenu.deleteRegion} before={before} disabled={region.locked} />
      <Menu.Divider />
    </>
  )
}

function Items({ menu: { at, onObject, regionId } }: { readonly menu: Place }) {
  return (
    <>
      {onObject && <ObjectItems />}
      {regionId !== null && <RegionItems id={regionId} />}
      <Menu.Label>{words.names.slide}</Menu.Label>
      <Item command="segmentVisible" label={words.slideMenu.segmentVisible} />
      {!onObject && <Item command="why" label={words.slideMenu.whyNothing} act={() => askWhy(at)} />}
      <Item command="copyPicture" label={words.slideMenu.copyPicture} />
      <Item command="magnification" label={words.slideMenu.magnification} />
      <Item command="fit" label={words.slideMenu.fit} />
    </>
  )
}

export function SlideMenu() {
  const menu = useStore((state) => state.ui.slideMenu)
  if (!menu) return null
  const { x, y } = menu.place
  return (
    // A new place is a new menu: its parts would stay where the one before was. It stays in the page's main part, and the first item has the keyboard.
    <Menu
      key={`${x},${y}`}
      opened
      onClose={closeSlideMenu}
      position="bottom-start"
      offset={2}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      // Not of keys, as the library has it: the key that opens the menu is still on its way through the page, and would close it at once.
      clickOutsideEvents={['mousedown', 'touchstart']}
      shadow="md"
      width={270}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className="slide-menu-place"
          style={{ left: x, top: y }}
          aria-label={words.slideMenu.place}
        />
      </Menu.Target>
      <Menu.Dropdown data-testid="slide-menu" aria-label={words.slideMenu.title}>
        <Items menu={menu} />
      </Menu.Dropdown>
    </Menu>
  )
}
