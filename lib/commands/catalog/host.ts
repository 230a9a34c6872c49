import { options, type ProgramEntry, reads } from './entry';

/**
 * `e` without a hyphen shows the environment of processes. ps also reads `-e` that way after options
 * that conflict, such as `-f` with `-o`.
 */
const SAFE_WITH_E = ['-e', '-f', '-ef', '-fe', '--no-headers', '--forest'];

export const ps: ProgramEntry = {
  program: 'ps',
  verbs: [
    {
      ...reads(
        '',
        'lists processes',
        ...['-A', '-e', '-f', '-F', '-l', '-j', '-L'],
        ...['-p|--pid {word}', '-C {word}', '-u|--user {word}', '--ppid {word}', '--forest'],
        ...['-o|--format {text}', '--sort {text}', '--no-headers'],
      ),
      risk: 'shows the command lines of processes, which may contain passwords',
      refuses(operands, given) {
        const options = given.map(({ option }) => option);
        const hasE = options.some((option) => /^-\w*e/.test(option));
        const isPlain = options.every((option) => SAFE_WITH_E.includes(option));
        if (hasE && (!isPlain || operands.length > 0)) {
          return '`-e` with other options can show the environment of processes. Use `-A`.';
        }
        const other = operands.find((operand) => !/^(aux|ax|axu|auxw|auxww|faux)$/.test(operand));
        return other === undefined
          ? null
          : `\`${other}\` can show the environment of processes. Use aux or options with a hyphen.`;
      },
    },
  ],
  dangers: {},
};

export const df: ProgramEntry = {
  program: 'df',
  verbs: [
    reads(
      '',
      'shows how full file systems are',
      ...['-h|--human-readable', '-H|--si', '-i|--inodes', '-k', '-l|--local', '-P|--portability'],
      ...['-T|--print-type', '-t|--type {word}', '-x|--exclude-type {word}', '-a|--all', '--total'],
    ),
  ],
  dangers: { '--sync': 'writes to the disk' },
};

export const ss: ProgramEntry = {
  program: 'ss',
  closedOptions: options(
    '-K|--kill',
    '-F|--filter {path under /}',
    '-D|--diag {path under /}',
    '-N|--net {text}',
  ),
  verbs: [
    reads(
      '',
      'lists sockets',
      ...['-t|--tcp', '-u|--udp', '-x|--unix', '-l|--listening', '-a|--all', '-n|--numeric'],
      ...['-p|--processes', '-s|--summary', '-i|--info', '-o|--options', '-m|--memory'],
      ...['-e|--extended', '-4|--ipv4', '-6|--ipv6', '-H|--no-header', '-O|--oneline'],
    ),
  ],
  dangers: {
    '-K': 'closes connections',
    '--kill': 'closes connections',
    '-F': 'reads a file',
    '--filter': 'reads a file',
    '-D': 'writes a file',
    '--diag': 'writes a file',
    '-N': 'reaches into another network namespace',
    '--net': 'reaches into another network namespace',
  },
};

export const ping: ProgramEntry = {
  program: 'ping',
  verbs: [
    {
      ...reads(
        '',
        'asks a host for a sign of life',
        ...['-c {int}', '-W {int}', '-w {int}', '-i {int}', '-4', '-6', '-n', '-q'],
      ),
      risk: 'reaches any host',
    },
  ],
  dangers: { '-f': 'floods the host', '-p': 'sends data', '-s': 'sends large packets' },
};

const PLAIN = [
  '+short',
  '+noall',
  '+answer',
  '+tcp',
  '+trace',
  '+nocomments',
  '+stats',
  '+nostats',
];

export const dig: ProgramEntry = {
  program: 'dig',
  readingOptions: options('-x {text}', '-p {int}', '-b {text}'),
  verbs: [
    {
      ...reads('', 'asks for the addresses of a name', '-4', '-6', '-t {word}'),
      options: [...options('-4', '-6', '-t {word}'), ...options(...PLAIN)],
      risk: 'sends the name, which can carry data, to name servers',
      refuses: (operands) =>
        operands.some((operand) => operand.startsWith('@'))
          ? 'A name server of one’s own (`@…`) can receive any data. A rule has to name the whole command.'
          : null,
    },
  ],
  dangers: {
    '-f': 'reads any file and sends its lines to a name server',
    '-k': 'reads any file',
    '-y': 'uses a key',
    '-b': 'sends from another address',
    '-p': 'talks to another port',
  },
};
