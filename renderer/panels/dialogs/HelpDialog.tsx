// The cheat sheet: every command that has a key.
import { Button, Group, Modal, SegmentedControl } from '@mantine/core'
import { cheatSheet, keySetChosen, keySets, type KeySet } from '../../store/base/commandKeys'
import { chooseLanguage } from '../../store/base/languageActions'
import { runCommand } from '../../store/commands/commands'
import { chooseKeys } from '../../store/base/settingsActions'
import { patch, useStore } from '../../store/store'
import { words } from '../../words'

const choices = ['system', 'en', 'de'] as const
const mouse = words.help.mouseUses

function KeyChoice() {
  const set = useStore(({ ui }) => ui.settings?.keys ?? 'morphoscope')
  return (
    <Group gap="xs">
      <span id="key-set">{words.names.keys}</span>
      <SegmentedControl
        size="xs"
        aria-labelledby="key-set"
        data={Object.entries(keySets).map(([value, label]) => ({ value, label }))}
        value={set}
        onChange={(value) => chooseKeys(value as KeySet)}
        data-testid="key-set"
      />
    </Group>
  )
}

function LanguageChoice() {
  const chosen = useStore(({ ui }) => ui.settings?.language ?? 'system')
  return (
    <Group gap="xs">
      <span id="language">{words.language.title}</span>
      <SegmentedControl
        size="xs"
        aria-labelledby="language"
        data={choices.map((value) => ({ value, label: words.language.choices[value] }))}
        value={chosen}
        onChange={chooseLanguage}
        data-testid="language"
      />
    </Group>
  )
}

export function HelpDialog() {
  const opened = useStore((state) => state.ui.dialog === 'help')
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={words.help.title} size="xl">
      <Group mb="sm" justify="space-between">
        <Group gap="xs">
          <Button variant="default" onClick={() => runCommand('guide')} data-testid="help-guide">
            {words.help.guide}
          </Button>
          <Button variant="subtle" onClick={() => runCommand('licences')} data-testid="help-licences">
            {words.names.licences}
          </Button>
        </Group>
        <Group gap="md">
          <LanguageChoice />
          <KeyChoice />
        </Group>
      </Group>
      <div className="cheat-sheet" data-testid="cheat-sheet">
        {cheatSheet(keySetChosen()).map(({ group, rows }) => (
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
          <h3>{words.help.mouse}</h3>
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
