/** An organization with a row in every tenant table, made as the product makes them. */

import { randomUUID } from 'node:crypto';
import { cutTurn } from '@/lib/conversations/turns';
import { createChannel, testChannel } from '@/lib/deliveries/channels/manage-channels';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { startChain } from '@/lib/engine/chains/start-chain';
import { keepSeal } from '@/lib/engine/seals/keep-seal';
import { createEnrolment } from '@/lib/fleet/manage-runners';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { inviteMember } from '@/lib/identity/invitations/manage-invitations';
import { advancePaging, followIncident } from '@/lib/paging/advance-paging';
import { createPolicy } from '@/lib/paging/manage-policies';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { createSignalSource } from '@/lib/signals/manage-sources';
import { processSource } from '@/lib/signals/process-requests';
import { receiveSignals } from '@/lib/signals/receive-signals';
import { createSignalSourceSchema } from '@/lib/signals/source-schema';
import { checkpoint } from '@/tests/integration/checkpoints/support/checkpoint';
import { talk } from '@/tests/integration/conversations/support/asking';
import { conversationFile } from '@/tests/integration/seals/support/held-conversation';
import { seedApproval } from '@/tests/support/cast/approval';
import { seedIncident } from '@/tests/support/cast/incident';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { seedPingCheck } from '@/tests/support/cast/ping-check';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';

export interface FilledTenant extends Cast {
  organizationId: string;
  chainId: string;
}

export async function fillTenant(): Promise<FilledTenant> {
  const cast = await makeCast();
  const { alice } = cast;
  await createEndpoint(alice, {
    url: 'https://receiver.example/hook',
    description: '',
    eventTypes: ['chain.completed'],
    projectId: null,
  });
  const channel = await createChannel(alice, {
    name: 'Pager',
    settings: {
      kind: 'apprise',
      serverUrl: 'https://apprise.example',
      urls: ['slack://a/b'],
      configKey: null,
      tags: null,
    },
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: cast.projectSlug,
  });
  await testChannel(alice, channel.id);
  await addPaging(cast, channel.id);
  await createApiToken(alice, { name: 'deploy', scopes: ['all'], expiresInDays: 1 });
  await inviteMember(alice, { email: 'bo@example.com', role: 'operator' });
  await createEnrolment(alice, { pool: 'default', allowedTiers: [1] });
  const { chainId } = await startChain(alice, { projectId: cast.projectId, trigger: 'manual' });
  const first = await claimNext(cast.runner);
  await play(cast.runner, first, {
    report: wantsHelp(),
    events: [
      {
        kind: 'check_result',
        service: 'web',
        type: 'http',
        target: 'http://127.0.0.1:9/health',
        status: 'down',
        error: 'refused',
        responseTimeMs: null,
      },
      checkpoint('web refused connections.', '/srv/work'),
    ],
  });
  await keepSeal(cast.runner, first.attemptId, conversationFile());
  await play(cast.runner, await claimNext(cast.runner), {
    report: { resolved: true },
    events: [
      {
        kind: 'tool_call',
        messageId: 'm',
        toolUseId: 't1',
        tool: 'Bash',
        input: { command: 'docker restart web' },
        parentToolUseId: null,
      },
      {
        kind: 'brokered',
        phase: 'started',
        number: 1,
        argv: ['docker', 'restart', 'web'],
        rule: 'Bash(docker restart {service})',
        refusal: null,
        changes: true,
        end: null,
      },
    ],
  });
  await askAndAnswer(cast);
  await decideCommand(cast);
  await watchOutage(cast);
  await seedPingCheck(alice);
  await page(cast);
  await sendSignal(cast);
  await addRowsThatRequestsLeave(cast);
  return { ...cast, organizationId: alice.organizationId, chainId };
}

/** A check that runs without an agent, with a result, and an incident with a chain. */
async function watchOutage({ alice, projectId }: Cast): Promise<void> {
  const { organizationId } = alice;
  await seedIncident(alice);
  await inTransaction(alice, async (db) => {
    const service = await db.service.findFirstOrThrow({ where: { projectId } });
    const runner = await db.runner.findFirstOrThrow({});
    const spec = { type: 'tcp', target: 'a:1', timeoutSeconds: 5 };
    const about = { organizationId, projectId, serviceId: service.id };
    const check = await db.serviceCheck.create({
      data: { ...about, position: 0, key: 'k', spec, everySeconds: 60 },
    });
    const at = new Date();
    await db.checkResult.create({
      data: { organizationId, checkId: check.id, at, status: 'down' },
    });
    await db.checkHour.create({ data: { organizationId, checkId: check.id, hour: at } });
    await db.checkChange.create({
      data: { organizationId, checkId: check.id, at, status: 'down' },
    });
    await db.checker.create({
      data: { organizationId, projectId, version: 1, isOn: true, runnerId: runner.id },
    });
    await db.serviceHold.create({
      data: {
        organizationId,
        projectId,
        serviceId: service.id,
        heldBy: 'Alice',
        incidentNumber: 1,
      },
    });
  });
}

