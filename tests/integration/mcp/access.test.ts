/** Who may use which tool: scopes, modes, roles, other tenants, and tokens that have ended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiToken, listApiTokens, revokeApiToken } from '@/lib/identity/api-tokens/service';
import { changeRole, removeMember } from '@/lib/identity/members/change-membership';
import { type Act, mayDo } from '@/lib/identity/tenancy/role-matrix';
import { hasTokenScope, TOKEN_SCOPES } from '@/lib/identity/token-scopes';
import { linksOf } from '@/lib/mcp/links';
import { TOOLS } from '@/lib/mcp/registry';
import { ROLES } from '@/lib/platform/db/roles';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { AppError } from '@/lib/platform/errors';
import { useTestDatabase } from '@/tests/support/database';
import { makeOwnIds } from '../api/support/own-ids';
import { type ApiServer, startApiServer } from '../api/support/server';
import { makeTenant, type Tenant } from '../api/support/tenant';
import { joined } from '../members/people';
import { connect, type McpSession } from './support/mcp-client';

useTestDatabase();

let server: ApiServer;
let own: Tenant;
let ids: Record<string, string>;
let everything: McpSession;
beforeAll(async () => {
  server = await startApiServer('mcp');
  own = await makeTenant('Own');
  ids = await makeOwnIds(own);
  everything = await connect('modern', { url: server.url, token: await own.token('all') });
});
afterAll(async () => {
  await everything.close();
  await server.close();
});

const ACTING = TOOLS.filter(({ annotations }) => !annotations.readOnlyHint);

/** Arguments with which every tool works in this organization, or is refused for its state alone. */
function argsOf(name: string, known: Record<string, string> = ids): Record<string, unknown> {
  const chain = { chain: known.chainId };
  const args: Record<string, Record<string, unknown>> = {
    get_chain: chain,
    get_session: { session: known.sessionId },
    read_log: { session: known.sessionId },
    search_logs: { query: 'Report of tier' },
    list_chains: { project: known.projectId },
    list_incidents: { project: known.projectId },
    get_incident: { incident: known.incidentId },
    acknowledge_incident: { incident: known.incidentId },
    list_commands: { project: known.projectId, ...chain, session: known.sessionId },
    list_approvals: { project: known.projectId, ...chain },
    get_spend: { project: known.projectId },
    list_audit_entries: { project: known.projectId },
    ask_project: { project: known.projectId, message: 'Why?' },
    get_answer: { conversation: known.conversationId, wait_seconds: 0 },
    run_chain: { project: known.projectId },
    stop_chain: chain,
    decide_approval: {
      approval: known.approvalId,
      verdict: 'refuse',
      digest: known.approvalDigest,
    },
  };
  return args[name] ?? {};
}

/** Everything that a tool could have changed. */
function fingerprint(tenant: Tenant): Promise<string> {
  return inTransaction(tenant.scope, async (db) =>
    JSON.stringify(
      [
        await db.auditLog.count({ where: { action: { not: { startsWith: 'api_token' } } } }),
        await db.chain.findMany({ orderBy: { id: 'asc' } }),
        await db.attempt.findMany({ orderBy: { id: 'asc' } }),
        await db.conversation.findMany({ orderBy: { id: 'asc' } }),
        await db.turn.findMany({ orderBy: { id: 'asc' } }),
        await db.approval.findMany({ orderBy: { id: 'asc' }, include: { votes: true } }),
        await db.incident.findMany({ orderBy: { id: 'asc' } }),
      ],
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    ),
  );
}

describe('scopes', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    '[INC-4.3] %s is hidden from a token that lacks its scope, and refused',
    async (name, { scopes }) => {
      const before = await fingerprint(own);
      const [needed] = scopes;
      const others = TOKEN_SCOPES.filter(
        (scope) => needed === undefined || !hasTokenScope([scope], needed),
      );
      const session = await connect('modern', {
        url: server.url,
        token: await own.token(...others),
      });
      expect(await session.toolNames()).not.toContain(name);
      const refusal = await session.refused(name, argsOf(name));
      expect(refusal).toContain(`lacks the scope ${needed}`);
      expect(await fingerprint(own)).toBe(before);
      await session.close();
    },
  );

  it('[INC-4.3] a token with all of them sees every tool', async () => {
    expect(await everything.toolNames()).toEqual(TOOLS.map(({ name }) => name));
  });
});

