// The command line's manual page and completions, written from its own commands: what `--help` says is what they say.

/** In roff a backslash, a hyphen and a leading dot or quote mean something. */
export const roff = (text) =>
  text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/^([.'])/gm, '\\&$1')

/** Every command that is typed: `project run` is one, `project` alone is none. */
export function typedCommands(program, before = []) {
  return program.commands.flatMap((command) => {
    const names = [...before, command.name()]
    return command.commands.length > 0 ? typedCommands(command, names) : [{ names, command }]
  })
}

const argumentsOf = (command) =>
  command.registeredArguments.map((each) => {
    const name = each.name() + (each.variadic ? '...' : '')
    return each.required ? `<${name}>` : `[${name}]`
  })

function manOfCommand({ names, command }) {
  const usage = [...names, ...(command.options.length > 0 ? ['[options]'] : []), ...argumentsOf(command)]
  const lines = ['.SS ' + roff(usage.join(' ')), roff(sentence(command.description()))]
  for (const { flags, description, argChoices } of command.options) {
    const choices = argChoices ? ` One of: ${argChoices.join(', ')}.` : ''
    lines.push('.TP', `.B ${roff(flags)}`, roff(sentence(description) + choices))
  }
  return lines
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** `codes`: exit codes and what they mean. */
export function manPage(program, { version, date, codes }) {
  return `${[
    `.TH MORPHOSCOPE 1 "${date}" "Morphoscope ${version}" "User Commands"`,
    '.SH NAME',
    roff('morphoscope - find, count and measure nuclei and other objects on whole-slide images'),
    '.SH SYNOPSIS',
    '.B morphoscope',
    '.I command',
    roff('[options]'),
    '.br',
    '.B morphoscope\\-app',
    '.RI [ slide ]',
    '.SH DESCRIPTION',
    roff('morphoscope runs recipes on slides without a window. morphoscope-app opens the window, on a slide if one is named.'),
    '.PP',
    roff('A slide is a file, or the folder of a DICOM or OME-Zarr slide. For research use only: it is not a medical device.'),
    '.SH COMMANDS',
    ...typedCommands(program).flatMap(manOfCommand),
    '.SH EXIT STATUS',
    ...codes.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, roff(sentence(meaning))]),
    '.SH FILES',
    '.TP',
    '.I ~/.config/morphoscope',
    roff("The window's settings, recent slides and kept recipes. No package removes them."),
    '.SH EXAMPLES',
    '.nf',
    roff('morphoscope info slide.svs\nmorphoscope run slide.svs --out results --recipe he-nuclei\nmorphoscope serve slide.svs'),
    '.fi',
  ].join('\n')}\n`
}

const flagsOf = (command) => ['--help', ...command.options.flatMap(({ long, short }) => [long ?? short])]
const quoted = (text) => `'${text.replace(/'/g, "'\\''")}'`
/** [names joined, words after them, { flag: its choices }] of every command, and of those that only lead to others. */
function wordsOf(program, before = []) {
  return [program, ...program.commands].flatMap((command) => {
    if (command !== program && command.commands.length > 0) return wordsOf(command, [...before, command.name()])
    const names = command === program ? before : [...before, command.name()]
    const words = command === program ? [...program.commands.map((each) => each.name()), '--help'] : flagsOf(command)
    const chosen = command.options.filter(({ argChoices }) => argChoices).map(({ long, argChoices }) => [long, argChoices])
    return [{ key: names.join(' '), words, chosen: Object.fromEntries(chosen) }]
  })
}

/** For bash, and for zsh by its bashcompinit. Files where no option or command begins so. */
export function bashCompletion(program) {
  const all = wordsOf(program)
  const groups = program.commands.filter((each) => each.commands.length > 0).map((each) => each.name())
  const choices = all.flatMap(({ key, chosen }) =>
    Object.entries(chosen).map(([flag, values]) => `    ${quoted(`${key} ${flag}`)}) words=${quoted(values.join(' '))} ;;`),
  )
  return `# Completes the commands and options of morphoscope. Written by app/package from the program itself.
_morphoscope() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= words=
  if ((COMP_CWORD > 1)); then command=\${COMP_WORDS[1]}; fi
  case $command in ${groups.join('|')}) if ((COMP_CWORD > 2)); then command+=" \${COMP_WORDS[2]}"; fi ;; esac
  case "$command $previous" in
${choices.join('\n')}
    *) case $command in
${all.map(({ key, words }) => `      ${quoted(key)}) words=${quoted(words.join(' '))} ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=()
  if [[ $words == --* && $current != -* ]]; then words=; fi
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o default -o bashdefault -F _morphoscope morphoscope
`
}

export function zshCompletion() {
  return `#compdef morphoscope
# Completes as bash does: the same words, by zsh's own reader of bash's completions.
autoload -U +X bashcompinit && bashcompinit
source \${\${(%):-%x}:A:h}/../../bash-completion/completions/morphoscope
`
}
