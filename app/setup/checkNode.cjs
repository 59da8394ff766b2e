// Says in words what to install where Node is too old. Loaded before all else, so it is written in JavaScript that every Node reads.
'use strict'

/** Below this the tools that build the app do not run. From here on they do, though some packages ask for more. */
var oldest = [20, 19, 0]

function numbers(version) {
  return version
    .replace(/^[^0-9]*/, '')
    .split('.')
    .concat('0', '0')
    .slice(0, 3)
    .map(Number)
}

function isAtLeast(version, wanted) {
  for (var i = 0; i < 3; i += 1) if (version[i] !== wanted[i]) return version[i] > wanted[i]
  return true
}

/** Of ranges as package.json writes them here: ^22.22.2 || ^24.15.0 || >=26.0.0. */
function isAsked(version, range) {
  return range.split('||').some(function (part) {
    var wanted = numbers(part.trim())
    return isAtLeast(version, wanted) && (part.trim().charAt(0) !== '^' || version[0] === wanted[0])
  })
}

/** "22 (22.22.2 or newer), 24 (24.15 or newer) or 26 and newer". */
function inWords(range) {
  var parts = range.split('||').map(function (part) {
    var version = part
      .trim()
      .replace(/^[^0-9]*/, '')
      .replace(/(\.0)+$/, '')
    return part.trim().charAt(0) === '^' ? version.split('.')[0] + ' (' + version + ' or newer)' : version + ' and newer'
  })
  return [parts.slice(0, -1).join(', '), parts[parts.length - 1]].filter(Boolean).join(' or ')
}

/** { stop, message }, or null where this Node is one that the packages ask for. */
function advice(running, range) {
  var version = numbers(running)
  if (isAsked(version, range)) return null
  var how = 'Node ' + inWords(range) + ': from https://nodejs.org, or with nvm: nvm install 22.'
  if (!isAtLeast(version, oldest))
    return {
      stop: true,
      message: 'This is Node ' + version.join('.') + ', which is too old for Morphoscope. Please install ' + how,
    }
  return {
    stop: false,
    message: 'This is Node ' + version.join('.') + '. It works so far, but the packages ask for ' + how,
  }
}

module.exports = { advice: advice, isAsked: isAsked, numbers: numbers }

var found = advice(process.version, require('../../package.json').engines.node)
if (found) {
  console.error('[morphoscope] ' + found.message)
  if (found.stop) process.exit(1)
}
