// Two walks without other help, each step timed: from the open window to the first exported table, and from an IHC slide to its report.
// They print what docs/walks.md says. A time is of the machine alone, from the key or click to what it leads to; reading is the reader's.
import { expect, test } from '@playwright/test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seesTissue, segmentsVisible } from '../e2e/journey'
import { patience } from '../e2e/patience'
import { launch, root, whyNot } from '../e2e/shells'
import type { Shell } from '../e2e/shells'
import { key, morphoscope, opens, runsWhole } from './steps'

type Step = (name: string, work: () => Promise<unknown>) => Promise<void>

function walk(name: string, steps: (shell: Shell, step: Step) => Promise<void>): void {
  test(name, async () => {
    const reason = await whyNot('chromium')
    test.skip(reason !== null, reason ?? '')
    const times: [string, number][] = []
    const step: Step = async (what, work) => {
      const begun = performance.now()
      await work()
      times.push([what, (performance.now() - begun) / 1000])
    }
    let shell: Shell | undefined
    await step('start the program, and open its page', async () => (shell = await launch('chromium', { colorScheme: 'light' })))
    try {
      await steps(shell!, step)
    } finally {
      await shell!.close()
    }
    const lines = times.map(([what, s]) => `| ${what} | ${s.toFixed(1)} s |`)
    const folder = join(root, 'test-results', 'docs')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `walk-${name.replaceAll(/\W+/g, '-')}.md`), `${lines.join('\n')}\n`)
    console.log(`${name}\n${lines.join('\n')}`)
  })
}

async function exportsTo(shell: Shell, folder: string, files: readonly string[]): Promise<void> {
  const { page } = shell
  for (const name of files) await page.getByTestId(`export-file-${name}`).check()
  await shell.chooseDirectory(folder)
  await page.getByText('In a new folder of its own').click()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', patience)
}

walk('first table', async (shell, step) => {
  const { page, folder } = shell
  const target = join(folder, 'first')
  await step('the sample slide is seen', () => seesTissue(shell))
  await step('Space: the visible field is segmented', async () => {
    await key(shell, 'Escape')
    await segmentsVisible(shell)
  })
  await step('W: the whole slide', () => runsWhole(shell))
  await step('Ctrl+E: the dialog', async () => {
    await key(shell, 'Control+e')
    await expect(page.getByTestId('export-run')).toBeVisible(patience)
  })
  await step('Export: the files are there', () => exportsTo(shell, target, []))
  const rows = readFileSync(join(target, 'objects.csv'), 'utf8').trim().split('\n')
  expect(rows.length).toBe(1 + 3003)
})

walk('Ki-67 report', async (shell, step) => {
  const { page, folder } = shell
  const [slide, regions, target] = [join(folder, 'ki67.tif'), join(folder, 'regions.geojson'), join(folder, 'report')]
  await seesTissue(shell)
  await step('write the slide and its regions', async () =>
    morphoscope(folder, 'sample', 'ki67', '--out', slide, '--regions', regions),
  )
  await step('open the slide', () => opens(shell, slide))
  await step('take the recipe that is offered', async () => {
    await page.getByTestId('offer-recipe').click()
    await expect(page.getByTestId('recipe-select')).toHaveValue('IHC nuclei', patience)
  })
  await step('W: the whole slide', () => runsWhole(shell))
  await step('import the regions: shares of tumour and stroma', async () => {
    await page.getByTestId('region-import').setInputFiles(regions)
    await expect(page.getByTestId('region-row').filter({ hasText: 'Tumor' })).toContainText('30.8 % positive', patience)
  })
  await step('Ctrl+E, tick the report, export', async () => {
    await key(shell, 'Escape', 'Control+e')
    await expect(page.getByTestId('export-run')).toBeVisible(patience)
    await exportsTo(shell, target, ['report.html'])
  })
  await step('read the report', async () => {
    const report = await shell.reads(join(target, 'report.html'))
    await expect(report.locator('body')).toContainText('30.8 %')
    await report.close()
  })
  expect(existsSync(join(target, 'objects.csv'))).toBe(true)
})
