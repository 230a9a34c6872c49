/** The audit log is found by who, what, where and when, leaves as a file, and says how far it holds. */

import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteProject } from '@/lib/engine/chains/delete-project';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { exportAudit } from '@/lib/identity/audit/export-audit';
import { browseAudit, checkAudit } from '@/lib/identity/audit/read-audit';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { AuditEntryDto } from '@/lib/identity/audit/schema';
import { writeAuditAnchors } from '@/lib/identity/audit/write-anchors';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { pauseProject } from '@/lib/projects/pauses';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { type Api, openApi } from '../api/support/api';
import { startOne } from '../engine/support/running';

const database = useTestDatabase();
let api: Api;
let cast: Cast;
let token: string;

beforeAll(async () => {
  api = await openApi();
});

beforeEach(async () => {
  cast = await makeCast();
  await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: { resolved: true } });
  await pauseProject(cast.alice, cast.projectSlug, { reason: 'deploy' });
  const made = { name: 'CI', scopes: ['audit:read' as const], expiresInDays: 1 };
  token = (await createApiToken(cast.alice, made)).token;
});

async function list(query = '') {
  const response = await api('GET', `audit?limit=100${query}`, { token });
  const body = (await response.json()) as { data: AuditEntryDto[] };
  return { status: response.status, actions: body.data?.map((entry) => entry.action), ...body };
}

async function fileOf(format: 'csv' | 'jsonl', filter = {}) {
  const parts: string[] = [];
  for await (const part of await exportAudit(cast.alice, filter, format)) parts.push(part);
  return parts.join('');
}

describe('[SAS-6.1] the audit log is filtered', () => {
  it('by project: what happened to it and to its chains, and nothing else', async () => {
    const of = [
      'project.paused',
      'chain.ended',
      'decision.made',
      'chain.started',
      'project.created',
    ];
    const project = encodeId('prj', cast.projectId);
    for (const reference of [project, cast.projectSlug]) {
      expect((await list(`&project=${reference}`)).actions).toEqual(of);
    }
    expect((await list(`&project=${project}`)).data.map((entry) => entry.project)).toEqual(
      of.map(() => project),
    );
    await deleteProject(cast.alice, cast.projectSlug);
    expect((await list(`&project=${project}`)).actions).toEqual(['project.deleted', ...of]);
    const { project: chosen, projects } = await browseAudit(
      cast.alice,
      { project: cast.projectSlug },
      { limit: 10 },
    );
    expect(chosen).toBe(project);
    expect(projects).toMatchObject([{ id: project, isDeleted: true }]);
  });

  it('by actor, whom the page offers by the last name', async () => {
    const page = await browseAudit(cast.alice, {}, { limit: 2 });
    const alice = `user:${cast.alice.actor.id}`;
    expect(page.actors).toContainEqual({ actor: alice, actorLabel: cast.alice.actor.label });
    expect(page.actors.length).toBeGreaterThan(1);
    const counts = await Promise.all(
      page.actors.map(async ({ actor }) => {
        const { data } = await list(`&actor=${encodeURIComponent(actor)}`);
        expect(data.every((entry) => entry.actor === actor)).toBe(true);
        return data.length;
      }),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe((await list()).data.length);
  });

  it('by action and by kind of thing', async () => {
    expect((await list('&action=chain')).actions).toEqual(['chain.ended', 'chain.started']);
    expect((await list('&action=chain.ended')).actions).toEqual(['chain.ended']);
    expect((await list('&action=chain.none')).status).toBe(422);
  });

  it('by time, the end not included', async () => {
    const all = (await list()).data;
    // Entries of one transaction may share their millisecond.
    const moment = all.at(2)?.at ?? '';
    const at = encodeURIComponent(moment);
    const isLater = (entry: AuditEntryDto) => entry.at >= moment;
    expect((await list(`&from=${at}`)).data).toEqual(all.filter(isLater));
    const earlier = all.filter((entry) => !isLater(entry));
    expect(earlier.length).toBeGreaterThan(0);
    expect((await list(`&to=${at}`)).data).toEqual(earlier);
    expect((await list('&from=yesterday')).status).toBe(422);
  });

  it('page by page in both directions, with the filter kept', async () => {
    const ask = (at: object) => browseAudit(cast.alice, { action: 'chain' }, { limit: 1, ...at });
    const first = await ask({});
    expect(first).toMatchObject({ newerThan: null, entries: [{ action: 'chain.ended' }] });
    const second = await ask({ before: first.olderThan ?? 0 });
    expect(second).toMatchObject({ olderThan: null, entries: [{ action: 'chain.started' }] });
    expect((await ask({ after: second.newerThan ?? 0 })).entries).toEqual(first.entries);
    const { data, nextCursor } = await (
      await api('GET', 'audit?limit=1&action=chain', { token })
    ).json();
    expect(data).toMatchObject(first.entries);
    const next = await api('GET', `audit?limit=1&action=chain&cursor=${nextCursor}`, { token });
    expect((await next.json()).data).toMatchObject(second.entries);
  });

  it('[SAS-1.3] for the project of somebody else answers 404', async () => {
    const other = await makeCast();
    for (const reference of [encodeId('prj', other.projectId), other.projectSlug, 'none']) {
      if (reference === cast.projectSlug) continue;
      expect((await list(`&project=${reference}`)).status, reference).toBe(404);
    }
  });
});

describe('[SAS-6.1] the audit log as a file', () => {
  it('holds every entry that matches, over more than one batch, newest first', async () => {
    const entry = { action: 'project.saved' as const, target: 'prj_x' };
    await inTransaction(cast.alice, (db) =>
      recordAudit(
        db,
        cast.alice,
        Array.from({ length: 2_100 }, () => entry),
      ),
    );
    const lines = (await fileOf('jsonl')).trimEnd().split('\n');
    const seqs = lines.map((line) => (JSON.parse(line) as AuditEntryDto).seq);
    const newest = seqs[0] ?? 0;
    expect(newest).toBeGreaterThan(2_100);
    expect(seqs).toEqual(Array.from({ length: newest }, (_, index) => newest - index));
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(
      (await list('&to=2999-01-01T00:00:00Z&action=organization')).data[0],
    );
    const csv = (await fileOf('csv', { action: 'chain' })).split('\r\n');
    expect(csv).toHaveLength(4);
    expect(csv[1]).toContain('chain.ended');
  });

  it('is made for admins and owners alone', async () => {
    await expect(exportAudit({ ...cast.alice, role: 'operator' }, {}, 'csv')).rejects.toThrow(
      /admin/,
    );
    await expect(exportAudit({ ...cast.alice, role: 'admin' }, {}, 'csv')).resolves.toBeDefined();
  });
});

describe('[SAS-6.1] the verifier', () => {
  it('says up to which entry the log holds, and where it broke', async () => {
    await writeAuditAnchors();
    const before = await checkAudit(cast.alice);
    expect(before).toMatchObject({ isIntact: true, firstBad: null });
    expect(before.verifiedUpTo).toBe(before.checked);
    const client = new pg.Client({ connectionString: database.superuserUrl });
    await client.connect();
    await client.query('delete from audit_log where organization_id = $1 and seq = 3', [
      cast.alice.organizationId,
    ]);
    await client.end();
    expect(await checkAudit(cast.alice)).toMatchObject({
      isIntact: false,
      firstBad: 4,
      verifiedUpTo: 2,
      checked: before.checked - 1,
    });
  });
});
