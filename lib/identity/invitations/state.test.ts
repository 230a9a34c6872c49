import { describe, expect, it } from 'vitest';
import { type InvitationFacts, invitationState, nextStep } from './state';

const now = new Date('2026-11-22T12:00:00Z');
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);
const open: InvitationFacts = { expiresAt: after, acceptedAt: null, revokedAt: null };

describe('[SAS-1.2] the state of an invitation', () => {
  it.each([
    ['pending', open],
    ['expired', { ...open, expiresAt: now }],
    ['accepted', { ...open, expiresAt: before, acceptedAt: before }],
    ['revoked', { ...open, expiresAt: before, revokedAt: before }],
  ] as const)('%s', (state, facts) => {
    expect(invitationState(facts, now)).toBe(state);
  });
});

describe('[SAS-1.2] what whoever opens the link can do', () => {
  const invitation = { ...open, email: 'bo@example.com' };
  it.each([
    ['join', 'bo@example.com', true],
    ['switch_account', 'ana@example.com', true],
    ['switch_account', 'ana@example.com', false],
    ['sign_in', null, true],
    ['sign_up', null, false],
  ] as const)('%s', (step, signedInAs, hasAccount) => {
    expect(nextStep(invitation, { signedInAs, hasAccount }, now)).toBe(step);
  });

  it.each([
    ['expired', { expiresAt: before }],
    ['accepted', { acceptedAt: before }],
    ['revoked', { revokedAt: before }],
  ] as const)('nothing once it is %s', (step, change) => {
    const reader = { signedInAs: 'bo@example.com', hasAccount: true };
    expect(nextStep({ ...invitation, ...change }, reader, now)).toBe(step);
  });
});
