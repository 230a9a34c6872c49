import { type ProgramEntry, reads } from './entry';

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
