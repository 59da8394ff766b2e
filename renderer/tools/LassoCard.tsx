// What the lasso holds: how many objects, and what can be done to all of them.
import { Button, Group } from '@mantine/core'
import { useEffect } from 'react'
import { ClassMenu } from '../widgets/ClassMenu'
import { keyNamed, keysOf } from '../store/base/commandKeys'
import { countLassoed, lassoNow } from '../store/selection/lassoActions'
import { changeable, editLassoed, handClasses } from '../store/objects/objectActions'
import { outlineItems } from '../store/commands/outlineItems'
import { mergeLassoed } from '../store/objects/reshapeActions'
import { getState, patch, useStore } from '../store/store'
import { OutlineMenu } from '../widgets/OutlineMenu'
import { words } from '../words'
import { ToolCard } from './ToolCard'

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
  return (
    <ToolCard
      id="lasso"
      title={words.lasso.title}
      note={objects === null ? '' : words.counts.objects(objects)}
      noteId="lasso-count"
      onClose={close}
    >
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
            {words.buttons.delete}
          </Button>
          <Button
            size="compact-xs"
            variant="light"
            disabled={!objects || objects < 2}
            title={words.lasso.mergeTip(keysOf('mergeObjects')[0])}
            onClick={() => void mergeLassoed()}
            data-testid="lasso-merge"
          >
            {words.lasso.merge}
          </Button>
          <ClassMenu classes={handClasses(getState(), run)} onChoose={(classId) => editLassoed({ type: 'classify', classId })}>
            <Button size="compact-xs" variant="light" disabled={!objects} data-testid="lasso-class">
              {words.names.class}
            </Button>
          </ClassMenu>
          <OutlineMenu items={outlineItems()}>
            <Button size="compact-xs" variant="light" disabled={!objects} data-testid="lasso-outline">
              {words.names.outline}
            </Button>
          </OutlineMenu>
        </Group>
      )}
      <p className="dim">{run ? words.lasso.help(keyNamed('splitObjects')) : words.lasso.chooseResult}</p>
    </ToolCard>
  )
}
