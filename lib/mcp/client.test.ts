import { describe, expect, it } from 'vitest';
import { clientOf } from './client';

const info = (value: unknown) => ({ 'io.modelcontextprotocol/clientInfo': value });
const userAgent = 'claude-code/2.1.197 (sdk-cli)';

describe('[INC-4.3] which client calls', () => {
  it.each<[unknown, unknown, string | null, unknown]>([
    [
      info({ name: 'claude-code', version: '2.1.330' }),
      { 'claudecode/toolUseId': 'toolu_1_0' },
      userAgent,
      { name: 'claude-code 2.1.330', toolUseId: 'toolu_1_0' },
    ],
    [undefined, undefined, userAgent, { name: userAgent, toolUseId: null }],
    [info({ name: 'x' }), {}, null, { name: 'x', toolUseId: null }],
    [
      info({ name: 7, version: [] }),
      { 'claudecode/toolUseId': 7 },
      null,
      { name: 'unknown', toolUseId: null },
    ],
    [info('x'), 'x', '  ', { name: 'unknown', toolUseId: null }],
    [info(null), null, null, { name: 'unknown', toolUseId: null }],
    [info({ name: 'a\nb\u202e' }), {}, null, { name: 'a b<U+202E>', toolUseId: null }],
  ])('%j %j %s', (envelope, meta, agent, expected) => {
    expect(clientOf({ envelope, meta, userAgent: agent })).toEqual(expected);
  });

  it('long names are cut', () => {
    const long = clientOf({ envelope: info({ name: 'x'.repeat(5_000) }), meta: {}, userAgent });
    expect(long.name.length).toBe(120);
  });
});
