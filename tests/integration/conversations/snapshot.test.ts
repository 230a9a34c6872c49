/** What a turn has come to and what it stands for are in two tables, and are read as one. */

import pg from 'pg';
import { expect, it } from 'vitest';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { getTurn, listTurns } from '@/lib/conversations/read-conversations';
import { requireId } from '@/lib/platform/ids';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { reviveSessions } from '@/tests/support/revive-sessions';
import { untilBlocked } from './support/blocked';

const database = useTestDatabase();

it('a turn that ends between two statements of a reader is seen before its end, not halfway', async () => {
  const { alice, projectSlug: project } = await makeCast();
  const asked = { project, message: 'Is web well?', forceFresh: false };
  const { conversationId, turnId } = await startConversation(alice, asked);
  const id = requireId('trn', turnId);
  const writer = new pg.Client({ connectionString: database.superuserUrl });
  await writer.connect();
  const readings = [
    () => listTurns(alice, conversationId, { withCut: false }).then(([turn]) => turn),
    () => getTurn(alice, conversationId, turnId),
  ];
  try {
    for (const read of readings) {
      await writer.query('begin');
      await writer.query('lock table session in access exclusive mode');
      // The turn is read; the session has to wait.
      const reading = read();
      await untilBlocked(writer);
      await writer.query("update turn set answer = 'It is.' where id = $1", [id]);
      await writer.query(
        `update session set status = 'completed', ended_at = now()
         where id = (select session_id from turn where id = $1)`,
        [id],
      );
      await writer.query('commit');
      expect(await reading).toMatchObject({ status: 'queued', endedAt: null, answer: null });
      expect(await read()).toMatchObject({ status: 'completed', answer: 'It is.' });
      await writer.query('update turn set answer = null where id = $1', [id]);
      await reviveSessions(database, 'queued');
    }
  } finally {
    await writer.end();
  }
});
