import { describe, expect, it } from 'vitest';
import { readShell } from './shell-command';

const texts = (line: string) => readShell(line).parts.map(({ text }) => text);
const words = (line: string) => readShell(line).commands.map((command) => command.words.join('_'));

describe('readShell', () => {
  it.each<[string, string[]]>([
    ['echo a\\;b', ['echo a\\;b']],
    ["echo 'a;b' && ls", ["echo 'a;b'", 'ls']],
    ['echo "a\\"; b"', ['echo "a\\"; b"']],
    ['a | b || c; d & e\nf', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a |& b', ['a', 'b']],
    ['docker \\\n ps', ['docker   ps']],
    ['docker ps 2>&1 | tail', ['docker ps 2>&1', 'tail']],
    ['docker ps &> f', ['docker ps &> f']],
    ['docker ps # a; b\nls', ['docker ps # a; b', 'ls']],
    ['(a; b)', ['(a', 'b)']],
    [' ; ', []],
  ])('[ENG-5.1] splits %s at operators alone', (line, expected) => {
    expect(texts(line)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['echo a\\;b', ['echo_a;b']],
    ['do""cker "re"start', ['docker_restart']],
    ['(docker ps); { ls; }', ['docker_ps', 'ls']],
    ['ls 2>/dev/null -l', ['ls_-l']],
    ['ls 2 >f', ['ls_2']],
    ['ls "2">f', ['ls_2']],
    ['ls a2>f', ['ls_a2']],
  ])('[ENG-5.1] reads the words of %s', (line, expected) => {
    expect(words(line)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['docker restart web 2>&1', ['docker restart web']],
    ['docker ps >/dev/null 2> /dev/null -a | tail', ['docker ps   -a', 'tail']],
    ['docker ps > "a b"', ['docker ps']],
    ['docker ps', ['docker ps']],
  ])('[ENG-5.1] leaves the redirections of %s out of its bare text', (line, expected) => {
    expect(readShell(line).parts.map(({ bareText }) => bareText)).toEqual(expected);
  });

  it.each<[string, [string, string][]]>([
    ['ls > f', [['>', 'f']]],
    ['ls >> "a b"', [['>>', 'a b']]],
    [
      'ls > /dev/null 2>&1',
      [
        ['>', '/dev/null'],
        ['>&', '1'],
      ],
    ],
    ['ls &>> f', [['&>>', 'f']]],
    ['cat <<< x', [['<<<', 'x']]],
    ['cat << EOF', [['<<', 'EOF']]],
    ['cat < a', [['<', 'a']]],
    ['cat <> a', [['<>', 'a']]],
    ['ls >', [['>', '']]],
    ["echo 'a > b'", []],
    ['echo a\\>b', []],
  ])('[ENG-5.1] reads the redirections of %s', (line, expected) => {
    const [command] = readShell(line).commands;
    const found = command?.redirections.map(({ operator, target }) => [operator, target]);
    expect(found).toEqual(expected);
  });

  it.each<[string, boolean]>([
    ['ls $A', true],
    ['ls "$A"', true],
    ['ls \u0024{A}', true],
    ['ls $1', true],
    ["ls '$A'", false],
    ['ls \\$A', false],
    ['ls {a,b}', true],
    ["ls '{a,b}'", false],
    ['ls {1..3}', true],
    ['find . -name {}', false],
    ["ls $'\\x2d'", true],
    ['ls $(date)', true],
    ['grep a$ b', false],
  ])('[ENG-5.1] knows whether the shell would expand %s', (line, expected) => {
    expect(readShell(line).commands[0]?.hasExpansion).toBe(expected);
  });
});