/** A policy that a project uses, with a calendar. Returns the UUID of the policy. */
async function addPaging(
  { alice, projectSlug }: Pick<Cast, 'alice' | 'projectSlug'>,
  channelId: string,
) {
  await createPolicy(alice, {
    name: 'Nights',
    steps: [
      { afterMinutes: 0, calendarId: null, memberIds: [], channelIds: [channelId] },
      {
        ...{ afterMinutes: 5, calendarId: null, memberIds: [], channelIds: [] },
        calendarUrl: 'https://calendar.example/a.ics',
      },
    ],
    ...{ repeatTimes: 0, repeatMinutes: 30, projectIds: [projectSlug] },
  });
}

/** An incident whose first paging step was sent. */
async function page({ alice }: Cast): Promise<void> {
  const incident = await inTransaction(alice, async (db) => {
    const { id, sequence } = await db.incident.findFirstOrThrow({});
    await followIncident(db, { incidentId: id, notice: 'opened', sequence }, new Date());
    return id;
  });
  await advancePaging();
  await inTransaction(alice, (db) =>
    db.pagingStep.findFirstOrThrow({ where: { incidentId: incident } }),
  );
}

/** An alert of a source, about the service of the incident. */
async function sendSignal({ alice, projectSlug }: Cast): Promise<void> {
  const { id, url, token } = await createSignalSource(
    alice,
    createSignalSourceSchema.parse({ project: projectSlug, kind: 'generic', name: 'Nagios' }),
  );
  const request = new Request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ id: 1, status: 'firing', title: 'web is down', service: 'web' }),
  });
  await receiveSignals(request, id);
  await processSource(alice, requireId('als', id));
}

/** A command that a person has approved. */
async function decideCommand({ alice }: Cast): Promise<void> {
  const { approvalId, approvalDigest } = await seedApproval(alice);
  await decideApproval(alice, approvalId, { verdict: 'approve', digest: approvalDigest, note: '' });
}

/** A turn in which the agent asks back, taken out of the history afterwards. */
async function askAndAnswer(cast: Cast): Promise<void> {
  const { id, lastTurn } = await talk(cast, 'Is web well?', {}, [
    {
      kind: 'question',
      requestId: 'r1',
      toolUseId: null,
      questions: [{ question: 'Which?', header: 'Service', multiSelect: false, options: [] }],
    },
  ]);
  await cutTurn(cast.alice, id, (await lastTurn()).id);
}

/** An answered POST, and a delivery that was tried. */
async function addRowsThatRequestsLeave({ alice }: Cast): Promise<void> {
  const { organizationId } = alice;
  await inTransaction(alice, async (db) => {
    const token = await db.apiToken.findFirstOrThrow({});
    await db.idempotencyKey.create({
      data: { organizationId, tokenId: token.id, route: '/r', key: 'k', bodyHash: 'h' },
    });
    const delivery = await db.webhookDelivery.findFirstOrThrow({});
    await db.deletedProject.create({
      data: {
        organizationId,
        projectId: randomUUID(),
        name: 'Old',
        slug: 'old',
        deletedBy: 'Alice',
      },
    });
    const project = await db.project.findFirstOrThrow({});
    const runner = await db.runner.findFirstOrThrow({});
    const check = { type: 'tcp', target: 'a:1', timeoutSeconds: 5 };
    await db.checkTest.create({
      data: { organizationId, id: randomUUID(), runnerId: runner.id, service: 'web', check },
    });
    await db.tierPause.create({
      data: {
        organizationId,
        projectId: project.id,
        tier: 3,
        pausedAt: new Date(),
        pausedBy: 'Alice',
      },
    });
    await db.webhookAttempt.create({
      data: { organizationId, deliveryId: delivery.id, number: 1, durationMs: 1 },
    });
    const { id, ...incident } = await db.incident.findFirstOrThrow({
      select: {
        ...{ id: true, projectId: true, source: true, severity: true },
        ...{ startedAt: true, openedAt: true },
      },
    });
    const end = {
      state: 'resolved',
      resolution: 'merged',
      resolvedBy: 'Ana',
      resolvedAt: new Date(),
    };
    await db.incident.create({
      data: { ...incident, organizationId, number: 1_000, ...end, mergedIntoId: id },
    });
  });
}
