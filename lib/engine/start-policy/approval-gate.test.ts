import { expect, it } from 'vitest';
import { expectClosed, gateOf } from '@/tests/support/closed-gates';
import type { GateCode } from './gate';

it.each<[GateCode, string]>([
  ['APPROVAL', 'the start of tier 2 waits for approval'],
  ['APPROVAL_REFUSED', '`docker restart web` was refused (Ana refused it: not now)'],
  ['APPROVAL_EXPIRED', 'nobody decided in time about the start of tier 2'],
])('[ENG-1.3] %s: %s', expectClosed);

it('names what is pending', () => {
  const approval = { kind: 'pending', title: '`docker restart web`' } as const;
  expect(gateOf({ approval })?.because).toBe('`docker restart web` waits for approval');
});
