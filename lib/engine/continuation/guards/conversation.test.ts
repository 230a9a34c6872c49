import { describe, expect, it } from 'vitest';
import { type Change, checkGuard } from '@/tests/support/resume-facts';
import { CONVERSATION_GUARDS, isModel, type ModelEdge, modelEdge } from './conversation';

const check = (id: string, change: Change) => checkGuard(CONVERSATION_GUARDS, id, change);

describe('whether to continue the conversation', () => {
  it.each<[string, string | null, string, Change]>([
    [
      'G19',
      'MODEL_EDGE_UNPROVEN',
      'an unproven edge where those hand off',
      { request: { model: 'opus' }, policy: { unprovenEdges: 'handoff' } },
    ],
    ['G19', null, 'an unproven edge where those resume', { request: { model: 'opus' } }],
    ['G19', null, 'a proven edge', { policy: { unprovenEdges: 'handoff' } }],
    ['G20', 'CONTEXT_PRESSURE', 'more than the threshold', { pointer: { contextTokens: 160_001 } }],
    ['G20', null, 'the threshold itself', { pointer: { contextTokens: 160_000 } }],
    ['G20', 'CONTEXT_UNKNOWN', 'no figure', { pointer: { contextTokens: null } }],
    ['G22', 'UNECONOMIC', 'more than the limit', { policy: { maxRereadTokens: 14_999 } }],
    ['G22', null, 'the limit itself', { policy: { maxRereadTokens: 15_000 } }],
    [
      'G22',
      null,
      'an unknown context, which another guard judges',
      { pointer: { contextTokens: null }, policy: { maxRereadTokens: 0 } },
    ],
  ])('%s gives %s: %s', (id, reason, _, change) => {
    expect(check(id, change).stop).toEqual(reason && { to: 'carry', reason });
  });

  it('[ENG-2.2] G22 says that no limit is set, and only then', () => {
    const why = 'No limit is set.';
    expect(check('G22', {}).unknown).toEqual({ rereadTokens: why, maxRereadTokens: why });
    expect(check('G22', { policy: { maxRereadTokens: 15_000 } }).unknown).toEqual({});
  });
});

it.each<[string, string, boolean]>([
  ['claude-haiku-4-5-20251001', 'haiku', true],
  ['claude-opus-4-8[1m]', 'opus', true],
  ['claude-opus-4-8[1m]', 'claude-opus-4-8[1m]', true],
  ['claude-opus-4-8', 'claude-opus-4-8', true],
  ['claude-opus-4-8', 'claude-opus-4', false],
  ['claude-haiku-4-5', 'sonnet', false],
  ['haiku', 'claude-haiku-4-5', false],
])('%s is named by %s: %s', (model, named, is) => {
  expect(isModel(model, named)).toBe(is);
});

describe('modelEdge', () => {
  it.each<[string, string, ModelEdge]>([
    ['claude-haiku-4-5', 'haiku', 'same'],
    ['haiku', 'claude-haiku-4-5', 'same'],
    ['claude-haiku-4-5', 'claude-sonnet-5', 'proven'],
    ['claude-sonnet-5', 'claude-haiku-4-5', 'unproven'],
    ['claude-haiku-4-5', 'opus', 'unproven'],
    ['claude-opus-4-8', 'claude-sonnet-5', 'unproven'],
  ])('from %s to %s is %s', (from, to, edge) => {
    expect(modelEdge(from, to, { provenEdges: [['haiku', 'sonnet']] })).toBe(edge);
  });
});
