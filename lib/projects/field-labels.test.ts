import { expect, it } from 'vitest';
import { fieldLabel, fieldValue } from './field-labels';

it.each([
  ['name', 'Name'],
  ['tiers.1.maxTurns', 'Tier 2 · turns'],
  ['tiers.0.allowedTools.4', 'Tier 1 · allowed rules · 5'],
  ['services.0.checks.1.target', 'Services · 1 · checks · 2 · target'],
  ['budgets.dayUsd', 'Budgets · day ($)'],
  ['continuation.tier1To2', 'Continuation · tier 1 to 2'],
  ['tiers.1.askFirstTools.0', 'Tier 2 · ask-first rules · 1'],
  ['tiers.2.requiresApproval', 'Tier 3 · each start needs approval'],
  ['approvals.operatorsUpToTier', 'Approvals · operators decide up to tier'],
  ['approvals.holdSeconds', 'Approvals · command hold time (s)'],
  ['checkpoints.retentionDays', 'Checkpoints · kept for (days)'],
])('%s reads %s', (path, label) => {
  expect(fieldLabel(path)).toBe(label);
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
