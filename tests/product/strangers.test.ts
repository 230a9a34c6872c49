/** What somebody who is signed in sees of an organization that is not theirs: nothing. */

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { runnerDtoSchema } from '@/lib/fleet/schema';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { pageSchema } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { eventually } from '../bootstrap/eventually';
import { seedApproval } from '../support/cast/approval';
import { seedIncident } from '../support/cast/incident';
import { foundAccount } from '../support/system/account';
import { createProject, startChain } from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { type BuiltAction, listBuiltActions } from './support/built-actions';
import { openQuestion } from './support/open-question';
import { openWebSession, type WebSession } from './support/web-session';

const APPRISE = { kind: 'apprise', serverUrl: 'https://apprise.example.com', urls: ['slack://a'] };
const idSchema = z.object({ id: z.string() });
const system = useSharedSystem();

let owner: WebSession;
let stranger: WebSession;
/** What the address of a page of the owner's is made of. */
let segments: Record<string, string>;
/** Names every row of the owner's that an action could be asked to touch. */
let references: Record<string, unknown>;

beforeAll(async () => {
  owner = await openWebSession(system.url, system.account);
  stranger = await openWebSession(system.url, await foundAccount());
  const { api } = system;
  const project = await createProject(api, {
    name: 'Secret plan',
    // A slot that fell between two looks at the owner's rows would have written one.
    schedule: { kind: 'manual', timeZone: 'UTC' },
    services: [
      { name: 'web', checks: [{ type: 'tcp', target: '127.0.0.1:9', timeoutSeconds: 5 }] },
    ],
  });
  const chain = await startChain(api, project.id);
  const endpoint = await api.post(
    'webhook-endpoints',
    { url: 'https://hooks.example.com/in', eventTypes: ['chain.completed'] },
    idSchema,
  );
  await api.post(`webhook-endpoints/${endpoint.id}/test`, {}, z.unknown());
  const deliveries = await api.get('webhook-deliveries', pageSchema(idSchema));
  const channel = await api.post(
    'channels',
    {
      name: 'Pager',
      settings: APPRISE,
    },
    idSchema,
  );
  const source = await api.post(
    'signal-sources',
    { project: project.id, kind: 'generic', name: 'Nagios' },
    idSchema,
  );
  await createProject(api, {
    name: 'Backups',
    schedule: { kind: 'manual', timeZone: 'UTC' },
    monitoring: { everySeconds: 60, failures: 2, lastResults: 3 },
    services: [
      { name: 'backup', checks: [{ type: 'heartbeat', target: 'nightly', timeoutSeconds: 5 }] },
    ],
  });
  const heartbeat = await eventually('the heartbeat has a URL', () =>
    inTransaction(system.account.scope, (db) => db.pingCheck.findFirst()),
  );
  await system.addRunner({ name: 'of-the-owner', pool: 'elsewhere' });
  const runners = await api.get('runners', pageSchema(runnerDtoSchema));
  const tokens = await api.get('tokens', pageSchema(idSchema));
  const members = await api.get('members', pageSchema(idSchema));
  const invitation = await api.post(
    'invitations',
    { email: 'bo@acme.example', role: 'viewer' },
    idSchema,
  );
  // By its former path, which stays.
  const policy = await api.post('escalation-policies', policyOf(channel.id), idSchema);
  const approval = await seedApproval(system.account.scope);
  const incidentId = await seedIncident(system.account.scope);
  const { conversationId, turnId, questionId } = await openQuestion(
    system.account.scope,
    project.slug,
  );
  segments = {
    approvalId: approval.approvalId,
    conversationId,
    orgSlug: owner.organizationSlug,
    projectSlug: project.slug,
    number: '1',
    section: 'tiers',
    name: 'web',
    runnerId: runners.data[0]?.id ?? '',
    endpointId: endpoint.id,
  };
  references = {
    approvalId: approval.approvalId,
    digest: approval.approvalDigest,
    incidentId,
    project: project.id,
    service: 'web',
    projectId: project.id,
    chainId: chain.id,
    stopChainId: chain.id,
    sessionId: chain.sessions[0]?.id,
    endpointId: endpoint.id,
    deliveryId: deliveries.data[0]?.id,
    channelId: channel.id,
    policyId: policy.id,
    projectIds: [project.id],
    steps: policyOf(channel.id).steps,
    sourceId: source.id,
    heartbeatId: encodeId('hrb', heartbeat.checkId),
    runnerId: segments.runnerId,
    conversationId,
    turnId,
    questionId,
    tokenId: tokens.data[0]?.id,
    memberId: members.data[0]?.id,
    invitationId: invitation.id,
  };
});

