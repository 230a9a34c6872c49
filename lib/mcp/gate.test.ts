import { describe, expect, it } from 'vitest';
import { readGate } from './gate';

const PUBLIC_HOST = 'tierwatch.test';

function gate(query: string, headers: Record<string, string> = {}) {
  const request = new Request(`http://internal:3000/api/mcp${query}`, { method: 'POST', headers });
  return readGate(request, PUBLIC_HOST);
}

describe('[INC-4.3] the gate of the MCP server', () => {
  it.each<[string, Record<string, string>]>([
    ['a program, which sends no origin', {}],
    ['the public address', { origin: 'https://tierwatch.test' }],
    ['a page of the machine itself', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
    ['the same by address', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
  ])('lets in %s', (_, headers) => expect(gate('', headers)).toBe('full'));

  it.each<[string, Record<string, string>]>([
    ['a page of another site', { origin: 'https://evil.test' }],
    ['an origin that isn’t one', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['another port', { origin: 'https://tierwatch.test:8443' }],
    [
      'a page whose name was pointed at this server',
      { origin: 'http://evil.test:3000', host: 'evil.test:3000' },
    ],
    [
      'a name that only begins as loopback',
      { origin: 'http://127.0.0.1.evil.test', host: '127.0.0.1.evil.test' },
    ],
    ['a request of a foreign page without an origin', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', (_, headers) => {
    expect(() => gate('', headers)).toThrow('another site');
  });

  it.each<[string, Record<string, string>, string]>([
    ['', {}, 'full'],
    ['?mode=read', {}, 'read'],
    ['?mode=full', {}, 'full'],
    ['', { 'tierwatch-mode': 'read' }, 'read'],
    ['?mode=read', { 'tierwatch-mode': 'full' }, 'read'],
    ['?mode=full', { 'tierwatch-mode': 'read' }, 'read'],
    ['?mode=full&mode=read', {}, 'read'],
  ])('%s with %j is %s', (query, headers, mode) => expect(gate(query, headers)).toBe(mode));

  it.each([['?mode=readonly'], ['?mode='], ['?mode=read&mode=x']])('%s is an error', (query) => {
    expect(() => gate(query)).toThrow('doesn’t exist');
  });

  it.each([['?token=twk_x'], ['?access_token=twk_x'], ['?mode=read&api_key=1']])(
    'a token in %s is refused with what to do',
    (query) => {
      expect(() => gate(query)).toThrow('Send the token in the header');
    },
  );
});
