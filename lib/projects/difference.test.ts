import { expect, it } from 'vitest';
import { changedFields, fieldLabel, fieldValue } from './difference';
import { SHOWN_SETTINGS } from './settings';

it.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, [{ path: 'a', before: 1, after: 2 }]],
  [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, [{ path: 'a.b.1', before: 2, after: 3 }]],
  [{ a: [1] }, { a: [] }, [{ path: 'a.0', before: 1, after: undefined }]],
  [{ a: null }, { a: { b: 1 } }, [{ path: 'a', before: null, after: { b: 1 } }]],
])('finds what differs between %j and %j', (before, after, changes) => {
  expect(changedFields(before, after)).toEqual(changes);
});

it.each([
  ['name', 'Name'],
  ['tiers.1.maxTurns', 'Tier 2 · max turns'],
  ['tiers.0.allowedTools.4', 'Tier 1 · allowed rules · 5'],
  ['services.0.checks.1.target', 'Services · 1 · checks · 2 · target'],
  ['services.0.checks.1.everySeconds', 'Services · 1 · checks · 2 · interval (s)'],
  ['budgets.dayUsd', 'Budgets · per day ($)'],
  ['continuation.tier1To2', 'Continuation · tier 1 to tier 2'],
  ['tiers.1.askFirstTools.0', 'Tier 2 · ask-first rules · 1'],
  ['tiers.2.requiresApproval', 'Tier 3 · each start needs approval'],
  ['approvals.operatorsUpToTier', 'Approvals · operators decide up to tier'],
  ['approvals.holdSeconds', 'Approvals · hold a command for (s)'],
  ['checkpoints.retentionDays', 'Checkpoints · days kept'],
])('%s reads %s', (path, label) => {
  expect(fieldLabel(SHOWN_SETTINGS, path)).toBe(label);
});

it.each([
  [undefined, 'nothing'],
  [null, 'none'],
  [true, 'on'],
  ['', 'empty'],
  [0.8, '0.8'],
  [{ name: 'web' }, '{"name":"web"}'],
])('writes %j as %s', (value, text) => {
  expect(fieldValue(value)).toBe(text);
});
