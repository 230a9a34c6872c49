import { beforeAll, describe, expect, it } from 'vitest';
import type { Method } from '@/lib/api/route-description';
import { TOKEN_SCOPES, type TokenScope } from '@/lib/identity/token-scopes';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { useTestDatabase } from '@/tests/support/database';
import { type Api, type FoundRoute, findRoutes, openApi } from './support/api';
import { makeOwnIds } from './support/own-ids';
import { makeTenant, type Tenant } from './support/tenant';

useTestDatabase();

const CHANNEL_IDS = ['ntc_0000000000000000000001'];
const POLICY = { name: 'Walk', steps: [{ afterMinutes: 5, channelIds: CHANNEL_IDS }] };

/** Bodies that would be taken, so that only the missing right or row can refuse them. */
const BODIES: Record<string, unknown> = {
  'POST /api/v1/approvals/{approvalId}/decision': { verdict: 'approve', digest: 'a'.repeat(64) },
  'POST /api/v1/projects': { name: 'New one' },
  'POST /api/v1/incidents/{incidentId}/merge': { into: 'inc_0123456789abcdefghijkl' },
  'POST /api/v1/projects/{projectId}/heartbeats/{heartbeatId}/revoke': { url: 'all' },
  'POST /api/v1/projects/{projectId}/services/{serviceName}/snooze': {
    until: new Date(Date.now() + 3_600_000).toISOString(),
  },
  'PATCH /api/v1/webhook-endpoints/{endpointId}': { description: 'Changed' },
  'POST /api/v1/webhook-endpoints/{endpointId}/recover': { since: '2026-01-01T00:00:00Z' },
  'PATCH /api/v1/channels/{channelId}': { name: 'Changed' },
  'POST /api/v1/signal-sources': { project: 'none', kind: 'generic', name: 'New one' },
  'POST /api/v1/signal-sources/{sourceId}/preview': { body: '{}' },
  'POST /api/v1/channels': {
    name: 'New one',
    settings: { kind: 'apprise', serverUrl: 'https://apprise.example.com', urls: ['slack://a'] },
  },
  'POST /api/v1/paging-policies': POLICY,
  'PUT /api/v1/paging-policies/{policyId}': POLICY,
  'POST /api/v1/webhook-endpoints': {
    url: 'https://hooks.example.com',
    eventTypes: ['chain.completed'],
  },
  'POST /api/v1/conversations': { project: 'none', message: 'Why?' },
  'PATCH /api/v1/conversations/{conversationId}': { title: 'Another' },
  'POST /api/v1/conversations/{conversationId}/turns': { message: 'Why?' },
  'PATCH /api/v1/conversations/{conversationId}/turns/{turnId}': { message: 'Why?' },
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/answer': {
    questionId: 'qst_0000000000000000000000',
    answers: [],
  },
  'POST /api/v1/tokens': { name: 'x', scopes: ['projects:read'] },
  'PATCH /api/v1/members/{memberId}': { role: 'viewer' },
  'PATCH /api/v1/runners/{runnerId}': { allowedTiers: [1] },
  'POST /api/v1/invitations': { email: 'dan@example.com', role: 'viewer' },
};

/** Scopes for writing that are called by what they allow. */
const WRITES: Record<string, string> = { chains: 'chains:run', approvals: 'approvals:decide' };

let api: Api;
let routes: FoundRoute[];
let own: Tenant;
let ownIds: Record<string, string>;
let stranger: Tenant;
let strangerToken: string;
beforeAll(async () => {
  api = await openApi();
  routes = (await findRoutes()).filter((route) => route.handler.description.auth !== 'public');
  own = await makeTenant('Own');
  ownIds = await makeOwnIds(own);
  stranger = await makeTenant('Stranger');
  strangerToken = await stranger.token('all');
});

const nameOf = (route: FoundRoute) => `${route.method} ${route.path}`;

function fill(route: FoundRoute, ids: Record<string, string>): string {
  return route.path
    .replace('/api/v1/', '')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'none'));
}

function call(route: FoundRoute, path: string, token: string | undefined) {
  const takesBody = route.method !== 'GET' && route.method !== 'DELETE';
  const body = takesBody ? (BODIES[nameOf(route)] ?? {}) : undefined;
  return api(route.method as Method, path, { token, body });
}

