/** Tools that act: they call the services of the REST API, and the audit log names their client. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import type { TokenScope } from '@/lib/identity/token-scopes';
import { linksOf } from '@/lib/mcp/links';
import { getAnswerTool } from '@/lib/mcp/tools/ask';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createProject } from '@/lib/projects/manage-project';
import { seedApproval } from '@/tests/support/cast/approval';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { type ApiServer, startApiServer } from '../api/support/server';
import { answerNext } from '../conversations/support/asking';
import { connect, ERAS, type Era, textOf } from './support/mcp-client';

useTestDatabase();

let server: ApiServer;
let cast: Cast;
beforeAll(async () => {
  server = await startApiServer('mcp');
});
afterAll(() => server.close());
beforeEach(async () => {
  cast = await makeCast();
});

async function openSession(era: Era = 'modern', ...scopes: TokenScope[]) {
  const { token } = await createApiToken(cast.alice, {
    name: 'agent',
    scopes: scopes.length === 0 ? ['all'] : scopes,
    expiresInDays: 1,
  });
  return connect(era, { url: server.url, token });
}

/** The newest entry of an action. */
function lastEntry(scope: TenantScope, action: string) {
  return inTransaction(scope, async (db) => {
    const row = await db.auditLog.findFirst({ where: { action }, orderBy: { seq: 'desc' } });
    return row?.detail as Record<string, unknown> | undefined;
  });
}