function policyOf(channelId: string) {
  return { name: 'Secret plan', steps: [{ afterMinutes: 5, channelIds: [channelId] }] };
}

/** Every page below an organization, with the owner's names in its address. */
function pages(): string[] {
  const root = path.join(checkout, 'app/(dashboard)');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => path.basename(file) === 'page.tsx')
    .map((file) =>
      `/${path.dirname(file)}`.replaceAll(/\[(\w+)\]/g, (_, name: string) => {
        const value = segments[name];
        if (!value) throw new Error(`${file}: name a [${name}] of the owner's in this test.`);
        return value;
      }),
    );
}

async function rowsOfOwner(): Promise<string> {
  const rows = await inTransaction(system.account.scope, async (db) => [
    await db.auditLog.count(),
    await db.organization.findMany(),
    await db.membership.findMany(),
    await db.project.findMany(),
    await db.projectVersion.findMany(),
    await db.webhookEndpoint.findMany(),
    await db.notificationChannel.findMany(),
    await db.signalSource.findMany(),
    await db.pingCheck.findMany({ omit: { lastDurationMs: true } }),
    await db.pagingPolicy.findMany(),
    await db.oncallCalendar.findMany(),
    (await db.chain.findMany()).map(({ id, acknowledgedAt }) => [id, acknowledgedAt]),
    await db.conversation.findMany(),
    await db.turn.findMany(),
    await db.question.findMany(),
    await db.tierPause.findMany(),
    await db.approval.findMany(),
    await db.approvalVote.findMany(),
    // The sweep moves the time of its next try.
    await db.incident.findMany({ omit: { dueAt: true } }),
    await db.incidentEvent.findMany(),
    (await db.runner.findMany()).map(({ id, revokedAt, drainingAt, pausedAt }) => [
      id,
      revokedAt,
      drainingAt,
      pausedAt,
    ]),
    (await db.apiToken.findMany()).map(({ id, revokedAt }) => [id, revokedAt]),
  ]);
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

describe('pages', () => {
  it('[SAS-1.3] are there for the owner, and answer 404 to a stranger', async () => {
    expect(pages().length).toBeGreaterThan(20);
    for (const page of pages()) {
      expect((await owner.get(page)).status, page).toBeLessThan(400);
      const seen = await stranger.get(page);
      expect(seen.status, page).toBe(404);
      expect(seen.text, page).not.toContain('Secret plan');
    }
  });

  it('[SAS-1.3] are not reached by another’s names below one’s own organization', async () => {
    for (const page of pages()) {
      const own = page.replace(owner.organizationSlug, stranger.organizationSlug);
      const seen = await stranger.get(own);
      expect(seen.text, own).not.toContain('Secret plan');
      const names = Object.entries(segments).filter(([name]) => name !== 'orgSlug');
      const parts = page.split('/');
      const namesRow = names.some(([, value]) => parts.includes(value));
      if (namesRow) expect(seen.status, own).toBe(404);
      else expect(seen.status, own).toBeLessThan(400);
    }
  });

  it('[SAS-1.3] stream nothing to a stranger', async () => {
    const sessionId = String(references.sessionId);
    const projectId = String(references.projectId);
    const closing = new AbortController();
    const seen = { owner: '', stranger: '' };
    const path = `/api/live?sessions=${sessionId}`;
    for (const [who, session] of Object.entries({ owner, stranger })) {
      const note = (event: string, data: unknown) => {
        seen[who as keyof typeof seen] += `${event} ${JSON.stringify(data)}\n`;
      };
      void session.follow(path, note, closing.signal);
    }
    try {
      await vi.waitFor(() => {
        expect(seen.owner).toContain('ready');
        expect(seen.stranger).toContain('ready');
      });
      expect(seen.owner).toContain(sessionId);
      await system.api.post(`projects/${projectId}/tiers/2/pause`, {}, z.unknown());
      await vi.waitFor(() => expect(seen.owner).toMatch(/changed .*"org_/), { timeout: 60_000 });
      const ownStream = seen.stranger.trim();
      expect(ownStream).toMatch(/^ready \["org_\w+"\]$/);
      expect(seen.owner).not.toContain(ownStream.slice('ready ["'.length, -2));
    } finally {
      closing.abort();
    }
    for (const organization of [owner.organizationSlug, stranger.organizationSlug]) {
      const news = `/api/live/sessions/${sessionId}?after=0&organization=${organization}`;
      expect((await stranger.get(news)).status, organization).toBe(404);
    }
    const news = `/api/live/sessions/${sessionId}?after=0&organization=${owner.organizationSlug}`;
    expect((await owner.get(news)).status).toBe(200);
  });
});

describe('server actions', () => {
  /** They know the person alone. */
  const OF_PEOPLE = ['app/(auth)/', 'app/me/', 'app/orgs/', 'app/_components/proof/'];

  /** They act on the organization itself, or on what they are handed. */
  const NAMING_NO_ROW = [
    ...['changeOrganization', 'deleteOrganization', 'leaveOrganization', 'inviteMember'],
    ...[
      'pauseOrganization',
      'resumeOrganization',
      'dismissChecklist',
      'verifyAudit',
      'breakDemo',
      'createApiToken',
      'requireSecondFactor',
      'prepareExport',
      'updateRunners',
    ],
    ...[
      'createProject',
      'loadSample',
      'createEnrolment',
      'previewSchedule',
      'previewWindow',
      'previewTier',
      'testTarget',
      'testCheck',
    ],
  ];
  const actions = () =>
    listBuiltActions().filter(({ file }) => !OF_PEOPLE.some((folder) => file.startsWith(folder)));

  /** Everything else that any of them asks for; each takes what it knows. */
  const rest = {
    reason: 'because',
    note: 'seen',
    verdict: 'approve',
    minutes: 20,
    dryRun: false,
    forceFresh: false,
    fault: 'crash',
    kind: 'generic',
    name: 'Taken over',
    slug: 'taken-over',
    description: 'Taken over',
    version: 1,
    baseVersion: 1,
    config: DEFAULT_CONFIG,
    tier: 1,
    cliVersion: null,
    target: 'a.example:1',
    timeZone: 'UTC',
    url: 'https://hooks.example.com/mine',
    eventTypes: ['chain.started'],
    outcomes: ['failed'],
    since: '2026-01-01T00:00:00Z',
    settings: APPRISE,
    pool: 'none',
    check: { type: 'tcp', target: 'a:1', timeoutSeconds: 1 },
    message: 'Taken over',
    title: 'Taken over',
    agent: 'claude',
    answers: [{ question: 'Which service?', answer: 'web' }],
    body: 'Look at {{project}}.',
    text: 'name: Taken over',
    from: 1,
    to: 1,
    role: 'viewer',
    revokeTokens: false,
    isRequired: true,
    changes: {},
    allowedTiers: [1],
    schedule: DEFAULT_CONFIG.schedule,
    scopes: ['all'],
    expiresInDays: 1,
    into: 'inc_0123456789abcdefghijkl',
  };
  /** What one action calls by a name that means something else elsewhere. */
  const OWN: Record<string, object> = { revokePingCheck: { url: 'all' } };

  async function act(session: WebSession, action: BuiltAction, organizationSlug: string) {
    const page = `/${session.organizationSlug}`;
    const input = { ...rest, ...references, ...OWN[action.name], organizationSlug };
    return session.act(action.id, page, {
      ...input,
      endpoint: input,
      source: input,
      preview: input,
    });
  }

  it('[SAS-1.3] of an organization do not exist for a stranger', async () => {
    expect(actions().length).toBeGreaterThan(25);
    const before = await rowsOfOwner();
    for (const action of actions()) {
      const answer = await act(stranger, action, owner.organizationSlug);
      expect(answer, action.name).toMatchObject({ ok: false, error: { code: 'not_found' } });
    }
    expect(await rowsOfOwner()).toBe(before);
  });

  it('[SAS-1.3] find no row of another organization by its id', async () => {
    const before = await rowsOfOwner();
    for (const action of actions()) {
      if (NAMING_NO_ROW.includes(action.name)) continue;
      const answer = await act(stranger, action, stranger.organizationSlug);
      expect(answer, action.name).toMatchObject({ ok: false, error: { code: 'not_found' } });
    }
    expect(await rowsOfOwner()).toBe(before);
  });
});
