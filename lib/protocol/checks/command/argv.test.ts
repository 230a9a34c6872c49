import { describe, expect, it } from 'vitest';
import { parseArgv } from './argv';

describe('[INC-1.1] the program and arguments of a command check', () => {
  it.each([
    ['df -P /srv', ['df', '-P', '/srv']],
    ['  df   -P\t/srv ', ['df', '-P', '/srv']],
    [`grep 'a b' "c \\" d" e\\ f`, ['grep', 'a b', 'c " d', 'e f']],
    [`echo '' x''y`, ['echo', '', 'xy']],
    [`echo '$HOME' "a;b|c" '*'`, ['echo', '$HOME', 'a;b|c', '*']],
    ['curl --max-time=5 https://shop.test/a', ['curl', '--max-time=5', 'https://shop.test/a']],
  ])('of %j', (text, argv) => {
    expect(parseArgv(text)).toEqual({ ok: true, argv });
  });

  it.each([
    ['', 'Enter a program with its arguments.'],
    ['   ', 'Enter a program with its arguments.'],
    ['/bin/df', 'Begin with the name of a program, without a path.'],
    ['./check', 'Begin with the name of a program, without a path.'],
    ['-x', 'Begin with the name of a program, without a path.'],
    ['"my tool"', 'Begin with the name of a program, without a path.'],
    [`df 'x`, "A ' is never closed."],
    ['df \\', 'Nothing follows the last backslash.'],
    ['df x\\\0', 'An argument contains a NUL character.'],
  ])('%j is refused', (text, problem) => {
    expect(parseArgv(text)).toEqual({ ok: false, problem });
  });

  it.each([
    'a | b',
    'a; b',
    'a && b',
    'a > f',
    'a $HOME',
    'a `b`',
    'a $(b)',
    'a *',
    'a {b,c}',
    'a ~',
    'a #b',
    '(a)',
  ])('%j needs a shell and is refused', (text) => {
    expect(parseArgv(text)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('runs without a shell'),
    });
  });
});
