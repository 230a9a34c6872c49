import { options, type ProgramEntry, reads } from './entry';

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
