import { expect, it } from 'vitest';
import { AUDIT_KINDS, actionsOf } from './actions';

it('a kind stands for all of its actions, and an action for itself', () => {
  expect(actionsOf('chain')).toEqual([
    'chain.started',
    'chain.stop_requested',
    'chain.acknowledged',
    'chain.acknowledgement_ended',
    'chain.ended',
  ]);
  expect(actionsOf('chain.ended')).toEqual(['chain.ended']);
});

it('webhook endpoints and deliveries are two kinds', () => {
  expect(actionsOf('webhook_delivery').every((one) => one.startsWith('webhook_delivery.'))).toBe(
    true,
  );
  expect(AUDIT_KINDS).toContain('webhook_endpoint');
});