describe('the read-only mode', () => {
  it.each([
    ['the address', { query: '?mode=read' }],
    ['a header', { headers: { 'Tierwatch-Mode': 'read' } }],
  ])('[INC-4.3] by %s hides and refuses what acts', async (_, options) => {
    const before = await fingerprint(own);
    const token = await own.token('all');
    const session = await connect('legacy', { url: server.url, token, ...options });
    const names = await session.toolNames();
    expect(names).toHaveLength(TOOLS.length - ACTING.length);
    for (const { name } of ACTING) {
      expect(names).not.toContain(name);
      expect(await session.refused(name, argsOf(name))).toContain('read-only');
    }
    await session.ok('get_chain', argsOf('get_chain'));
    expect(await fingerprint(own)).toBe(before);
    await session.close();
  });
});

describe('other tenants', () => {
  /** Ids of the same kinds that nobody has. */
  const NOBODYS: Record<string, string> = {
    projectId: 'prj_0000000000000000000001',
    projectSlug: 'nothing-here',
    chainId: 'chn_0000000000000000000001',
    sessionId: 'ses_0000000000000000000001',
    conversationId: 'cnv_0000000000000000000001',
    approvalId: 'apr_0000000000000000000001',
    approvalDigest: 'a'.repeat(64),
  };

  it('[INC-4.3] [SAS-1.3] their ids answer like missing ones, and nothing changes', async () => {
    const stranger = await makeTenant('Stranger');
    const session = await connect('modern', {
      url: server.url,
      token: await stranger.token('all'),
    });
    const before = await fingerprint(own);
    const forms: [string, Record<string, unknown>, Record<string, unknown>][] = [];
    for (const { name } of TOOLS) {
      const [theirs, missing] = [argsOf(name), argsOf(name, NOBODYS)];
      // Each reference on its own, since the first that is missing ends the call.
      for (const key of ['project', 'chain', 'session', 'conversation', 'approval']) {
        if (!(key in theirs)) continue;
        const rest = Object.entries(theirs).filter(
          ([other]) => !['project', 'chain', 'session'].includes(other),
        );
        const plain = Object.fromEntries(rest);
        forms.push([name, { ...plain, [key]: theirs[key] }, { ...plain, [key]: missing[key] }]);
        if (key !== 'project') continue;
        const slugs = [ids.projectSlug, NOBODYS.projectSlug];
        forms.push([name, { ...plain, project: slugs[0] }, { ...plain, project: slugs[1] }]);
      }
    }
    for (const name of ['get_chain', 'get_session']) {
      const key = name === 'get_chain' ? 'chain' : 'session';
      forms.push([
        name,
        { [key]: 1, project: ids.projectSlug },
        { [key]: 1, project: NOBODYS.projectSlug },
      ]);
    }
    expect(forms.length).toBeGreaterThan(20);
    for (const [name, theirs, missing] of forms) {
      const answer = await session.refused(name, theirs);
      expect(answer, `${name} ${JSON.stringify(theirs)}`).toBe(
        await session.refused(name, missing),
      );
      expect(answer).toContain('(not_found)');
    }
    const url = `http://127.0.0.1:3000/${own.slug}/projects/${ids.projectSlug}/chains/1`;
    expect(await session.refused('get_chain', { chain: url })).toContain('another organization');
    expect(await fingerprint(own)).toBe(before);
    await session.close();
  });

  it('[INC-4.3] [SAS-1.3] lists of a stranger are empty', async () => {
    const stranger = await makeTenant('Empty');
    const session = await connect('modern', {
      url: server.url,
      token: await stranger.token('all'),
    });
    for (const name of ['list_projects', 'list_chains', 'list_commands', 'list_approvals']) {
      const [rows] = Object.values(await session.ok(name)).filter(Array.isArray);
      expect(rows, name).toEqual([]);
    }
    expect(await session.ok('search_logs', { query: 'Report' })).toMatchObject({ reports: [] });
    expect(JSON.stringify(await session.ok('get_status'))).not.toContain('Shop');
    await session.close();
  });
});