/** Everything the tenant has, but for what tokens leave behind when they are used. */
async function fingerprint(tenant: Tenant): Promise<string> {
  return inTransaction(tenant.scope, async (db) =>
    JSON.stringify(
      [
        await db.auditLog.count(),
        await db.project.findMany({ orderBy: { id: 'asc' } }),
        await db.chain.findMany({ orderBy: { id: 'asc' } }),
        await db.runner.findMany({ orderBy: { id: 'asc' } }),
        await db.webhookEndpoint.findMany({ orderBy: { id: 'asc' } }),
        await db.webhookDelivery.findMany({ orderBy: { id: 'asc' } }),
        await db.signalSource.findMany({ orderBy: { id: 'asc' } }),
        await db.signalRequest.count(),
        await db.signal.count(),
        await db.membership.findMany({ orderBy: { userId: 'asc' } }),
        await db.invitation.findMany({ orderBy: { id: 'asc' } }),
        await db.conversation.findMany({ orderBy: { id: 'asc' } }),
        await db.turn.findMany({ orderBy: { id: 'asc' } }),
        await db.question.findMany({ orderBy: { id: 'asc' } }),
        await db.approval.findMany({ orderBy: { id: 'asc' }, include: { votes: true } }),
        await db.pingCheck.findMany({ orderBy: { checkId: 'asc' } }),
        await db.incident.findMany({ orderBy: { id: 'asc' }, include: { events: true } }),
      ],
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    ),
  );
}

/** Resources whose scopes have another name: tokens were given these. */
const SCOPES_OF: Record<string, string> = {
  invitations: 'members',
  signals: 'alerts',
  'signal-sources': 'alert-sources',
};

