/** How long retention of session events takes: a partition that is dropped, and rows that are deleted. */
import { LOG_RETENTION_DAYS, pruneSessions } from '@/lib/engine/retention';
import { changeOrganization } from '@/lib/identity/organizations/service';
import { makeCast } from '@/tests/support/cast/organization';
import { inMs, inSeconds, isFull, printResult } from './support/figures';
import { type HistorySize, writeHistory } from './support/history';
import { withScratchDatabase } from './support/scratch-database';

/** Written over 90 days, so about a thirteenth of it in each week. */
const SIZE: HistorySize = isFull
  ? { projects: 100, sessions: 1_000_000, eventsPerSession: 10 }
  : { projects: 100, sessions: 100_000, eventsPerSession: 10 };

interface Partition {
  name: string;
  events: number;
  megabytes: number;
}

await withScratchDatabase({ isThrowaway: false }, async (superuser) => {
  const { alice, projectId } = await makeCast();
  const other = await makeCast();
  await writeHistory(superuser, [projectId, other.projectId], SIZE);
  const { rows: past } = await superuser.query<Partition>(
    `select p.name, c.reltuples::int as events, (pg_total_relation_size(c.oid) / 1e6)::int as megabytes
     from app.event_partitions() p join pg_class c on c.oid = format('partitions.%I', p.name)::regclass
     where not p.is_default and p.below_id < app.first_id_of(now() - interval '${LOG_RETENTION_DAYS} days')
     order by c.reltuples desc`,
  );
  const [largest] = past;
  if (!largest) throw new Error('There is no partition to drop.');
  const beganAt = performance.now();
  await superuser.query('select app.drop_event_partition($1, now())', [largest.name]);
  const dropMs = performance.now() - beganAt;

  const sweepBeganAt = performance.now();
  await pruneSessions();
  const sweepMs = performance.now() - sweepBeganAt;

  await changeOrganization(alice, { logRetentionDays: LOG_RETENTION_DAYS / 2 });
  const count = async () =>
    (await superuser.query<{ events: number }>('select count(*)::int as events from session_event'))
      .rows[0]?.events ?? 0;
  const before = await count();
  const deleteBeganAt = performance.now();
  await pruneSessions();
  const deleteMs = performance.now() - deleteBeganAt;
  const deleted = before - (await count());
  printResult({
    title: 'Retention of session events',
    target: 'a partition dropped in under 1 s',
    figures: {
      'one partition dropped': `${inMs(dropMs)} (${largest.events.toLocaleString('en')} events, ${largest.megabytes} MB)`,
      'a sweep with the other partitions': `${inMs(sweepMs)} (${past.length - 1} dropped)`,
      'a shorter period of one organization, row by row': `${inSeconds(deleteMs)} (${deleted.toLocaleString('en')} events)`,
    },
  });
});
