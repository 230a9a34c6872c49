import { type ProgramEntry, reads } from './entry';

/** Its options without a hyphen can show the environment of processes, so an open rule has none. */
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
      refuses(operands) {
        const other = operands.find((operand) => !/^(aux|ax|axu|auxw|auxww|faux)$/.test(operand));
        return other === undefined
          ? null
          : `\`${other}\` can show the environment of processes. Use aux or options with a hyphen.`;
      },
    },
  ],
  dangers: {},
};
