import { type ProgramEntry, reads } from './entry';

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
