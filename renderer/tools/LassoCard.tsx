// What the lasso holds: how many objects, and what can be done to all of them.
import { noun } from '../../app/contract'
import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { formatCount } from '../arithmetic/format'
import { ClassMenu } from '../widgets/ClassMenu'
import { keyNamed, keysOf, tip } from '../store/commands'
import { countLassoed, lassoNow } from '../store/lassoActions'
import { changeable, editLassoed, handClasses } from '../store/objectActions'
import { outlineItems } from '../store/outlineItems'
import { mergeLassoed } from '../store/reshapeActions'
import { getState, patch, useStore } from '../store/store'
import { IconButton } from '../widgets/IconButton'
import { OutlineMenu } from '../widgets/OutlineMenu'

const close = (): void => patch('project', { lasso: null, drawing: null, tool: null })

export function LassoCard() {
  const on = useStore((state) => state.project.tool === 'lasso')
  const lasso = useStore(lassoNow)
  const run = useStore(changeable)
  const shape = lasso?.shape
  const edits = run?.edits
  useEffect(() => void (shape && countLassoed()), [shape, edits])
  if (!on && !lasso) return null
  const objects = lasso?.objects ?? null
  const words = `${formatCount(objects ?? 0)} ${noun(objects ?? 0, 'object')}`
  return (
    <section className="why wand" data-testid="lasso" aria-label="Lasso">
      <div className="why-head">
        <b>Lasso</b>
        <span className="dim grow" data-testid="lasso-count" aria-live="polite">
          {objects === null ? '' : words}
        </span>
        <IconButton size={22} {...tip('cancel')} label="Close" onClick={close} testId="lasso-close">
          <IconX size={13} />
        </IconButton>
      </div>
      <div className="why-body">
        {lasso && (
          <Group gap={4}>
            <Button
              size="compact-xs"
              variant="light"
              color="red"
              disabled={!objects}
              onClick={() => editLassoed({ type: 'delete' })}
              data-testid="lasso-delete"
            >
              Delete
            </Button>
            <Button
              size="compact-xs"
              variant="light"
              disabled={!objects || objects < 2}
              title={`One object of all that touch each other (${keysOf('mergeObjects')[0]})`}
              onClick={() => void mergeLassoed()}
              data-testid="lasso-merge"
            >
              Merge
            </Button>
            <ClassMenu classes={handClasses(getState(), run)} onChoose={(classId) => editLassoed({ type: 'classify', classId })}>
              <Button size="compact-xs" variant="light" disabled={!objects} data-testid="lasso-class">
                Class
              </Button>
            </ClassMenu>
            <OutlineMenu items={outlineItems()}>
              <Button size="compact-xs" variant="light" disabled={!objects} data-testid="lasso-outline">
                Outline
              </Button>
            </OutlineMenu>
          </Group>
        )}
        <p className="dim">
          {run
            ? `Keys 1 to 9 give them a class, 0 removes it, Delete deletes them. ${keyNamed('splitObjects')} splits objects along a line.`
            : 'Choose a finished result first.'}
        </p>
      </div>
    </section>
  )
}