describe('run_chain and stop_chain', () => {
  it.each(ERAS)(
    '[INC-4.3] of the %s era are in the audit log with client and tool call',
    async (era) => {
      const session = await openSession(era, 'chains:run', 'audit:read');
      const meta = { 'claudecode/toolUseId': 'toolu_run_1' };
      const started = await session.call('run_chain', { project: 'checkout' }, meta);
      expect(started.isError, textOf(started)).not.toBe(true);
      expect(started.structuredContent).toMatchObject({ number: 1, trigger: 'api' });
      const client =
        era === 'modern' ? 'reference-client 9.9' : expect.stringMatching(/^(?:node|undici)/);
      expect(await lastEntry(cast.alice, 'chain.started')).toMatchObject({
        actorLabel: 'agent',
        mcpClient: client,
        toolUseId: 'toolu_run_1',
      });
      // A client sees its own entry, too.
      const { entries } = await session.ok('list_audit_entries', { action: 'chain.started' });
      expect(JSON.stringify(entries)).toContain('toolu_run_1');

      const again = await session.refused('run_chain', { project: 'checkout' });
      expect(again).toMatch(/\(conflict\).*Chain #1.*chn_\w+; get_chain shows it/);
      const stopped = await session.ok('stop_chain', { chain: 'Chain #1' });
      expect(stopped).toMatchObject({ status: 'ended', outcome: 'stopped' });
      expect(await lastEntry(cast.alice, 'chain.stop_requested')).not.toHaveProperty('toolUseId');
      expect(await session.refused('stop_chain', { chain: 1 })).toContain('already ended');
      await session.close();
    },
  );

  it('[INC-4.3] a tier above 1 is not for a token that may only run chains', async () => {
    const session = await openSession('modern', 'chains:run');
    const refused = await session.refused('run_chain', { project: 'checkout', tier: 2 });
    expect(refused).toContain('(forbidden)');
    expect(await session.ok('run_chain', { project: 'checkout', dry_run: true })).toMatchObject({
      dry_run: true,
    });
    await session.close();
  });
});

describe('decide_approval', () => {
  beforeEach(async () => {
    const session = await openSession();
    await session.ok('run_chain', { project: 'checkout' });
    await session.close();
    await seedApproval(cast.alice);
  });

  it('[INC-4.3] decides as the member who created the token, once, and with what was shown', async () => {
    const session = await openSession('modern', 'approvals:decide', 'chains:read');
    const [approval] = (await session.ok('list_approvals')).approvals as {
      id: string;
      url: string;
      digest: string;
      command: { untrusted_text: string };
    }[];
    expect(JSON.parse(approval?.command.untrusted_text ?? '')).toEqual([
      'docker',
      'restart',
      'web',
    ]);
    const args = { approval: approval?.id, verdict: 'approve', digest: approval?.digest };
    const other = await session.refused('decide_approval', { ...args, digest: 'b'.repeat(64) });
    expect(other).toContain('isn’t the request that you were shown');
    expect(await session.refused('decide_approval', { ...args, digest: 'short' })).toContain(
      'Give the digest',
    );
    const decided = await session.call(
      'decide_approval',
      { ...args, approval: approval?.url, note: 'ok' },
      { 'claudecode/toolUseId': 'toolu_decide' },
    );
    expect(decided.structuredContent).toMatchObject({
      status: 'approved',
      votes: [{ person: cast.alice.actor.label, verdict: 'approve' }],
    });
    expect(await lastEntry(cast.alice, 'approval.approved')).toMatchObject({
      person: cast.alice.actor.label,
      mcpClient: 'reference-client 9.9',
      toolUseId: 'toolu_decide',
    });
    expect(await session.refused('decide_approval', args)).toContain('approved already');
    expect((await session.ok('list_approvals')).approvals).toEqual([]);
    await session.close();
  });

  it('[INC-4.3] is refused for a token behind which no member stands', async () => {
    const session = await openSession('modern', 'approvals:decide');
    const [approval] = (await session.ok('list_approvals')).approvals as Record<string, string>[];
    await inTransaction(cast.alice, (db) =>
      db.apiToken.updateMany({ data: { createdBy: 'tierwatch token create' } }),
    );
    const { approvals } = await session.ok('list_approvals');
    expect(approvals).toMatchObject([{ forbidden: expect.stringContaining('Only a member') }]);
    const args = { approval: approval?.id, verdict: 'approve', digest: approval?.digest };
    expect(await session.refused('decide_approval', args)).toContain('Only a member can decide');
    await session.close();
  });
});

describe('ask_project and get_answer', () => {
  it('[INC-4.3] ask, wait for the answer, and ask again in the same conversation', async () => {
    const session = await openSession('modern', 'conversations:write');
    const asked = await session.ok('ask_project', { project: 'checkout', message: 'Is web well?' });
    expect(asked).toMatchObject({
      is_answered: false,
      conversation: expect.stringMatching(/^cnv_/),
    });
    const { conversation } = asked;
    const early = await session.ok('get_answer', { conversation, wait_seconds: 0 });
    expect(early).toMatchObject({ is_answered: false });
    const waiting = session.ok('get_answer', { conversation, wait_seconds: 30 });
    await answerNext(cast.runner, 'web answers in 12 ms.');
    expect(await waiting).toMatchObject({
      is_answered: true,
      answer: { untrusted_text: 'web answers in 12 ms.' },
    });
    await session.ok('ask_project', { conversation, message: 'And db?' });
    await answerNext(cast.runner, 'db, too.');
    expect(await session.ok('get_answer', { conversation: asked.url })).toMatchObject({
      answer: { untrusted_text: 'db, too.' },
    });
    expect(await lastEntry(cast.alice, 'conversation.asked')).toMatchObject({
      mcpClient: 'reference-client 9.9',
    });
    await session.close();
  });

  it('[INC-4.3] waiting ends with the connection', { timeout: 25_000 }, async () => {
    const session = await openSession('modern', 'conversations:write');
    const { conversation } = await session.ok('ask_project', {
      project: 'checkout',
      message: 'Is web well?',
    });
    const gone = new AbortController();
    const call = {
      scope: cast.alice,
      place: { organizationSlug: cast.organizationSlug, hosts: [] },
      links: linksOf('https://tierwatch.test', cast.organizationSlug),
      signal: gone.signal,
    };
    const waiting = getAnswerTool.run(call, { conversation, wait_seconds: 30 });
    gone.abort();
    // Sooner than the wait would end, by the limit of this test.
    expect(await waiting).toMatchObject({ is_answered: false });
    await session.close();
  });

  it('[INC-4.3] say which subject is missing or too much', async () => {
    const session = await openSession();
    expect(await session.refused('ask_project', { message: 'Why?' })).toContain('give project');
    const both = { message: 'Why?', conversation: 'cnv_x', project: 'checkout' };
    expect(await session.refused('ask_project', both)).toContain('conversation alone');
    const { number } = await session.ok('run_chain', { project: 'checkout' });
    const running = { message: 'Why?', chain: number, project: 'checkout' };
    expect(await session.refused('ask_project', running)).toContain('still running');
    await session.close();
  });
});

it('[INC-4.3] entries of people and of the REST API name no client', async () => {
  await createApiToken(cast.alice, { name: 'plain', scopes: ['all'], expiresInDays: 1 });
  expect(await lastEntry(cast.alice, 'api_token.created')).not.toHaveProperty('mcpClient');
});

it('[INC-4.3] a number needs its project as soon as there are several', async () => {
  const session = await openSession();
  await session.ok('run_chain', { project: 'checkout' });
  expect(await session.ok('get_chain', { chain: 1 })).toMatchObject({ number: 1 });
  await createProject(cast.alice, { name: 'Billing', slug: 'billing', config: testConfig() });
  expect(await session.refused('get_chain', { chain: 1 })).toContain('Add the argument project');
  await session.close();
});
