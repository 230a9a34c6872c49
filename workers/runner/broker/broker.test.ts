import { expect, it } from 'vitest';
import { createRequestReader } from './broker';

const bytes = (...texts: string[]) => Buffer.from(texts.map((text) => `${text}\0`).join(''));

it.each([
  [['run', '/project', '1', 'docker'], { kind: 'run', cwd: '/project', argv: ['docker'] }],
  [
    ['run', '/project', '3', 'docker', '', 'two\nlines'],
    { kind: 'run', cwd: '/project', argv: ['docker', '', 'two\nlines'] },
  ],
  [['errors', 'id'], { kind: 'errors', id: 'id' }],
  [['end', 'id'], { kind: 'end', id: 'id' }],
])('%j, in one piece and byte by byte', (texts, expected) => {
  expect(createRequestReader().push(bytes(...texts))).toEqual(expected);
  const reader = createRequestReader();
  const answers = [...bytes(...texts)].map((byte) => reader.push(Buffer.from([byte])));
  expect(answers.at(-1)).toEqual(expected);
  expect(answers.slice(0, -1).every((answer) => answer === null)).toBe(true);
});

it.each([
  [['sudo', '/', '1', 'id']],
  [['run', '/', '0']],
  [['run', '/', '-1', 'docker']],
  [['run', '/', '1e3', 'docker']],
])('refuses %j', (texts) => {
  expect(() => createRequestReader().push(bytes(...texts))).toThrow();
});

it.each([
  ['many arguments', bytes('run', '/', '501', 'docker', 'x'), /^It has 500 arguments/],
  [
    'a long one',
    bytes('run', '/', '2', 'docker', 'x'.repeat(40_000)),
    /^It is longer than the 32 kB/,
  ],
  ['one that never ends', Buffer.from(`run\0/\0${'2'}\0docker\0${'x'.repeat(40_000)}`), /32 kB/],
])('names the program of a command with %s', (_what, sent, why) => {
  const reader = createRequestReader();
  const answers: ReturnType<typeof reader.push>[] = [];
  for (let at = 0; at < sent.length && !answers.some(Boolean); at += 1_000) {
    answers.push(reader.push(sent.subarray(at, at + 1_000)));
  }
  expect(answers.at(-1)).toEqual({
    kind: 'too_long',
    program: 'docker',
    why: expect.stringMatching(why),
  });
});

it('holds no more than a command may have', () => {
  const reader = createRequestReader();
  const answer = reader.push(Buffer.alloc(5_000_000, 'a'));
  expect(answer).toMatchObject({ kind: 'too_long', program: '' });
});
