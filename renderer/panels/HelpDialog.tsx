// The cheat sheet: every command that has a key.
import { Button, Modal } from '@mantine/core'
import { cheatSheet, runCommand } from '../store/commands'
import { patch, useStore } from '../store/store'

const mouse = [
  ['Click', 'Select the object under the pointer'],
  ['Drag', 'Pan'],
  ['Wheel', 'Zoom at the pointer'],
] as const

export function HelpDialog() {
  const opened = useStore((state) => state.ui.dialog === 'help')
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title="Keyboard and mouse" size="xl">
      <Button variant="default" mb="sm" onClick={() => runCommand('guide')} data-testid="help-guide">
        The guide: every tool, with pictures
      </Button>
      <div className="cheat-sheet" data-testid="cheat-sheet">
        {cheatSheet.map(({ group, rows }) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {rows.map(({ command, label, keys }) => (
                <div key={command}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Mouse</h3>
          <dl>
            {mouse.map(([what, does]) => (
              <div key={what}>
                <dt>
                  <kbd>{what}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Modal>
  )
}
