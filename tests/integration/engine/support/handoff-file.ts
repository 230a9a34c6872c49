/** Tier 1 hands off by a file, for tests of what keeps tier 2 from starting. */
import { expect } from 'vitest';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { readChain } from '@/tests/support/cast/read-chain';
import { type Played, wantsHelp } from '@/tests/support/cast/scripted-attempt';

export const HANDOFF_FILES: Partial<ProjectConfig> = {
  continuation: { tier1To2: 'handoff', tier2To3: 'handoff' },
};

export function handoffFileOf(service: string): Played {
  const content = JSON.stringify({
    schema_version: 1,
    recommended_tier: 2,
    services_affected: [service],
    check_results: [{ service, check_type: 'http', status: 'down', error: 'refused' }],
    cooldown_state: {},
  });
  return { report: wantsHelp([service]), result: { handoffFile: { state: 'read', content } } };
}

/** No tier above 1 was started, and the chain says which one would have been. */
export function expectSuppressed(rows: Awaited<ReturnType<typeof readChain>>): void {
  const sentence = 'Escalation suppressed (dry run): would have escalated to tier 2 for: web';
  expect(rows.chain).toMatchObject({
    outcome: 'suppressed',
    outcomeReason: 'DRY_RUN',
    statusText: sentence,
    highestTier: 1,
  });
  expect(rows.sessions).toHaveLength(1);
  expect(rows.attempts).toHaveLength(1);
  expect(rows.handoffs).toEqual([]);
  const codes = rows.events.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['DRY_RUN', 'HANDOFF_FILE_DELETED']));
}
