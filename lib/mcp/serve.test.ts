import { describe, expect, it } from 'vitest';
import { clientOf, errorText, type ToolProblem } from './serve';

describe('[INC-4.3] errors say what happened, why, and what to do', () => {
  it.each<[ToolProblem, string]>([
    [
      { status: 404, code: 'not_found', detail: 'There is nothing here.' },
      'get_chain failed (not_found). There is nothing here. Check the id, number or slug with list_projects, list_chains, get_chain or list_approvals. A token sees its own organization only.',
    ],
    [
      { status: 409, code: 'conflict', detail: 'Chain #5 is running.', chainId: 'chn_1' },
      'get_chain failed (conflict). Chain #5 is running. It is about chn_1; get_chain shows it. Read the current state, then decide whether to try again.',
    ],
    [
      {
        status: 422,
        code: 'invalid',
        detail: 'limit: Ask for at most 50 rows.',
        fields: { limit: 'Ask for at most 50 rows.', cursor: 'not valid' },
      },
      'get_chain failed (invalid). limit: Ask for at most 50 rows. cursor: not valid Correct the arguments by the tool’s schema, then call it again.',
    ],
    [
      { status: 503, code: 'database_unavailable', detail: 'It is away.', retryAfterSeconds: 5 },
      'get_chain failed (database_unavailable). It is away. Call it again in 5 s, not earlier.',
    ],
    [
      { status: 500, code: 'unknown', detail: 'Something went wrong on our side.' },
      'get_chain failed (unknown). Something went wrong on our side.',
    ],
  ])('%j', (problem, text) => expect(errorText('get_chain', problem)).toBe(text));
});

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
