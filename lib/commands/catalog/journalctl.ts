import { type ProgramEntry, reads } from './entry';
import { UNITS } from './units';

export const journalctl: ProgramEntry = {
  program: 'journalctl',
  ...UNITS,
  verbs: [
    reads(
      '',
      'shows the logs of the host',
      ...['-u|--unit {word}', '-n|--lines {word}', '-p|--priority {word}', '-b|--boot'],
      ...['-S|--since {time}', '-U|--until {time}', '-g|--grep {text}', '--case-sensitive'],
      ...['-o|--output {word}', '-r|--reverse', '-k|--dmesg', '-x|--catalog', '-e|--pager-end'],
      ...['--no-pager', '--no-hostname', '--utc', '-q|--quiet', '-a|--all', '--no-full'],
      ...['-f|--follow', '-t|--identifier {word}'],
    ),
  ],
  dangers: {
    '--vacuum-time': 'deletes logs',
    '--vacuum-size': 'deletes logs',
    '--vacuum-files': 'deletes logs',
    '--rotate': 'closes the current log files',
    '--flush': 'moves logs to the disk',
    '--sync': 'writes logs to the disk',
    '--relinquish-var': 'stops logging to the disk',
    '--smart-relinquish-var': 'stops logging to the disk',
    '--cursor-file': 'writes a file',
    '--file': 'reads any file',
    '-i': 'reads any file',
    '-D': 'reads another folder',
    '--directory': 'reads another folder',
    '--root': 'reads another file system',
    '--image': 'reads another file system',
    '-M': 'reads the logs of a container',
    '--machine': 'reads the logs of a container',
    '--setup-keys': 'writes the keys that seal logs',
    '--update-catalog': 'writes the message catalog',
  },
};