describe('roles', () => {
  /** What each tool does in the matrix of roles. */
  const ACTS: Record<string, Act> = {
    ask_project: 'conversation.ask',
    run_chain: 'chain.run',
    stop_chain: 'chain.stop',
    acknowledge_incident: 'incident.acknowledge',
    decide_approval: 'approval.decide',
    list_audit_entries: 'audit.read',
  };

  it('[INC-4.3] [SAS-1.2] every tool does what its caller’s role may, and nothing else', async () => {
    for (const role of ROLES) {
      const walked = await makeTenant(`Walked by ${role}`);
      const known = await makeOwnIds(walked);
      const place = { organizationSlug: walked.slug, hosts: [] };
      const links = linksOf('https://tierwatch.test', walked.slug);
      const { signal } = new AbortController();
      for (const { name, run } of TOOLS) {
        const call = { scope: walked.as(role), place, links, signal };
        const before = await fingerprint(walked);
        const answer = run(call, argsOf(name, known)).then(
          () => 'done',
          (error: AppError) => error.code,
        );
        const may = mayDo(role, ACTS[name] ?? 'organization.read');
        if (may) expect(await answer, `${role} ${name}`).not.toBe('forbidden');
        else expect(await answer, `${role} ${name}`).toBe('forbidden');
        if (!may) expect(await fingerprint(walked)).toBe(before);
      }
    }
  });

  it('[INC-4.3] a kept token of someone who became a viewer can’t decide', async () => {
    const person = await joined(own.scope, 'admin');
    const { token } = await createApiToken(person.scope, {
      name: 'kept',
      scopes: ['approvals:decide'],
      expiresInDays: 1,
    });
    const session = await connect('modern', { url: server.url, token });
    await changeRole(own.scope, person.memberId, { role: 'viewer', revokeTokens: false });
    const before = await fingerprint(own);
    const refusal = await session.refused('decide_approval', argsOf('decide_approval'));
    expect(refusal).toContain('An operator or admin has to decide');
    expect(await fingerprint(own)).toBe(before);
    await session.close();
  });
});

describe('a token that has ended', () => {
  it('[INC-4.3] a removed member’s token is refused with the next message', async () => {
    const person = await joined(own.scope, 'admin');
    const { token } = await createApiToken(person.scope, {
      name: 'of someone who leaves',
      scopes: ['all'],
      expiresInDays: 1,
    });
    for (const era of ['modern', 'legacy'] as const) {
      const session = await connect(era, { url: server.url, token });
      await session.ok('list_projects');
      if (era === 'legacy') await removeMember(own.scope, person.memberId, { revokeTokens: true });
      const next = session.call('list_projects');
      if (era === 'legacy') await expect(next).rejects.toMatchObject({ status: 401 });
      else await next;
      await session.close();
    }
    await expect(connect('modern', { url: server.url, token })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('[INC-4.3] so is a revoked one, and the audit log says so', async () => {
    const token = await own.token('projects:read');
    const session = await connect('modern', { url: server.url, token });
    await session.ok('list_projects');
    const [newest] = (await listApiTokens(own.scope, { limit: 1 })).data;
    await revokeApiToken(own.scope, newest?.id ?? '');
    await expect(session.call('list_projects')).rejects.toMatchObject({ status: 401 });
    await session.close();
    const entry = await inTransaction(own.scope, (db) =>
      db.auditLog.findFirst({
        where: { action: 'api_token.refused' },
        orderBy: { seq: 'desc' },
      }),
    );
    expect(entry?.target).toBe(newest?.id);
  });

  it('[INC-4.3] so is an expired one', async () => {
    const token = await own.token('projects:read');
    const session = await connect('modern', { url: server.url, token });
    await session.ok('list_projects');
    await inTransaction(own.scope, (db) =>
      db.apiToken.updateMany({
        where: { scopes: { equals: ['projects:read'] } },
        data: { expiresAt: new Date(Date.now() - 1_000) },
      }),
    );
    await expect(session.call('list_projects')).rejects.toMatchObject({ status: 401 });
    await session.close();
  });
});
