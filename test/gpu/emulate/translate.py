"""Writes a .cu file as C++ for the emulation: kernel<<<config>>>(arguments) becomes a call of emulate::launch, what is written in PTX
becomes C++, and every kernel tells its name and its shared memory."""
import os
import re
import sys


def closing(text, at, open_, close):
    depth = 0
    for i in range(at, len(text)):
        if text[i] == open_:
            depth += 1
        elif text[i] == close:
            depth -= 1
            if depth == 0:
                return i
    raise SystemExit('no closing ' + close)


def name_start(text, end):
    """Where the kernel's name, with its template arguments, begins; it may stand on the line before the configuration."""
    i = len(text[:end].rstrip())
    if text[i - 1] == '>':
        depth = 0
        while True:
            i -= 1
            depth += (text[i] == '>') - (text[i] == '<')
            if depth == 0:
                break
    while re.match(r'[\w:]', text[i - 1]):
        i -= 1
    return i


SHARED = re.compile(r'(?<!extern )__shared__ ([^;]*);')


def bare(text):
    """The text with comments and literals blanked, so that only code has braces; every place stays where it is."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda m: re.sub(r'[^\n]', ' ', m.group()), text, flags=re.S)


def declared(declaration):
    """The names that a declaration of shared memory declares."""
    parts, depth = [''], 0
    for c in declaration:
        depth += (c in '<([{') - (c in '>)]}')
        if c == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += c
    return [re.findall(r'\w+', re.sub(r'\[.*', '', part, flags=re.S))[-1] for part in parts]


def bodies(text):
    """(name, begin, end) of each kernel's body."""
    code = bare(text)
    for m in re.finditer(r'__global__', code):
        name = re.compile(r'\b(?!__launch_bounds__\b)(\w+)\s*\(').search(code, m.end())
        end = closing(code, name.end() - 1, '(', ')') + 1
        if code[end:].lstrip().startswith('{'):
            begin = code.index('{', end)
            yield name.group(1), begin, closing(code, begin, '{', '}')


def with_kernels(text, file):
    """Puts an emulate::Kernel into every kernel, and behind its shared memory the place where its work begins."""
    inserts, names, inside = [], [], []
    code = bare(text)
    for name, begin, end in bodies(text):
        names.append(name)
        inside.append((begin, end))
        inserts.append((begin + 1, f' static emulate::Kernel emulated_("{file}", "{name}");'))
        work = begin + 1
        for k, m in enumerate(SHARED.finditer(code, begin, end)):
            sizes = ' + '.join(f'sizeof({each})' for each in declared(m.group(1)))
            inserts.append((m.end(), f' [[maybe_unused]] static const bool emulated_{k}_ = emulated_.holds({sizes});'))
            work = m.end()
        if code[begin:work].count('{') - code[begin:work].count('}') != 1:
            raise SystemExit(f'{file}: the shared memory of {name} is not declared at the beginning')
        inserts.append((work, ' if (!emulate::enter(emulated_)) return;'))
    for k, m in enumerate(SHARED.finditer(code)):
        if not any(begin < m.start() < end for begin, end in inside):
            sizes = ' + '.join(f'sizeof({each})' for each in declared(m.group(1)))
            inserts.append((m.end(), f' [[maybe_unused]] static const bool emulated_{k}_ = emulate::shared_in_function({sizes});'))
    # From the end, so that places stay true; of those at one place the first comes first.
    for at, what in reversed(sorted(inserts, key=lambda i: i[0])):
        text = text[:at] + what + text[at:]
    if names:
        quoted = ', '.join(f'"{name}"' for name in names)
        tag = re.sub(r'\W', '_', file)
        text += f'\nnamespace {{ [[maybe_unused]] const bool listed_{tag} = emulate::list_kernels("{file}", {{{quoted}}}); }}\n'
    return text


def translate(text, file):
    text = with_kernels(text, file)
    out = ''
    while (at := text.find('<<<')) >= 0:
        begin = name_start(text, at)
        end_config = text.index('>>>', at)
        open_args = text.index('(', end_config)
        end = closing(text, open_args, '(', ')')
        out += f'{text[:begin]}emulate::launch(emulate::Config({text[at + 3:end_config]}), [&] {{ {text[begin:at]}{text[open_args:end + 1]}; }})'
        text = text[end + 1:]
    text = out + text
    # Relaxed loads and stores, which PTX names and C++ does not.
    text = re.sub(r'asm volatile\("[^"]*\bld\.relaxed[^"]*"\s*:\s*"=\w"\((\w+)\)\s*:\s*"l"\((\w+)\)[^;]*;', r'(emulate::yield(), \1 = *(\2));', text)
    text = re.sub(r'asm volatile\("[^"]*\bst\.relaxed[^"]*"\s*::\s*"l"\((\w+)\),\s*"\w"\((.*?)\)\s*:\s*"memory"\);',
                  r'(emulate::yield(), *(\1) = static_cast<std::remove_reference_t<decltype(*(\1))>>(\2));', text)
    return re.sub(r'extern __shared__ ([^;\[]*?)(\w+)\[\];', r'auto* \2 = static_cast<std::remove_cv_t<std::remove_pointer_t<decltype(static_cast<\1*>(nullptr))>>*>(emulate::dynamic_shared());', text)


with open(sys.argv[1]) as source, open(sys.argv[2], 'w') as target:
    target.write(f'#line 1 "{sys.argv[1]}"\n' + translate(source.read(), os.path.basename(sys.argv[1])))
