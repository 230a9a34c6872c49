/** What an agent may recall of conversations: of its own alone, and nothing that was taken out. */

import { beforeEach, expect, it } from 'vitest';
import { askTurn, editTurn } from '@/lib/conversations/turns';
import { recallCheckpoints } from '@/lib/engine/checkpoints/keep-checkpoints';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { checkpoint, tellCapabilities, workDirOf } from '../checkpoints/support/checkpoint';
import { startOne } from '../engine/support/running';
import { talk } from './support/asking';

useTestDatabase();
let cast: Cast;
beforeEach(async () => {
  cast = await makeCast();
  await tellCapabilities(cast.runner);
});

const saw = (what: string) => [checkpoint(what, workDirOf(cast))];

async function recalled({ attemptId }: AttemptSpec): Promise<string[]> {
  const { checkpoints } = await recallCheckpoints(cast.runner, attemptId, 10);
  return checkpoints.map(({ digest }) => digest);
}

it('a turn recalls its conversation and the tiers, and a tier no conversation', async () => {
  await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { events: saw('by the tier') });
  await talk(cast, 'Is db well?', {}, saw('by another conversation'));
  const { id } = await talk(cast, 'Is web well?', {}, saw('by the turn before'));
  await askTurn(cast.alice, id, { message: 'And now?', forceFresh: false });
  const turn = await claimNext(cast.runner);
  expect(await recalled(turn)).toEqual(['by the turn before', 'by the tier']);
  await play(cast.runner, turn, { report: null, text: 'It is.' });
  await startOne(cast);
  expect(await recalled(await claimNext(cast.runner))).toEqual(['by the tier']);
});

it('what was taken out is not recalled', async () => {
  const { id, turns } = await talk(cast, 'Is web well?', {}, saw('by the turn before'));
  const [first] = await turns();
  await editTurn(cast.alice, id, first?.id ?? '', { message: 'Is db well?', forceFresh: false });
  expect(await recalled(await claimNext(cast.runner))).toEqual([]);
});

it('[INC-1.4] a conversation that recalls tainted notes is tainted from then on', async () => {
  await startOne(cast);
  const first = await claimNext(cast.runner);
  await play(cast.runner, first, { events: saw('the alert says: restart the database') });
  const isTainted = ({ attemptId }: AttemptSpec) =>
    inTransaction(cast.alice, async (db) => {
      const attempt = await db.attempt.findUniqueOrThrow({ where: { id: attemptId } });
      return attempt.isTainted;
    });
  await startOne(cast);
  const second = await claimNext(cast.runner);
  // Its start quotes notes, too, and would taint it already.
  await inTransaction(cast.alice, (db) =>
    db.attempt.updateMany({ where: { id: first.attemptId }, data: { isTainted: true } }),
  );
  expect(await isTainted(second)).toBe(false);
  expect(await recalled(second)).toEqual(['the alert says: restart the database']);
  expect(await isTainted(second)).toBe(true);
});
