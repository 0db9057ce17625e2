from __future__ import annotations

import time

import pytest

from hotloop.verify.texts.includes import refused


@pytest.mark.parametrize(
    "source",
    [
        '#include "/etc/hostname"',
        "#include </etc/hostname>",
        '# /* a */ include /* b */ "/etc/hostname"',
        '#inc\\\nlude "/etc/hostname"',
        '%:include "/etc/hostname"',
        '??=include "/etc/hostname"',
        '#inc??/\nlude "/etc/hostname"',
        '#include "../secret"',
        '#include "a/../../secret"',
        '#define F "/etc/hostname"\n#include F',
        '#embed "/etc/hostname"',
        '#import "/etc/hostname"',
        '  #  include_next "/etc/hostname"',
        '__asm__(".incbin \\"/etc/hostname\\"");',
        'int a;\n/*\n*/ #include "/proc/self/environ"',
        '#include "~/.ssh/id_rsa"',
        '#if __has_include("/etc/hostname")',
        "#if __has_include_next(</etc/hostname>)",
        '#if __has_embed("/etc/hostname")',
        '#define F "/etc/hostname"\n#if __has_include(F)',
        '#pragma GCC dependency "/etc/hostname"',
        '_Pragma("GCC dependency \\"/etc/hostname\\"")',
    ],
)
def test_files_of_this_machine_are_not_read(source):
    assert refused(source)


@pytest.mark.parametrize(
    "before",
    [
        '__constant char* s = "/*\\"";',
        'char c = \'"\'; char* s = "/*";',
        'auto s = R"(" /*)";',
        'x = R"(" )"/*";',
        "// ??/",
        "// \\ ",
        "#if 0\n it's /*\n#endif",
        '#if 0\n it"s /*\n#endif',
        "int a = 1'000; char c = '\"'; auto s = \"/*\";",
        "int b = a ??' \"' /*\";",
        '__constant char* s = "/*??/"";',
    ],
)
def test_what_some_compiler_takes_for_no_comment_is_none(before):
    """The first of these hid any file from the look: a string's end was not found behind an escaped quotation mark."""
    assert refused(f'{before}\n#include "/etc/hostname"\n/* */\n')


@pytest.mark.parametrize(
    "source",
    [
        '/* it\'s "fine */ int y; // don\'t\n/*\n#include "/etc/x"\n*/\n#include "tile.h"',
        '#include "tile.h"',
        "#include <cuda_fp16.h>",
        "#include <cub/block/block_reduce.cuh>",
        '// #include "/etc/hostname"',
        '/* #include "/etc/hostname" */',
        "#define include 1",
        "#pragma unroll",
        "#if defined(__has_include) && __has_include(<cuda_bf16.h>)",
        'printf("#include \\"/etc/hostname\\"");',
        "int include = 1;",
    ],
)
def test_what_stands_beside_the_kernel_or_comes_with_the_compiler_is(source):
    assert refused(source) == ""


def test_a_source_is_looked_through_once():
    source, before = "// looked through once\n", refused.cache_info().misses
    assert refused(source) == refused(source) == ""
    assert refused.cache_info().misses == before + 1


@pytest.mark.parametrize(
    "source",
    ["'\\" * 40_000, '"\\' * 40_000, 'R"(a ' * 20_000, "\n".join(f'R"x{number}(' for number in range(20_000)), "/*" * 40_000],
    ids=["characters", "strings", "raw strings", "raw strings with delimiters", "comments"],
)  # fmt: skip
def test_a_text_is_read_in_time_that_grows_with_its_length(source):
    """Of literals without an end each one's was looked for anew: the first text took minutes."""
    began = time.process_time()
    assert refused(source) == ""
    assert time.process_time() - began < 5
