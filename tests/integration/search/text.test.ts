import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import type { TextHit } from '@/lib/insight/search/schema';
import { searchText } from '@/lib/insight/search/search-text';
import type { TenantScope } from '@/lib/platform/db/scope';
import { changedBy } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const call = (command: string): RunnerEvent => ({
  kind: 'tool_call',
  messageId: null,
  toolUseId: `toolu_${command.length}`,
  tool: 'Bash',
  input: { command },
  parentToolUseId: null,
});

const textOf = ({ snippet }: TextHit) => snippet.map(({ text }) => text).join('');

/** A chain whose tier 1 reported a summary and a finding, and ran two commands. */
async function makeSearched(): Promise<Cast> {
  const cast = await makeCast();
  await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
  await play(cast.runner, await claimNext(cast.runner), {
    events: [call('docker ps --filter name=web'), call("grep -c '100% full' /var/log/disk_a.log")],
    report: {
      summary: 'The payments queue is stuck behind one poisoned message.',
      findings: [{ severity: 'warning', message: 'Consumer lag grew to 40,000.' }],
    },
  });
  return cast;
}

describe('[PAG-1.4] the search over reports and commands', () => {
  it('finds every word of a report, whatever its case, with the session and its chain', async () => {
    const { alice } = await makeSearched();
    const { reports, commands } = await searchText(alice, 'POISONED queue');
    expect(commands).toEqual([]);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({
      project: { slug: 'checkout', name: 'Checkout' },
      session: { number: 1, tier: 1 },
      chain: { number: 1 },
      seq: null,
    });
    expect(reports[0]?.snippet).toContainEqual({ text: 'poisoned', isMatch: true });
    expect((await searchText(alice, 'consumer lag')).reports).toHaveLength(1);
    expect((await searchText(alice, 'poisoned elsewhere')).reports).toEqual([]);
    // Names of the report's own fields are no words of it.
    expect((await searchText(alice, 'services_checked')).reports).toEqual([]);
  });

  it('finds a command with its place in the log', async () => {
    const { alice } = await makeSearched();
    const { commands, reports } = await searchText(alice, 'docker web');
    expect(reports).toEqual([]);
    expect(commands.map(textOf)).toEqual(['docker ps --filter name=web']);
    const event = await inTransaction(alice, (db) =>
      db.sessionEvent.findFirstOrThrow({ where: { seq: commands[0]?.seq ?? 0 } }),
    );
    expect(event).toMatchObject({
      kind: 'tool_call',
      payload: { input: { command: textOf(commands[0] as TextHit) } },
    });
  });

  it.each([
    ["'", 1],
    ["100% full'", 1],
    ['100_', 0],
    ['%%', 0],
    ['__', 0],
    ['disk_a', 1],
    ['diskXa', 0],
    ["web & !db | ':*", 0],
    ["'; drop table session; --", 0],
    ['\\', 0],
  ])('takes %s as it stands', async (query, found) => {
    const { alice } = await makeSearched();
    // One character alone is too short, so it stands beside a word that is there.
    const { commands } = await searchText(alice, query.length === 1 ? `grep ${query}` : query);
    expect(commands).toHaveLength(found);
  });

  it('gives nothing of another organization, and shows a viewer what it shows its owner', async () => {
    const { alice } = await makeSearched();
    const charlie = await makeCast();
    for (const query of ['poisoned', 'docker', '1']) {
      expect(await searchText(charlie.alice, query), query).toEqual({
        numbers: [],
        reports: [],
        commands: [],
      });
    }
    const viewer: TenantScope = { ...alice, role: 'viewer' };
    expect(await searchText(viewer, 'docker')).toEqual(await searchText(alice, 'docker'));
    expect((await searchText(viewer, 'docker')).commands).toHaveLength(1);
  });

  it('finds chains and sessions by number in every project', async () => {
    const { alice } = await makeSearched();
    const project = { slug: 'checkout', name: 'Checkout' };
    expect((await searchText(alice, '#1')).numbers).toEqual([
      { kind: 'chains', number: 1, project },
      { kind: 'sessions', number: 1, project },
    ]);
    expect((await searchText(alice, '7')).numbers).toEqual([]);
    expect((await searchText(alice, '99999999999')).numbers).toEqual([]);
  });

  it('reads only the newest rows, and no older ones', async () => {
    const { alice, projectId } = await makeSearched();
    const depth = { reports: 20, commands: 40 };
    await fill(alice, projectId, depth);
    const search = (query: string) => searchText(alice, query, depth);
    expect((await search('rolling')).commands.map(textOf)).toEqual(['rolling restart of web']);
    expect((await search('steady')).reports).toHaveLength(6);
    expect((await search('docker')).commands).toEqual([]);
    expect((await search('poisoned')).reports).toEqual([]);
    // One row deeper, each is found.
    const deeper = { reports: depth.reports + 1, commands: depth.commands + 2 };
    expect((await searchText(alice, 'docker', deeper)).commands).toHaveLength(1);
    expect((await searchText(alice, 'poisoned', deeper)).reports).toHaveLength(1);
  });
});

/** As many newer sessions as a search reads, with as many calls in all. */
async function fill(
  scope: TenantScope,
  projectId: string,
  depth: { reports: number; commands: number },
): Promise<void> {
  await inTransaction(scope, async (db) => {
    await changedBy(
      db,
      sql`insert into session (id, organization_id, project_id, chain_id, number, kind, tier, status, model, project_version, report, ended_at)
      select ('ffffffff-ffff-7fff-8fff-' || lpad(to_hex(n), 12, '0'))::uuid, ${scope.organizationId}::uuid, ${projectId}::uuid, c.id, n + 10, 'tier', 1, 'completed', 'haiku', 1,
        '{"summary": "All is steady.", "findings": []}', now()
      from generate_series(1, ${depth.reports}::int) n, (select id from chain limit 1) c`,
    );
    await changedBy(
      db,
      sql`insert into session_event (organization_id, session_id, seq, kind, at, payload)
      select s.organization_id, s.id, n, 'tool_call', now(), '{"input": {"command": "rolling restart of web"}}'
      from session s, generate_series(1, ${depth.commands / depth.reports}::int) n
      where s.number > 10`,
    );
  });
}
