import { expect, it } from 'vitest';
import { createRequestReader } from './request';

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
  [['run', '/', '20001', 'docker']],
])('refuses %j', (texts) => {
  expect(() => createRequestReader().push(bytes(...texts))).toThrow();
});

it('refuses a request that is too long, also one that never ends', () => {
  const reader = createRequestReader();
  const chunk = Buffer.alloc(1_000_000, 'a');
  expect(() => {
    for (let at = 0; at < 5; at += 1) reader.push(chunk);
  }).toThrow(/too long/);
});
