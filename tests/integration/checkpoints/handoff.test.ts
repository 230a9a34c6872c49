/** A handoff for the next tier, where the one before said nothing of what it found. */

import { beforeEach, describe, expect, it } from 'vitest';
import { discardSession } from '@/lib/engine/checkpoints/manage-checkpoints';
import { encodeId } from '@/lib/platform/ids';
import { DEFAULT_CHECKPOINTS } from '@/lib/projects/checkpoint-settings';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, type Played, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { countQueries } from '../api/support/count-queries';
import { saveConfig, send, startOne } from '../engine/support/running';
import { checkpoint } from './support/checkpoint';

useTestDatabase();
const NOTES = 'The disk of db-2 is full.';

let cast: Cast;
let chainId: string;
let second: AttemptSpec;
beforeEach(async () => {
  cast = await makeCast({ continuation: { tier1To2: 'handoff', tier2To3: 'resume' } });
  chainId = await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
  second = await claimNext(cast.runner);
});

/** Ends tier 2, and gives what the handoff to tier 3 says it found. */
async function endTierTwo(played: Played): Promise<unknown> {
  const file = { state: 'absent' } as const;
  await play(cast.runner, second, { result: { handoffFile: file }, ...played });
  const { handoffs } = await readChain(cast.alice, chainId);
  const payload = handoffs.find(({ toTier }) => toTier === 3)?.payload;
  return (payload as { investigation_findings?: string } | undefined)?.investigation_findings;
}

const events = [checkpoint('Old notes.', '/srv'), checkpoint(NOTES, '/srv')];
const silent = { ...wantsHelp(), summary: ' ' };

describe('the handoff', () => {
  it('[CKP-4.1] tells the newest checkpoint of a tier that reported no findings', async () => {
    const found = await endTierTwo({ events, report: silent });
    expect(found).toMatch(/^Tier 2 reported no findings\. Its checkpoint of \S+Z says:\n/);
    expect(found).toContain(NOTES);
    expect(found).not.toContain('Old notes.');
  });

  it('[CKP-4.1] tells what was reported where something was', async () => {
    expect(await endTierTwo({ events, report: wantsHelp() })).toBe('web is down.');
  });

  it('[CKP-4.1] tells nothing of a discarded session', async () => {
    await discardSession(cast.alice, encodeId('ses', second.sessionId));
    expect(await endTierTwo({ events, report: silent })).toBe('Tier 2 reported no findings.');
  });

  it('[CKP-7.1] tells nothing where checkpoints are off', async () => {
    await send(cast.runner, second, events);
    const checkpoints = { ...DEFAULT_CHECKPOINTS, enabled: false };
    await saveConfig(cast, { checkpoints });
    expect(await endTierTwo({ report: silent, result: {} })).toBe('Tier 2 reported no findings.');
  });
});

describe('a hop whose report says what was found', () => {
  it('asks the database nothing more than before there were checkpoints', async () => {
    const usual = await countQueries(() => endTierTwo({ report: wantsHelp() }));
    cast = await makeCast({ continuation: { tier1To2: 'handoff', tier2To3: 'resume' } });
    chainId = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    second = await claimNext(cast.runner);
    expect(await countQueries(() => endTierTwo({ report: silent }))).toBe(usual + 1);
  });
});
