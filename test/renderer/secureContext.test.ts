// A page of `serve --allow-remote` by http is no secure context: what browsers give to those alone is not used, or its absence is caught.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it, vi } from 'vitest'
import { RegionId } from '../../app/contract'
import { inTurn } from '../../renderer/store/base/inTurn'
import { newId } from '../../renderer/store/base/newId'

afterEach(() => vi.unstubAllGlobals())

const renderer = fileURLToPath(new URL('../../renderer', import.meta.url))
/** MDN's list of features restricted to secure contexts, as code names them. */
const secureOnly =
  /crypto\.(?:randomUUID|subtle)|\bisSecureContext\b|navigator\.(?:serviceWorker|storage|locks|credentials|mediaDevices|bluetooth|usb|serial|hid|gpu|wakeLock|geolocation|share|canShare|keyboard|deviceMemory|userAgentData)\b|\bcaches\.|\bcookieStore\b|\bshow(?:Open|Save)FilePicker|\bshowDirectoryPicker|\bgetFileHandle|\b(?:ImageDecoder|VideoDecoder|VideoEncoder|AudioWorklet|SharedArrayBuffer|Notification|PaymentRequest|EyeDropper|PressureObserver|WebTransport)\b|navigator\.clipboard/
/** Both catch what is not there, and say it. */
const caught = ['store/base/copyText.ts', 'store/slide/pictureActions.ts']

it('uses nothing that only a secure context has', () => {
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  expect(files.length).toBeGreaterThan(100)
  const code = (name: string): string => readFileSync(join(renderer, name), 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')
  expect(files.filter((name) => secureOnly.test(code(name))).map((name) => name.replaceAll('\\', '/'))).toEqual(caught)
})

it('makes ids of regions without crypto.randomUUID', () => {
  const { crypto } = globalThis
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) })
  const ids = Array.from({ length: 1000 }, newId)
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) {
    expect(RegionId.safeParse(id).success).toBe(true)
    expect(id).toMatch(/^.{14}4.{4}[89ab]/)
  }
})

it('goes on with the next stroke where one has failed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const done: number[] = []
  const next = inTurn('Brush')
  await new Promise<void>((resolve) => {
    next(async () => void done.push(1))
    next(() => Promise.reject(new Error('no such thing')))
    next(() => {
      throw new Error('none at all')
    })
    next(async () => {
      done.push(2)
      resolve()
    })
  })
  expect(done).toEqual([1, 2])
})
