// The desktop's protocol: the renderer's files and tiles, and nothing outside their folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHandler, fileBelow } from '../../../app/desktop/protocol'

let folder = ''
let rendererFolder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'morphoscope-protocol-'))
  rendererFolder = join(folder, 'renderer')
  mkdirSync(join(rendererFolder, 'assets'), { recursive: true })
  writeFileSync(join(rendererFolder, 'index.html'), '<p>page</p>')
  writeFileSync(join(rendererFolder, 'assets', 'main.js'), 'export {}')
  writeFileSync(join(folder, 'secret.json'), '{}')
})
afterAll(() => rmSync(folder, { recursive: true }))

const get = (url: string, init?: RequestInit) =>
  createHandler({ rendererFolder, tile: async (request) => new Response(`tile ${new URL(request.url).pathname}`) })(
    new Request(url, init),
  )

test('the page carries its policy: scripts from files alone, no frames, no other origin', async () => {
  for (const url of ['morphoscope://app/', 'morphoscope://app/index.html?drawer=canvas']) {
    const page = await get(url)
    expect(page.status).toBe(200)
    expect(await page.text()).toBe('<p>page</p>')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src 'none'/)
    expect(policy).toMatch(/script-src 'self';/)
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('scripts have their type', async () => {
  const script = await get('morphoscope://app/assets/main.js')
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
})

describe('nothing else', () => {
  test.each([
    'morphoscope://app/..%2fsecret.json',
    'morphoscope://app/%2e%2e/secret.json',
    'morphoscope://app/assets/..%2f..%2fsecret.json',
    'morphoscope://app/..%5csecret.json',
    'morphoscope://app/%00',
    'morphoscope://app/%zz',
    'morphoscope://app//etc/passwd',
    'morphoscope://app/assets',
    'morphoscope://app/absent.js',
    'morphoscope://other/index.html',
  ])('%s', async (url) => {
    expect((await get(url)).status).toBe(404)
  })
  test('only GET', async () => {
    expect((await get('morphoscope://app/', { method: 'POST', body: 'x' })).status).toBe(405)
  })
})

test('a path is below its folder, or it is none', () => {
  expect(fileBelow('/srv/app', '/a/b.js')).toBe('/srv/app/a/b.js')
  expect(fileBelow('/srv/app', '/../app-secret/b.js')).toBeNull()
  expect(fileBelow('/srv/app', '/..')).toBeNull()
})

test('tiles go to the engine; its failure is an answer too', async () => {
  expect(await (await get('morphoscope://app/tile/slide/s1/0/0_0')).text()).toBe('tile /tile/slide/s1/0/0_0')
  const failing = createHandler({ rendererFolder, tile: () => Promise.reject(new Error('lost')) })
  expect((await failing(new Request('morphoscope://app/tile/slide/s1/0/0_0'))).status).toBe(500)
})
