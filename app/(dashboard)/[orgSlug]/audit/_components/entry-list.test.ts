import { describe, expect, it } from 'vitest';
import { actionWords } from './audit-view';
import { detailRows } from './entry-list';

describe('[SAS-6.1] the details of an audit entry', () => {
  it.each([
    ['nothing', {}, []],
    [
      'only what changed',
      { before: { url: 'a', isEnabled: true }, after: { url: 'b', isEnabled: true } },
      [{ term: 'url', before: 'a', after: 'b' }],
    ],
    [
      'all of what was made',
      { after: { name: 'CI', expiresAt: null, scopes: ['chains:run', 'audit:read'], days: [90] } },
      [
        { term: 'name', before: null, after: 'CI' },
        { term: 'scopes', before: null, after: 'chains:run, audit:read' },
        { term: 'days', before: null, after: '90' },
      ],
    ],
    [
      'all of what was deleted',
      { before: { name: 'CI' } },
      [{ term: 'name', before: 'CI', after: null }],
    ],
    [
      'a before and after that are no objects',
      { before: 4, after: 5 },
      [{ term: 'value', before: '4', after: '5' }],
    ],
    [
      'single fields inside of what changed',
      {
        before: { tiers: [{ tier: 1, model: 'haiku' }], budgets: { dayUsd: 50 } },
        after: { tiers: [{ tier: 1, model: 'sonnet' }], budgets: { dayUsd: 50 } },
      },
      [{ term: 'tiers.0.model', before: 'haiku', after: 'sonnet' }],
    ],
    [
      'the changes that a save has listed, and its version',
      { version: 14, changes: [{ path: 'maxTier', before: 1, after: 2 }] },
      [
        { term: 'maxTier', before: '1', after: '2' },
        { term: 'version', before: null, after: '14' },
      ],
    ],
    [
      'the facts of a decision',
      { mode: 'handoff', reason: null },
      [
        { term: 'mode', before: null, after: 'handoff' },
        { term: 'reason', before: null, after: 'none' },
      ],
    ],
  ])('%s', (_what, detail, rows) => {
    expect(detailRows(detail)).toEqual(rows);
  });
});

describe('an action', () => {
  it.each([
    ['api_token.revoked', 'Revoked an API token'],
    ['something.newer', 'something.newer'],
  ])('%s reads %s', (action, words) => {
    expect(actionWords(action)).toBe(words);
  });
});
