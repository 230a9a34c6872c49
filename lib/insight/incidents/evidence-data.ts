import {
  isAnyoneReached,
  recipientsSchema,
  unreachedWords,
} from '@/lib/deliveries/escalation/schema';
import { CHANNEL_KIND_NAMES, CHANNEL_KINDS } from '@/lib/deliveries/targets/kinds';
import { shellLine, storedArgv } from '@/lib/engine/approvals/words';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId, idSince } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { ApprovalFacts, MessageFacts, UnreachedStep } from './evidence';

/** As many as one incident shows. */
const MAX_ROWS = 500;

/** Returns the approvals that chains asked for, oldest first. Redacted again, as everywhere. */
export async function listApprovalFacts(
  db: TenantDb,
  chainIds: readonly string[],
): Promise<ApprovalFacts[]> {
  if (chainIds.length === 0) return [];
  const { text } = createRedactor({ secrets: [] });
  const rows = await db.approval.findMany({
    where: { chainId: { in: [...chainIds] } },
    orderBy: { id: 'asc' },
    take: MAX_ROWS,
    include: { votes: { orderBy: { votedAt: 'asc' } } },
  });
  return rows.map(({ id, tier, argv, status, requestedAt, decidedAt, votes }) => {
    const words = storedArgv(argv);
    return {
      ...{ id: encodeId('apr', id), tier, status, requestedAt, decidedAt },
      command: words && text(shellLine(words)),
      votes: votes.map(({ person, verdict, note, votedAt }) => ({
        ...{ person, verdict, note: text(note), at: votedAt },
      })),
    };
  });
}

/**
 * Returns the messages about an incident to channels, oldest first.
 *
 * @param incidentId UUID, which the occasion of each message names
 */
export async function listMessageFacts(
  db: TenantDb,
  { id: incidentId, openedAt }: { id: string; openedAt: Date },
): Promise<MessageFacts[]> {
  const channels = await db.notificationChannel.findMany({
    select: { id: true, name: true, kind: true },
  });
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const rows = await db.webhookDelivery.findMany({
    where: {
      // Ids begin with a time, so that an index finds the few of each channel that can be about it.
      channelId: { in: [...byId.keys()] },
      id: { gte: idSince(openedAt) },
      occasion: { contains: incidentId },
    },
    orderBy: { id: 'asc' },
    take: MAX_ROWS,
    select: { channelId: true, eventType: true, occasion: true, status: true, createdAt: true },
  });
  return rows.flatMap(({ channelId, createdAt, ...row }) => {
    const channel = channelId && byId.get(channelId);
    if (!channel) return [];
    const kind = CHANNEL_KINDS.find((known) => known === channel.kind);
    return [
      {
        ...{ ...row, at: createdAt, channelName: channel.name },
        channelKind: kind ? CHANNEL_KIND_NAMES[kind] : channel.kind,
      },
    ];
  });
}

/** Returns the steps of an incident's escalations that reached nobody, oldest first. */
export async function listUnreachedSteps(
  db: TenantDb,
  incidentId: string,
): Promise<UnreachedStep[]> {
  const rows = await db.escalationStep.findMany({
    where: { incidentId },
    orderBy: [{ run: 'asc' }, { number: 'asc' }],
    take: MAX_ROWS,
  });
  return rows.flatMap(({ at, number, ...row }) => {
    const recipients = recipientsSchema.nullable().parse(row.recipients);
    if (recipients === null || isAnyoneReached(recipients)) return [];
    return [{ at, number, why: unreachedWords(recipients) || 'its channels are off or deleted' }];
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
