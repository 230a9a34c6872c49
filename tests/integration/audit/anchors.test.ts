/** Who owns the database can change the log and its hashes, but not the anchors outside of it. */

import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { entryProof } from '@/lib/identity/audit/data';
import { checkAudit } from '@/lib/identity/audit/read-audit';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { writeAuditAnchors } from '@/lib/identity/audit/write-anchors';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

const database = useTestDatabase();
let cast: Cast;

const file = () => path.join(env().auditAnchorDir, `${cast.alice.organizationId}.jsonl`);

async function append(count = 1): Promise<void> {
  const entry = { action: 'project.saved' as const, target: 'prj_x', detail: {} };
  await inTransaction(cast.alice, (db) => recordAudit(db, cast.alice, Array(count).fill(entry)));
}

async function withLogin<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** As the database's owner would, who can lift row-level security and so sees every row. */
async function asOwner(...statements: string[]): Promise<void> {
  await withLogin(database.superuserUrl, async (client) => {
    for (const sql of statements) await client.query(sql, [cast.alice.organizationId]);
  });
}

const REHASH = `
  with recursive chain as (
    select l.seq, '\\x'::bytea as prev, app.audit_hash('\\x'::bytea, l.organization_id, l.seq, l.at, l.actor, l.action, l.target, l.detail) as hash
      from audit_log l where l.organization_id = $1 and l.seq = 1
    union all
    select l.seq, chain.hash, app.audit_hash(chain.hash, l.organization_id, l.seq, l.at, l.actor, l.action, l.target, l.detail)
      from chain join audit_log l on l.organization_id = $1 and l.seq = chain.seq + 1
  ) update audit_log l set prev_hash = chain.prev, hash = chain.hash from chain
    where l.organization_id = $1 and l.seq = chain.seq`;
const RESET_HEAD = `
  update audit_head h set (seq, hash) = (select l.seq, l.hash from audit_log l where l.organization_id = $1 order by seq desc limit 1)
    where h.organization_id = $1`;

beforeEach(async () => {
  cast = await makeCast();
  await append(4);
  await writeAuditAnchors();
  await append(2);
  await writeAuditAnchors();
});

