// What the system must have before the app can be built, run and tested, and the name of each in every package manager.
import { existsSync } from 'node:fs'
import { output, which } from './shell.mjs'

/** Sonames that the dynamic linker knows; null where that cannot be asked. */
function linkerSonames() {
  const ldconfig = which('ldconfig') ?? ['/sbin/ldconfig', '/usr/sbin/ldconfig'].find((path) => existsSync(path))
  const text = ldconfig ? output(ldconfig, ['-p']) : null
  return text === null ? null : new Set([...text.matchAll(/^\s+(\S+) \(/gm)].map((match) => match[1]))
}

let sonames
function hasLibrary(...names) {
  if (process.platform !== 'linux') return true
  if (sonames === undefined) sonames = linkerSonames()
  return sonames === null || names.some((name) => sonames.has(name))
}

/** Asks the linker again, after packages were installed. */
export function forgetSystemState() {
  sonames = undefined
}

const command =
  (...names) =>
  () =>
    names.some((name) => which(name) !== null)
const library =
  (...names) =>
  () =>
    hasLibrary(...names)

function hasOpenSlide() {
  if (process.platform === 'linux') return hasLibrary('libopenslide.so.1', 'libopenslide.so.0')
  if (process.platform === 'darwin') {
    return ['/opt/homebrew/lib', '/usr/local/lib'].some((folder) => existsSync(`${folder}/libopenslide.1.dylib`))
  }
  return Boolean(process.env.MORPHOSCOPE_OPENSLIDE)
}

// One soname stands for the Debian package that brings it; alternatives are the names of older and newer releases, and Ubuntu's.
const electronLibraries = [
  ['libgtk-3.so.0', ['libgtk-3-0', 'libgtk-3-0t64'], 'gtk3'],
  ['libnss3.so', ['libnss3'], 'nss'],
  ['libnspr4.so', ['libnspr4'], 'nspr'],
  ['libasound.so.2', ['libasound2', 'libasound2t64'], 'alsa-lib'],
  ['libgbm.so.1', ['libgbm1'], 'mesa-libgbm'],
  ['libatk-bridge-2.0.so.0', ['libatk-bridge2.0-0', 'libatk-bridge2.0-0t64'], 'at-spi2-atk'],
  ['libatspi.so.0', ['libatspi2.0-0', 'libatspi2.0-0t64'], 'at-spi2-core'],
  ['libcups.so.2', ['libcups2', 'libcups2t64'], 'cups-libs'],
  ['libxkbcommon.so.0', ['libxkbcommon0'], 'libxkbcommon'],
  // Loaded at run time: without it the window's program ends with no word.
  ['libX11-xcb.so.1', ['libx11-xcb1'], 'libX11-xcb'],
  ['libXcomposite.so.1', ['libxcomposite1'], 'libXcomposite'],
  ['libXdamage.so.1', ['libxdamage1'], 'libXdamage'],
  ['libXrandr.so.2', ['libxrandr2'], 'libXrandr'],
  ['libXfixes.so.3', ['libxfixes3'], 'libXfixes'],
  ['libudev.so.1', ['libudev1'], 'systemd-libs'],
].map(([soname, debian, fedora]) => ({
  what: soname,
  why: "Electron's run time",
  level: 'window',
  debian,
  fedora,
  present: library(soname),
}))

/**
 * level: 'build' (nothing works without it), 'slides' (the app runs, most slide formats do not open),
 * 'window' (the browser shell works without it), 'test' (only tests use it).
 */
export const needs = [
  {
    what: 'cmake',
    why: 'builds the native engine',
    level: 'build',
    debian: ['cmake'],
    fedora: 'cmake',
    brew: 'cmake',
    winget: 'Kitware.CMake',
    present: command('cmake'),
  },
  {
    what: 'a C++20 compiler',
    why: 'builds the native engine',
    level: 'build',
    debian: ['g++'],
    fedora: 'gcc-c++',
    brew: '(xcode-select --install)',
    winget: 'Microsoft.VisualStudio.2022.BuildTools',
    // On Windows CMake finds Visual Studio by itself, and it is in no PATH.
    present: () => process.platform === 'win32' || command('c++', 'g++', 'clang++')(),
  },
  {
    what: 'make',
    why: 'builds the native engine',
    level: 'build',
    debian: ['make'],
    fedora: 'make',
    brew: 'make',
    present: () => process.platform === 'win32' || command('make', 'ninja')(),
  },
  {
    what: 'the OpenSlide library',
    why: 'reads whole-slide images',
    level: 'slides',
    debian: ['libopenslide0', 'libopenslide1', 'libopenslide1t64'],
    fedora: 'openslide',
    brew: 'openslide',
    winget: '(https://openslide.org/download/)',
    present: hasOpenSlide,
  },
  ...(process.platform === 'linux'
    ? [
        {
          what: 'TurboJPEG',
          why: 'decodes JPEG tiles several times as fast as OpenSlide does',
          level: 'slides',
          debian: ['libturbojpeg0', 'libturbojpeg'],
          fedora: 'turbojpeg',
          present: library('libturbojpeg.so.0'),
        },
        {
          what: 'Blosc',
          why: 'unpacks most OME-Zarr images',
          level: 'slides',
          debian: ['libblosc1'],
          fedora: 'blosc',
          present: library('libblosc.so.1'),
        },
      ]
    : []),
  ...(process.platform === 'linux' ? electronLibraries : []),
  ...(process.platform === 'linux'
    ? [
        {
          what: 'Xvfb',
          why: 'a display for Electron in tests',
          level: 'test',
          debian: ['xvfb'],
          fedora: 'xorg-x11-server-Xvfb',
          present: command('Xvfb'),
        },
        {
          what: 'xauth',
          why: 'a display for Electron in tests',
          level: 'test',
          debian: ['xauth'],
          fedora: 'xorg-x11-xauth',
          present: command('xauth'),
        },
      ]
    : []),
  {
    what: 'chromium',
    why: 'tests of the browser shell',
    level: 'test',
    debian: ['chromium'],
    fedora: 'chromium',
    brew: '--cask google-chrome',
    present: () => findChromium() !== null,
  },
  {
    what: 'GTest',
    why: 'C++ tests',
    level: 'test',
    debian: ['libgtest-dev'],
    fedora: 'gtest-devel',
    brew: 'googletest',
    present: () =>
      ['/usr/include', '/usr/local/include', '/opt/homebrew/include'].some((folder) => existsSync(`${folder}/gtest/gtest.h`)),
  },
  {
    what: 'GMock',
    why: 'C++ tests',
    level: 'test',
    debian: ['libgmock-dev'],
    fedora: 'gmock-devel',
    brew: 'googletest',
    present: () =>
      ['/usr/include', '/usr/local/include', '/opt/homebrew/include'].some((folder) => existsSync(`${folder}/gmock/gmock.h`)),
  },
  {
    what: 'clang-tidy',
    why: 'finds bugs in C++ by reading it',
    level: 'test',
    debian: ['clang-tidy'],
    fedora: 'clang-tools-extra',
    brew: 'llvm',
    present: command('clang-tidy'),
  },
]

/** A Chromium that is no snap: a snap's browser does not start without the snap daemon, and sees no files outside the home folder. */
export function findChromium() {
  const named = process.env.MORPHOSCOPE_CHROMIUM
  if (named) return existsSync(named) ? named : null
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  if (process.platform === 'darwin' && existsSync(mac)) return mac
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    const path = which(name)
    if (path && !path.startsWith('/snap/')) return path
  }
  return null
}