describe('every route', () => {
  it('lies where it says, and is described in the document', async () => {
    expect(routes.length).toBeGreaterThan(25);
    for (const { method, path, handler } of routes) {
      expect(handler.description).toMatchObject({ method, path });
      const first = path.includes('/chains') ? 'chains' : path.split('/')[3];
      const resource = SCOPES_OF[first ?? ''] ?? first;
      const write = WRITES[resource ?? ''] ?? `${resource}:write`;
      const needed = method === 'GET' ? `${resource}:read` : write;
      expect(handler.description.scopes, `${method} ${path}`).toEqual([needed]);
    }
    const document = await (await api('GET', 'openapi.json')).json();
    const described = Object.entries<Record<string, unknown>>(document.paths).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(
      [...routes.map(nameOf), 'GET /api/v1/openapi.json'].toSorted(),
    );
  });

  it('[SAS-1.3] with the id of another tenant answers 404, and changes nothing', async () => {
    const before = await fingerprint(own);
    const withIds = routes.filter((route) => route.path.includes('{'));
    expect(withIds.length).toBeGreaterThan(15);
    for (const route of withIds) {
      const response = await call(route, fill(route, ownIds), strangerToken);
      expect(response.status, nameOf(route)).toBe(404);
      const text = await response.text();
      expect(text, nameOf(route)).not.toContain('Shop');
      if (!route.path.includes('{projectId}')) continue;
      const bySlug = await call(
        route,
        fill(route, { ...ownIds, projectId: ownIds.projectSlug ?? '' }),
        strangerToken,
      );
      expect(bySlug.status, `${nameOf(route)} by slug`).toBe(404);
    }
    expect(await fingerprint(own)).toBe(before);
  });

  it('[SAS-1.3] an id of another tenant in a filter, a body or a stream answers 404', async () => {
    for (const path of [
      `sessions?project=${ownIds.projectId}`,
      `sessions?project=${ownIds.projectSlug}`,
      `sessions?chain=${ownIds.chainId}`,
      `approvals?project=${ownIds.projectId}`,
      `analytics/incidents?project=${ownIds.projectId}`,
      `approvals?chain=${ownIds.chainId}`,
      `commands?project=${ownIds.projectId}`,
      `commands?chain=${ownIds.chainId}`,
      `commands?session=${ownIds.sessionId}`,
      `checkpoints?project=${ownIds.projectId}`,
      `conversations?project=${ownIds.projectId}`,
      `webhook-endpoints?project=${ownIds.projectId}`,
      `signal-sources?project=${ownIds.projectId}`,
      `signals?project=${ownIds.projectId}`,
      `signals?source=${ownIds.sourceId}`,
      `webhook-deliveries?endpoint=${ownIds.endpointId}`,
    ]) {
      expect((await api('GET', path, { token: strangerToken })).status, path).toBe(404);
    }
    const endpoint = await api('POST', 'webhook-endpoints', {
      token: strangerToken,
      body: {
        url: 'https://hooks.example.com',
        eventTypes: ['chain.completed'],
        projectId: ownIds.projectId,
      },
    });
    expect(endpoint.status).toBe(404);
    const source = await api('POST', 'signal-sources', {
      token: strangerToken,
      body: { project: ownIds.projectId, kind: 'generic', name: 'Theirs' },
    });
    expect(source.status).toBe(404);
    const stream = await api('GET', `sessions/${ownIds.sessionId}/events`, {
      token: strangerToken,
      headers: { accept: 'text/event-stream' },
    });
    expect(stream.status).toBe(404);
  });

  it('[SAS-1.3] a list shows nothing of another tenant', async () => {
    const lists = routes.filter((route) => route.method === 'GET' && !route.path.includes('{'));
    for (const route of lists) {
      const text = await (await call(route, fill(route, {}), strangerToken)).text();
      for (const id of Object.values(ownIds).filter((value) => value.includes('_'))) {
        expect(text, nameOf(route)).not.toContain(id);
      }
    }
  });

  it('answers 401 without a token', async () => {
    const anonymous = routes.filter((route) => route.method !== 'GET');
    for (const route of anonymous) {
      const response = await call(route, fill(route, ownIds), undefined);
      expect(response.status, nameOf(route)).toBe(401);
    }
    const forged = `twk_${'x'.repeat(49)}`;
    for (const route of routes) {
      expect((await call(route, fill(route, ownIds), forged)).status, nameOf(route)).toBe(401);
    }
  });

  it('[SAS-6.2] answers 403 to a token that has every scope but the one it needs', async () => {
    const before = await fingerprint(own);
    const tokens = new Map<string, string>();
    for (const route of routes) {
      const { scopes } = route.handler.description;
      const resources = scopes.map((scope) => scope.split(':')[0]);
      const resourceOf = (scope: string) =>
        scope.split(':')[0]?.replace('escalation-policies', 'paging-policies');
      const others = TOKEN_SCOPES.filter(
        (scope) => scope !== 'all' && !resources.includes(resourceOf(scope)),
      );
      const key = resources.join();
      const token = tokens.get(key) ?? (await own.token(...others));
      tokens.set(key, token);
      const response = await call(route, fill(route, ownIds), token);
      expect(response.status, nameOf(route)).toBe(403);
    }
    // The tokens themselves are the only change.
    const after = JSON.parse(await fingerprint(own));
    const then = JSON.parse(before);
    expect(after.slice(1)).toEqual(then.slice(1));
    expect(after[0]).toBe(then[0] + tokens.size);
  });

  it('[SAS-6.2] that writes answers 403 to a token that may only read', async () => {
    const reads = TOKEN_SCOPES.filter((scope): scope is TokenScope => scope.endsWith(':read'));
    const reader = await own.token(...reads);
    const before = await fingerprint(own);
    for (const route of routes.filter((each) => each.method !== 'GET')) {
      const response = await call(route, fill(route, ownIds), reader);
      expect(response.status, nameOf(route)).toBe(403);
    }
    expect(await fingerprint(own)).toBe(before);
    for (const route of routes.filter((each) => each.method === 'GET')) {
      const response = await call(route, fill(route, ownIds), reader);
      expect(response.status, nameOf(route)).toBe(200);
    }
  });

  it('a tier above 1 is not for a token that may only run chains', async () => {
    const runner = await own.token('chains:run');
    const path = `projects/${ownIds.projectId}/chains`;
    const refused = await api('POST', path, { token: runner, body: { tier: 2 } });
    expect(refused.status).toBe(403);
    const started = await api('POST', path, { token: runner, body: {} });
    expect(started.status).toBe(201);
  });
});

describe('Idempotency-Key', () => {
  it('a repeated POST is done once and answers the same; another body is refused', async () => {
    const token = await stranger.token('all');
    const headers = { 'idempotency-key': 'k1' };
    const post = (body: unknown) => api('POST', 'projects', { token, body, headers });
    const first = await post({ name: 'Once' });
    const second = await post({ name: 'Once' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await second.json()).toEqual(await first.json());
    expect((await post({ name: 'Twice' })).status).toBe(422);
    const listed = await (await api('GET', 'projects', { token })).json();
    expect(listed.data).toHaveLength(1);
  });
});
