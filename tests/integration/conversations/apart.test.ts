/** Turns are sessions too: what counts and shows sessions of chains must not take them for such. */

import { expect, it } from 'vitest';
import { findTurnPlace } from '@/lib/conversations/read-conversations';
import { getProjectPlots } from '@/lib/insight/analytics/get-plots';
import { getChain } from '@/lib/insight/chains/get-chain';
import { getContextShares } from '@/lib/insight/project-settings';
import { getSession } from '@/lib/insight/sessions/get-session';
import { encodeId, requireId } from '@/lib/platform/ids';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startOne } from '../engine/support/running';
import { talk } from './support/asking';

useTestDatabase();

it('a chain that was asked about shows no other end, and counts no escalation', async () => {
  const cast = await makeCast();
  const { alice } = cast;
  const chainId = await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: { summary: 'All is well.' } });
  const id = encodeId('chn', chainId);
  const before = await getChain(alice, id);
  const [session] = before.sessions;
  if (!session) throw new Error('The chain has no session.');
  const ofSession = await getSession(alice, session.id);

  const { ask, turns } = await talk(cast, 'Why?', { chain: id });
  await ask('And since when?');

  expect(await getChain(alice, id)).toEqual(before);
  expect(await getSession(alice, session.id)).toEqual(ofSession);
  expect(ofSession.child).toBeNull();
  const request = { range: '7d', timeZone: 'UTC', project: cast.projectSlug } as const;
  const { hops } = await getProjectPlots(alice, { ...request, dayLimitMicros: null });
  expect(hops.isEmpty).toBe(true);
  expect(await getContextShares(alice, requireId('prj', before.project.id))).toEqual([]);

  const [first, second] = await turns();
  const place = { conversationId: first?.conversationId, position: 2 };
  const of = { project: cast.projectSlug, number: second?.session.number ?? 0 };
  expect(await findTurnPlace(alice, of)).toEqual(place);
  expect(await findTurnPlace(alice, { ...of, number: session.number })).toBeNull();
});