export function missingNeeds({ tests }) {
  return needs.filter((need) => (tests || need.level !== 'test') && !need.present())
}

const levels = [
  ['build', 'required'],
  ['slides', 'to open slides'],
  ['window', 'for the desktop window'],
  ['test', 'for the tests'],
]

/** What is missing and why, a line for each reason: "required: cmake (builds the native engine)". */
export function reasonsFor(missing) {
  return levels
    .flatMap(([level, words]) => {
      const reasons = new Map()
      for (const need of missing.filter((each) => each.level === level))
        reasons.set(need.why, [...(reasons.get(need.why) ?? []), need.what])
      return [...reasons].map(([why, whats]) => `  ${words}: ${whats.join(', ')} (${why})`)
    })
    .join('\n')
}

/** Of each list of names the first that apt's lists have here, else null. */
export function availablePackages(lists) {
  const policy = output('apt-cache', ['policy', ...lists.flat()]) ?? ''
  const known = new Map(
    [...policy.matchAll(/^(\S+):\n\s+Installed: .*\n\s+Candidate: (.*)$/gm)].map((match) => [match[1], match[2]]),
  )
  return lists.map((names) => names.find((name) => known.has(name) && known.get(name) !== '(none)') ?? null)
}

/** The command that installs `missing` here; for a user without sudo it is root's. */
export function adviceFor(missing) {
  const names = (key) => [...new Set(missing.flatMap((need) => need[key] ?? []))].join(' ')
  // Before the first `apt-get update` there may be no lists. Where a name is the only one, half a second of apt's is saved.
  const debian = () => {
    const several = missing.map((need) => need.debian).filter((each) => each.length > 1)
    const chosen = several.length > 0 ? availablePackages(several) : []
    const one = (each) => (each.length > 1 ? chosen[several.indexOf(each)] : null) ?? each[0]
    return [...new Set(missing.map((need) => one(need.debian)))].join(' ')
  }
  const isRoot = process.getuid?.() === 0
  const sudo = isRoot || !which('sudo') ? '' : 'sudo '
  const who = isRoot || sudo !== '' ? '' : 'as root: '
  if (process.platform === 'darwin') return `brew install ${names('brew')}`
  if (process.platform === 'win32') return `winget install ${names('winget')}`
  if (which('apt-get')) return `${who}${sudo}apt-get update && ${sudo}apt-get install -y ${debian()}`
  if (which('dnf')) return `${who}${sudo}dnf install ${names('fedora')}`
  return `with your package manager; the Debian names are: ${debian()}`
}