describe('[SEC-4.2] verification', () => {
  it('finds a log intact that grew since its anchors, and writes the next one', async () => {
    await append();
    const verdict = await checkAudit(cast.alice);
    expect(verdict).toMatchObject({
      status: 'intact',
      isIntact: true,
      anchor: { state: 'matches', seq: verdict.checked - 1 },
    });
    expect((await checkAudit(cast.alice)).anchor.seq).toBe(verdict.checked);
  });

  it('detects that everything was deleted, the head as well', async () => {
    await asOwner(
      'delete from audit_log where organization_id = $1',
      'delete from audit_head where organization_id = $1',
    );
    expect(await checkAudit(cast.alice)).toMatchObject({
      checked: 0,
      firstBad: null,
      headMatches: true,
      status: 'changed',
      isIntact: false,
      verifiedUpTo: 0,
      anchor: { state: 'differs', isMissing: true },
    });
  });

  it('detects that the tail was cut and the head reset, and says what is left', async () => {
    const before = await checkAudit(cast.alice);
    await asOwner(
      `delete from audit_log where organization_id = $1 and seq = ${before.checked}`,
      RESET_HEAD,
    );
    const verdict = await checkAudit(cast.alice);
    expect(verdict).toMatchObject({
      firstBad: null,
      headMatches: true,
      status: 'changed',
      verifiedUpTo: before.checked - 2,
      anchor: { state: 'differs', isMissing: true, seq: before.checked },
    });
    expect(verdict.anchor.at).not.toBeNull();
  });

  it('detects that an entry was changed and all hashes computed again', async () => {
    const before = await checkAudit(cast.alice);
    await asOwner(
      `update audit_log set actor = 'user:someone-else' where organization_id = $1 and seq = ${before.checked}`,
      REHASH,
      RESET_HEAD,
    );
    expect(await checkAudit(cast.alice)).toMatchObject({
      firstBad: null,
      headMatches: true,
      status: 'changed',
      verifiedUpTo: before.checked - 2,
      anchor: { state: 'differs', isMissing: false, seq: before.checked },
    });
  });

  it('still detects it after entries were appended and anchors were due', async () => {
    await asOwner('delete from audit_log where organization_id = $1 and seq > 3', RESET_HEAD);
    await append(20);
    await writeAuditAnchors();
    await checkAudit(cast.alice);
    expect(await checkAudit(cast.alice)).toMatchObject({ status: 'changed', firstBad: null });
  });

  it('says unknown, and not intact, without anchors, and never again intact since before', async () => {
    await rm(file());
    const now = new Date('2026-12-01T00:00:00.000Z');
    expect(await checkAudit(cast.alice, now)).toMatchObject({
      status: 'unknown',
      isIntact: false,
      anchor: { state: 'missing', at: null },
    });
    expect(await checkAudit(cast.alice)).toMatchObject({
      status: 'intact',
      anchor: { since: now.toISOString() },
    });
  });

  it('says unknown where the file was changed, or its anchors signed by someone else', async () => {
    const lines = (await readFile(file(), 'utf8')).trim().split('\n');
    const [first = '', newest = ''] = lines;
    const forged = { ...JSON.parse(newest), seq: 1 };
    await writeFile(file(), `${first}\n${JSON.stringify(forged)}\n`);
    expect(await checkAudit(cast.alice)).toMatchObject({
      status: 'unknown',
      anchor: { state: 'damaged' },
    });
    await writeFile(file(), `${lines.join('\n')}\n`);
    await appendFile(file(), 'half a li');
    expect((await checkAudit(cast.alice)).status).toBe('unknown');
  });

  it('takes no anchor of another organization', async () => {
    const other = await makeCast();
    await writeAuditAnchors();
    const foreign = path.join(env().auditAnchorDir, `${other.alice.organizationId}.jsonl`);
    await writeFile(file(), await readFile(foreign, 'utf8'));
    expect(await checkAudit(cast.alice)).toMatchObject({
      status: 'unknown',
      anchor: { state: 'damaged' },
    });
  });

  it('shows the key with which anyone can verify an anchor', async () => {
    const { anchor } = await checkAudit(cast.alice);
    const [line = ''] = (await readFile(file(), 'utf8')).split('\n');
    const { organizationId, seq, hash, at, signature } = JSON.parse(line);
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: anchor.publicKey },
      format: 'jwk',
    });
    const text = `tierwatch-audit-checkpoint-1\n${organizationId}\n${seq}\n${hash}\n${at}`;
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('sends a copy of each anchor to the URL', async () => {
    const received: string[] = [];
    const server = createServer((request, response) => {
      request.on('data', (part) => received.push(String(part)));
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    Object.assign(env(), { auditAnchorUrl: `http://127.0.0.1:${port}/` });
    await append();
    await writeAuditAnchors();
    Object.assign(env(), { auditAnchorUrl: null });
    server.close();
    const kept = (await readFile(file(), 'utf8')).trim().split('\n');
    expect(received).toContain(kept.at(-1));
  });
});

describe('[SEC-4.2] the application’s login', () => {
  const FORGED = JSON.stringify([
    { actor: 'user:someone-else', action: 'runner.revoked', target: 'rnr_x', detail: {} },
  ]);

  const attack = (sql: string, values: unknown[]) =>
    withLogin(database.appUrl, async (client) => {
      await client.query("select set_config('app.organization_id', $1, false)", [
        cast.alice.organizationId,
      ]);
      return client.query(sql, values).then(
        () => 'done',
        (error: pg.DatabaseError) => error.code,
      );
    });

  const append3 = 'select app.append_audit($1, $2)';

  it.each([
    ['no proof', append3, () => [FORGED, null]],
    ['a guess', append3, () => [FORGED, createHash('sha256').update(FORGED).digest()]],
    [
      'the proof of other entries',
      append3,
      () => [FORGED, entryProof('organization', cast.alice.organizationId, '[]')],
    ],
    [
      'the proof for another organization',
      append3,
      () => [FORGED, entryProof('organization', randomUUID(), FORGED)],
    ],
    [
      'the proof for a person',
      append3,
      () => [FORGED, entryProof('person', cast.alice.organizationId, FORGED)],
    ],
    ['the function beneath', 'select app.append_proven_audit($1::jsonb)', () => [FORGED]],
    [
      'the function for persons',
      'select app.append_account_audit($1, $2, $3)',
      () => [cast.alice.actor.id, FORGED, entryProof('organization', cast.alice.actor.id, FORGED)],
    ],
    ['the key', 'select inner_pad from app.audit_key where $1::text is not null', () => ['x']],
    ['a key of its own', `update app.audit_key set inner_pad = $1`, () => [Buffer.alloc(64)]],
    [
      'an insert',
      `insert into audit_log (organization_id, seq, at, actor, action, target, detail, prev_hash, hash)
       values ($1, 999, now(), 'user:x', 'runner.revoked', 'x', '{}', '', '')`,
      () => [cast.alice.organizationId],
    ],
  ])('appends nothing under another actor’s name, with %s', async (_title, sql, values) => {
    const before = await checkAudit(cast.alice);
    expect(await attack(sql, values())).toBe('42501');
    expect((await checkAudit(cast.alice)).checked).toBe(before.checked);
  });

  it('appends what the product signs', async () => {
    const proof = entryProof('organization', cast.alice.organizationId, FORGED);
    expect(await attack(append3, [FORGED, proof])).toBe('done');
  });
});
