import { expect, it } from 'vitest';
import { newChain } from './new-chain';

const BASE = {
  organizationId: 'organization-a',
  projectId: 'project-a',
  trigger: 'api',
  projectVersion: 14,
  model: 'haiku',
  poolId: 'pool-1',
} as const;

it('is a plain first start unless its trigger says otherwise', () => {
  expect(newChain(BASE)).toMatchObject({
    ...BASE,
    slotAt: null,
    requestedBy: null,
    startTier: 1,
    isDryRun: false,
    isForceFresh: false,
    prompt: null,
    skipped: null,
  });
});

it('keeps everything that its trigger says', () => {
  const said = {
    slotAt: '2026-11-21T14:00:00.000Z',
    requestedBy: 'Ana',
    startTier: 2,
    isDryRun: true,
    isForceFresh: true,
    prompt: 'Look at the disk.',
    skipped: { code: 'BUDGET', text: 'Skipped.' },
  } as const;
  expect(newChain({ ...BASE, ...said })).toMatchObject(said);
});

it('gives every chain, session and attempt an id of its own', () => {
  const ids = [newChain(BASE), newChain(BASE)].flatMap((chain) => [
    chain.chainId,
    chain.sessionId,
    chain.attemptId,
  ]);
  expect(new Set(ids).size).toBe(6);
});
