import { channelKindOf } from '@/lib/deliveries/channels/registry';
import { PAGED_EVENT } from '@/lib/deliveries/paged-event';
import { shellLine, storedArgv } from '@/lib/engine/approvals/words';
import { INCIDENT_NOTICES } from '@/lib/incidents/states';
import { recipientsSchema } from '@/lib/paging/schema';
import { isAnyoneReached, unreachedWords } from '@/lib/paging/words';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { ApprovalFacts, MessageFacts, UnreachedStep } from './evidence';

/** As many approvals, and as many steps of paging, as a part of a timeline shows. */
const MAX_ROWS = 500;
const MAX_STEPS = 100;

/** The time that a part of a timeline is about: from `from` to before `to`; null: without that end. */
interface TimelineSpan {
  from: Date | null;
  to: Date | null;
}

function inSpan({ from, to }: TimelineSpan) {
  return { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) };
}

/**
 * Returns the approvals that chains asked for in a span, oldest first. Redacted again, as everywhere.
 */
export async function listApprovalFacts(
  db: TenantDb,
  chainIds: readonly string[],
  span: TimelineSpan,
): Promise<ApprovalFacts[]> {
  if (chainIds.length === 0) return [];
  const { text } = createRedactor({ secrets: [] });
  const rows = await db.approval.findMany({
    where: { chainId: { in: [...chainIds] }, requestedAt: inSpan(span) },
    orderBy: { id: 'asc' },
    take: MAX_ROWS,
    include: { votes: { orderBy: { votedAt: 'asc' } } },
  });
  return rows.map(({ id, tier, argv, status, requestedAt, decidedAt, votes, ...row }) => {
    const words = storedArgv(argv);
    return {
      ...{ id: encodeId('apr', id), tier, status, requestedAt, decidedAt },
      command: words && text(shellLine(words)),
      votes: votes.map(({ person, verdict, note, votedAt }) => ({
        ...{ person, verdict, note: text(note), at: votedAt },
      })),
      allowedAgain:
        row.allowedAgainAt === null
          ? null
          : { person: row.allowedAgainBy ?? '', at: row.allowedAgainAt },
    };
  });
}

interface StoredMessage extends Pick<MessageFacts, 'at' | 'eventType' | 'occasion' | 'status'> {
  channelId: string | null;
  /** Of a member, whom paging notifies by e-mail. */
  address: string | null;
}

/**
 * Returns the messages to channels and members about these events of an incident, oldest first, and how many earlier
 * steps of paging in the span are left out.
 *
 * @param incidentId UUID, which the occasion of each message names, with the number of its event
 * @param sequences numbers of the events
 */
export async function listMessageFacts(
  db: TenantDb,
  incidentId: string,
  sequences: readonly number[],
  span: TimelineSpan,
): Promise<{ messages: MessageFacts[]; leftOut: number }> {
  const steps = await db.pagingStep.findMany({
    where: { incidentId, at: inSpan(span) },
    orderBy: [{ run: 'desc' }, { number: 'desc' }],
    take: MAX_STEPS,
    select: { run: true, number: true },
  });
  const stepCount =
    steps.length < MAX_STEPS
      ? steps.length
      : await db.pagingStep.count({ where: { incidentId, at: inSpan(span) } });
  const channels = await db.notificationChannel.findMany({
    select: { id: true, name: true, kind: true },
  });
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const occasions = [
    ...sequences.flatMap((sequence) =>
      INCIDENT_NOTICES.map((notice) => `incident.${notice}:${incidentId}:${sequence}`),
    ),
    ...steps.map(({ run, number }) => `${PAGED_EVENT}:${incidentId}:${run}:${number}`),
  ];
  // Channels and whole occasions, so that an index finds each message.
  const rows = await sqlRows(
    db,
  )<StoredMessage>`select channel_id as "channelId", mail_to[1] as address, event_type as "eventType", occasion, status,
        created_at as at
      from webhook_delivery
      where organization_id = app.organization_id() and occasion = any(${occasions}::text[])
        and (channel_id = any(${[...byId.keys()]}::uuid[]) or (endpoint_id is null and channel_id is null))
      order by id`;
  const messages = rows.flatMap(({ channelId, address, ...row }) => {
    const channel = channelId ? byId.get(channelId) : { name: address ?? '', kind: 'email' };
    if (!channel) return [];
    const channelKind = channelKindOf(channel.kind).name;
    return [{ ...row, channelName: channel.name, channelKind }];
  });
  return { messages, leftOut: stepCount - steps.length };
}

/** Returns the steps of an incident's paging in a span that reached nobody, oldest first. */
export async function listUnreachedSteps(
  db: TenantDb,
  incidentId: string,
  span: TimelineSpan,
): Promise<UnreachedStep[]> {
  const rows = await db.pagingStep.findMany({
    where: { incidentId, at: inSpan(span) },
    orderBy: [{ run: 'asc' }, { number: 'asc' }],
    take: MAX_ROWS,
  });
  return rows.flatMap(({ at, number, ...row }) => {
    const recipients = recipientsSchema.nullable().parse(row.recipients);
    if (recipients === null || isAnyoneReached(recipients)) return [];
    return [
      { at, number, why: unreachedWords(recipients, at) || 'its channels are off or deleted' },
    ];
  });
}

/** Returns the rule and the refusal of each brokered command, by attempt and number: `<attempt>/<number>`. */
export async function listCommandRules(
  db: TenantDb,
  sessionIds: readonly string[],
): Promise<Map<string, { rule: string | null; refusal: string | null }>> {
  const { text } = createRedactor({ secrets: [] });
  const rows = await db.command.findMany({
    where: { sessionId: { in: [...sessionIds] } },
    orderBy: { id: 'asc' },
    take: 2_000,
    select: { attemptId: true, number: true, rule: true, refusalMessage: true },
  });
  return new Map(
    rows.map(({ attemptId, number, rule, refusalMessage }) => [
      `${attemptId}/${number}`,
      { rule, refusal: refusalMessage && text(refusalMessage) },
    ]),
  );
}
