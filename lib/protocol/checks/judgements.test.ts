import { describe, expect, it } from 'vitest';
import { judgeContainer, judgeUnit, matchesCommand } from './host';
import { judgeAnswer } from './network';
import { failureText } from './outcome';
import { parseHostPort, shownTarget } from './target';

describe('matchesCommand', () => {
  it.each([
    ['nginx', ['/usr/sbin/nginx', '-g'], true],
    ['nginx', ['nginx: master process /usr/sbin/nginx'], true],
    ['nginx', ['vim', 'nginx'], false],
    ['node server.js', ['node', 'server.js', '--x'], true],
    ['/srv/app.js', ['node', '/srv/app.js'], true],
  ])('%s in %j: %s', (target, argv, expected) => {
    expect(matchesCommand(target, argv)).toBe(expected);
  });
});

it.each([
  ['db:5432', { host: 'db', port: 5432 }],
  ['[::1]:80', { host: '::1', port: 80 }],
  ['db', null],
  ['db:0', null],
  ['db:70000', null],
  ['::1:80', null],
])('parses %s', (target, expected) => {
  expect(parseHostPort(target)).toEqual(expected);
});

it.each([
  ['redis://:pa:ss@host/0', 'redis://:[redacted]@host/0'],
  ['http://host:8080/a@b', 'http://host:8080/a@b'],
  ['db:5432', 'db:5432'],
])('shows %s as %s', (target, shown) => {
  expect(shownTarget(target)).toBe(shown);
});

it.each([
  ['running', undefined, 'healthy'],
  ['running', 'healthy', 'healthy'],
  ['running', 'starting', 'degraded'],
  ['restarting', undefined, 'degraded'],
  ['exited', undefined, 'down'],
  ['created', undefined, 'down'],
])('judges a container that is %s (%s)', (status, health, expected) => {
  const state = { Status: status, ExitCode: 1, Health: health ? { Status: health } : null };
  expect(judgeContainer(state).status).toBe(expected);
});

it.each([
  ['active', 'healthy'],
  ['activating', 'degraded'],
  ['inactive', 'down'],
  ['', 'down'],
])('judges a unit that is "%s"', (state, expected) => {
  expect(judgeUnit(state, '').status).toBe(expected);
});

it('accepts any status from 200 to 399 by default', () => {
  expect([199, 200, 399, 400].map((code) => judgeAnswer({}, code, '').status)).toEqual([
    'down',
    'healthy',
    'healthy',
    'down',
  ]);
});

it('finds the cause inside wrapped errors', () => {
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  expect(failureText(new AggregateError([refused]))).toBe('Connection refused.');
  expect(failureText(new Error('fetch failed', { cause: refused }))).toBe('Connection refused.');
});
