"""Writes a .cu file as C++ for the emulation: kernel<<<config>>>(arguments) becomes a call of emulate::launch, and what is written in PTX
becomes C++."""
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
    """Where the kernel's name, with its template arguments, begins."""
    i = end
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


def translate(text):
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
    target.write(f'#line 1 "{sys.argv[1]}"\n' + translate(source.read()))
