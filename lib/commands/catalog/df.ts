import { type ProgramEntry, reads } from './entry';

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
