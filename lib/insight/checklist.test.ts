import { describe, expect, it } from 'vitest';
import { checklistOf } from './checklist';
import type { ChecklistFacts } from './checklist-data';

const NEW: ChecklistFacts = {
  isDismissed: false,
  hasRunner: false,
  hasChain: false,
  hasRecipient: false,
  hasTier2: false,
  hasColleague: false,
  project: null,
};
const WITH_PROJECT = { ...NEW, project: { slug: 'checkout', name: 'Checkout' } };
const ALL = {
  ...WITH_PROJECT,
  hasRunner: true,
  hasChain: true,
  hasRecipient: true,
  hasTier2: true,
  hasColleague: true,
};

const ticksOf = (facts: ChecklistFacts) =>
  checklistOf(facts, 'owner')
    ?.filter(({ isDone }) => isDone)
    .map(({ key }) => key);
const pathsOf = (facts: ChecklistFacts) =>
  Object.fromEntries(checklistOf(facts, 'owner')?.map(({ key, path }) => [key, path]) ?? []);

describe('[PAG-2.2] the checklist', () => {
  it.each([
    ['a runner', { hasRunner: true }, ['runner']],
    ['a chain', { hasChain: true }, ['chain']],
    ['somebody to notify', { hasRecipient: true }, ['notify']],
    ['tier 2', { hasTier2: true }, ['tier2']],
    ['a colleague', { hasColleague: true }, ['invite']],
    ['nothing', {}, []],
  ])('ticks what is there: %s', (_, facts, ticks) => {
    expect(ticksOf({ ...WITH_PROJECT, ...facts })).toEqual(ticks);
  });

  it('leads to the place where each step is done', () => {
    expect(pathsOf(WITH_PROJECT)).toEqual({
      runner: '/runners',
      chain: '/projects/checkout',
      notify: '/settings/notifications',
      tier2: '/projects/checkout/settings/tiers?tier=2&switch=on',
      invite: '/settings/members',
    });
  });

  it('leads to a first project where there is none, and to no tier of one', () => {
    expect(pathsOf(NEW)).toMatchObject({ chain: '/projects/new', tier2: null });
  });

  it('is gone once everything is done, or when it was dismissed', () => {
    expect(checklistOf(ALL, 'owner')).toBeNull();
    expect(checklistOf({ ...ALL, hasColleague: false }, 'owner')).not.toBeNull();
    expect(checklistOf({ ...NEW, isDismissed: true }, 'owner')).toBeNull();
  });

  it.each([
    ['owner', [null, null, null, null, null]],
    ['admin', [null, null, null, null, null]],
    ['operator', ['admin', null, 'admin', 'admin', 'admin']],
    ['viewer', ['admin', 'operator', 'admin', 'admin', 'admin']],
  ] as const)('says which role a step needs, to: %s', (role, needs) => {
    expect(checklistOf(WITH_PROJECT, role)?.map((step) => step.needs)).toEqual(needs);
  });

  it('asks for no role for what is done', () => {
    const [runner] = checklistOf({ ...WITH_PROJECT, hasRunner: true }, 'viewer') ?? [];
    expect(runner).toMatchObject({ isDone: true, path: null, needs: null });
  });
});
