/** Finds the programs that a line of shell starts, through the wrappers people put around them. */

import { COUNTED_PROGRAMS } from './cooldown';
import { readShell } from './shell-command';

const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh'];
const INTERPRETERS = ['python', 'python3', 'perl', 'ruby', 'node', 'php'];
const KEYWORDS = ['do', 'then', 'else', 'elif', 'if', 'while', 'until', '!', 'time'];
/** Prefixes of another command, with their options that take a value. */
const WRAPPERS: Record<string, string[]> = {
  sudo: ['-u', '-g', '-h', '-C', '-p'],
  doas: ['-u'],
  env: ['-u', '-C', '-S'],
  command: [],
  builtin: [],
  exec: ['-a'],
  nohup: [],
  setsid: [],
  stdbuf: ['-i', '-o', '-e'],
  nice: ['-n'],
  ionice: ['-c', '-n'],
  timeout: ['-k', '-s'],
  watch: ['-n'],
  xargs: ['-I', '-n', '-P', '-L', '-d', '-a', '-E', '-s'],
};
const SSH_OPTIONS = ['-p', '-i', '-l', '-o', '-F', '-J', '-L', '-R', '-D', '-b', '-c', '-E', '-W'];

const MAX_DEPTH = 6;

export interface StartedProgram {
  /** Without its path. */
  program: string;
  args: string[];
  /** Its last words come from somewhere else, so they are not known. */
  hasUnknownArgs: boolean;
}

export function startedPrograms(text: string, depth = 0): StartedProgram[] {
  if (depth > MAX_DEPTH) return [];
  const line = readShell(withVariables(text));
  const found = [
    ...line.commands.flatMap(({ words }) => unwrap(words, depth, false)),
    ...line.nested.flatMap((inner) => startedPrograms(inner, depth + 1)),
  ];
  // `printf 'docker restart web' | sh`: the text is somewhere on the line.
  const isPipedToShell = found.some(
    ({ program, args }) => SHELLS.includes(program) && args.every(isOption),
  );
  if (!isPipedToShell) return found;
  const texts = line.commands.flatMap(({ words, redirections }) => [
    ...words,
    ...redirections.map(({ target }) => target),
  ]);
  const words = texts.filter((text) => text.includes(' '));
  return [...found, ...words.flatMap((word) => startedPrograms(word, depth + 1))];
}

function unwrap(
  words: readonly string[],
  depth: number,
  hasUnknownArgs: boolean,
): StartedProgram[] {
  const expanded = words.flatMap(braces);
  const [first, ...rest] = expanded;
  if (first === undefined || depth > MAX_DEPTH) return [];
  if (isAssignment(first) || KEYWORDS.includes(first)) return unwrap(rest, depth, hasUnknownArgs);
  const program = baseName(first);
  const inner = (text: string) => startedPrograms(text, depth + 1);
  if (program === 'eval') return inner(rest.join(' '));
  if (SHELLS.includes(program) || program === 'su') {
    const script = rest[rest.findIndex((arg) => /^-[a-z]*c$/.test(arg)) + 1];
    const hasScript = rest.some((arg) => /^-[a-z]*c$/.test(arg)) && script !== undefined;
    return hasScript ? inner(script) : [{ program, args: rest, hasUnknownArgs }];
  }
  if (INTERPRETERS.includes(program.replace(/[\d.]+$/, '')) || INTERPRETERS.includes(program)) {
    return insideSource(rest.join('\n'), depth);
  }
  if (program === 'ssh') {
    const [, ...remote] = afterOptions(rest, SSH_OPTIONS);
    return inner(remote.join(' '));
  }
  const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
  if (wrapper) {
    const command = afterOptions(rest, wrapper);
    const skipped = program === 'timeout' ? command.slice(1) : command;
    return unwrap(skipped, depth + 1, hasUnknownArgs || program === 'xargs');
  }
  return [{ program, args: rest, hasUnknownArgs }, ...execInside(program, rest, depth)];
}

/** `docker exec web sh -c …`, `kubectl exec pod -- …`, `ansible all -m shell -a '…'`, `find -exec`. */
function execInside(program: string, args: readonly string[], depth: number): StartedProgram[] {
  if (program === 'ansible') {
    const text = args[args.findIndex((arg) => arg === '-a' || arg === '--args') + 1];
    return text && args.some((arg) => arg === '-a' || arg === '--args')
      ? startedPrograms(text, depth + 1)
      : [];
  }
  const at = args.findIndex((arg) => ['exec', '-exec', '-execdir', 'run'].includes(arg));
  if (at === -1) return [];
  return args
    .slice(at + 1)
    .flatMap((arg, index, rest) =>
      SHELLS.includes(baseName(arg)) || COUNTED_PROGRAMS.includes(baseName(arg))
        ? unwrap(rest.slice(index), depth + 1, false)
        : [],
    );
}

/** Source of another language: whatever looks like a command line in it. */
function insideSource(source: string, depth: number): StartedProgram[] {
  const quoted = source.match(/(["'`])(?:(?!\1).)*\1/g) ?? [];
  const fromQuotes = quoted.flatMap((text) => startedPrograms(text.slice(1, -1), depth + 1));
  const words = source.split(/[^\w./-]+/).filter((word) => word !== '');
  const fromLists = words.flatMap((word, index) =>
    COUNTED_PROGRAMS.includes(baseName(word))
      ? [{ program: baseName(word), args: words.slice(index + 1), hasUnknownArgs: false }]
      : [],
  );
  return [...fromQuotes, ...fromLists];
}

/** `D=docker; $D restart web` reads as if it were written out. */
function withVariables(text: string): string {
  const values = new Map<string, string>();
  for (const { words } of readShell(text).commands) {
    for (const word of words) {
      if (!isAssignment(word)) continue;
      const at = word.indexOf('=');
      values.set(word.slice(0, at), word.slice(at + 1));
    }
  }
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced, bare) => {
    return values.get(braced ?? bare) ?? whole;
  });
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}

function braces(word: string): string[] {
  const list = /^\{([^{}]*,[^{}]*)\}$/.exec(word)?.[1];
  return list === undefined ? [word] : list.split(',');
}

function baseName(word: string | undefined): string {
  return word?.slice(word.lastIndexOf('/') + 1) ?? '';
}

function isOption(word: string): boolean {
  return word.startsWith('-');
}

function afterOptions(args: readonly string[], withValue: readonly string[]): string[] {
  let index = 0;
  while (index < args.length && (isOption(args[index] ?? '') || isAssignment(args[index] ?? ''))) {
    index += withValue.includes(args[index] ?? '') ? 2 : 1;
  }
  return args.slice(index);
}
