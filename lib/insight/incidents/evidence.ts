/** The timeline of an incident: its events with approvals and messages, each with its evidence. Pure. */
import { type IncidentEvent, timelineText } from '@/lib/incidents/events/registry';
import type { Evidence, TimelineEntry } from '@/lib/incidents/view';
import { formatCounted } from '@/lib/platform/format/count';

export interface TimelineFacts {
  /** Of the organization's pages: `/acme`. */
  organizationRoot: string;
  /** Of the project's pages: `/acme/projects/checkout`. */
  projectRoot: string;
  incidentNumber: number;
  /** Number of the incident's last event. */
  newestSequence: number;
  /** By UUID. */
  services: ReadonlyMap<string, { name: string; isRemoved: boolean }>;
  chains: ReadonlyMap<string, { number: number; changing: number; denied: number }>;
  events: readonly { sequence: number; at: Date; event: IncidentEvent }[];
  approvals: readonly ApprovalFacts[];
  messages: readonly MessageFacts[];
  unreached: readonly UnreachedStep[];
}

export interface ApprovalFacts {
  /** `apr_…` */
  id: string;
  tier: number;
  /** The command on one line, without secrets; null for the start of a tier. */
  command: string | null;
  status: string;
  requestedAt: Date;
  decidedAt: Date | null;
  /** In order. */
  votes: readonly { person: string; verdict: string; note: string; at: Date }[];
  /** Who took the refusal back. */
  allowedAgain: { person: string; at: Date } | null;
}

/** A message to one channel. */
export interface MessageFacts {
  at: Date;
  /** `incident.opened` */
  eventType: string;
  /** What happened, so that the messages about it are one entry. */
  occasion: string;
  channelName: string;
  /** `E-mail` */
  channelKind: string;
  status: string;
}

/** A step of paging that reached nobody. */
export interface UnreachedStep {
  at: Date;
  number: number;
  /** `Ana is muted, a channel was deleted` */
  why: string;
}

const MESSAGE_STATUSES: Record<string, string> = {
  scheduled: 'scheduled',
  sending: 'being sent',
  retrying: 'failed so far, will be retried',
  delivered: 'delivered',
  exhausted: 'not delivered',
  refused: 'refused',
  cancelled: 'canceled',
};

/** As many channels as one entry names. */
const MAX_CHANNELS = 5;

/** Returns everything that happened, in order. */
export function timelineOf(facts: TimelineFacts): TimelineEntry[] {
  const entries = [
    ...facts.events.map((stored) => ofEvent(stored, facts)),
    ...facts.approvals.flatMap((approval) => ofApproval(approval, facts)),
    ...ofUnreached(facts),
    ...ofMessages(facts),
  ];
  // Stable: what happened at the same time stays in the order above.
  return entries.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function ofEvent(
  { sequence, at, event }: TimelineFacts['events'][number],
  facts: TimelineFacts,
): TimelineEntry {
  const names = {
    service: (id: string) => facts.services.get(id)?.name ?? 'A service',
    chain(id: string) {
      const found = facts.chains.get(id);
      return found ? `Chain #${found.number}` : 'A deleted chain';
    },
  };
  const chain = 'chainId' in event ? facts.chains.get(event.chainId ?? '') : undefined;
  const text = timelineText(event, names);
  return {
    ...{ sequence, at: at.toISOString(), kind: event.kind },
    text: event.kind === 'chain_ended' && chain ? `${text}${commandsSentence(chain)}` : text,
    chainNumber: chain?.number ?? null,
    evidence: evidenceOf(sequence, event, facts),
  };
}

/** ` 4 commands may have changed something, 1 was denied.` */
function commandsSentence({ changing, denied }: { changing: number; denied: number }): string {
  const counted = (count: number) => (count === 1 ? '1 command' : `${count} commands`);
  const was = denied === 1 ? 'was' : 'were';
  if (changing === 0) return denied === 0 ? '' : ` ${counted(denied)} ${was} denied.`;
  const rest = denied === 0 ? '' : `, ${denied} ${was} denied`;
  return ` ${counted(changing)} may have changed something${rest}.`;
}

function evidenceOf(sequence: number, event: IncidentEvent, facts: TimelineFacts): Evidence {
  const { projectRoot, incidentNumber, newestSequence } = facts;
  const own: Evidence = {
    kind: 'incident',
    label: `Incident #${incidentNumber}`,
    path: eventPath(`${projectRoot}/incidents/${incidentNumber}`, sequence, newestSequence),
  };
  const other = event.kind === 'merged' ? event.into : event.kind === 'joined' ? event.from : null;
  if (other) {
    return {
      ...own,
      label: `Incident #${other.number}`,
      path: `${projectRoot}/incidents/${other.number}`,
    };
  }
  if ('chainId' in event && event.chainId) return chainEvidence(event.chainId, facts) ?? own;
  if ('serviceId' in event) return serviceEvidence(event.serviceId, facts) ?? own;
  if (event.kind === 'verified') {
    const [first] = facts.services.keys();
    return (first && serviceEvidence(first, facts)) || own;
  }
  if (event.kind === 'needs_human' && event.unproven) {
    const [check] = event.unproven;
    return (check && serviceEvidence(check.serviceId, facts)) || own;
  }
  if (event.kind === 'needs_human') {
    const before = facts.events.filter((stored) => stored.sequence < sequence);
    const chain = before.findLast(({ event: { kind } }) => kind === 'chain_ended')?.event;
    return (chain?.kind === 'chain_ended' && chainEvidence(chain.chainId, facts)) || own;
  }
  return own;
}

/** As many events as a page of an incident shows. */
export const EVENTS_OF_A_PAGE = 100;

/** The page of the incident that shows an event, and where: `/acme/…/incidents/3?until=40#event-40`. */
function eventPath(page: string, sequence: number, newestSequence: number): string {
  const isOnFirst = sequence > newestSequence - EVENTS_OF_A_PAGE;
  return `${page}${isOnFirst ? '' : `?until=${sequence}`}#event-${sequence}`;
}

/** Says that messages before those of a timeline aren't in it. */
export function leftOutEntry(
  count: number,
  timeline: readonly TimelineEntry[],
  organizationRoot: string,
): TimelineEntry {
  const at = timeline.find(({ kind }) => kind === 'notified')?.at ?? 0;
  const text = `${formatCounted(count, 'earlier step')} of paging ${count === 1 ? 'isn’t' : 'aren’t'} listed here.`;
  return entryOf(new Date(at), 'notified', text, notifications(organizationRoot));
}

/** Something else than an event. */
function entryOf(
  at: Date,
  kind: TimelineEntry['kind'],
  text: string,
  evidence: Evidence,
): TimelineEntry {
  return { sequence: null, at: at.toISOString(), kind, text, chainNumber: null, evidence };
}

function notifications(organizationRoot: string): Evidence {
  const path = `${organizationRoot}/settings/notifications`;
  return { kind: 'message', label: 'Notifications', path };
}

function chainEvidence(id: string, { chains, projectRoot }: TimelineFacts): Evidence | null {
  const chain = chains.get(id);
  if (!chain) return null;
  const { number } = chain;
  return { kind: 'chain', label: `Chain #${number}`, path: `${projectRoot}/chains/${number}` };
}

function serviceEvidence(id: string, { services, projectRoot }: TimelineFacts): Evidence | null {
  const service = services.get(id);
  if (!service) return null;
  const { name, isRemoved } = service;
  // The page of a service that was removed is gone.
  if (isRemoved) return null;
  return {
    kind: 'check_results',
    label: `Checks of ${name}`,
    path: `${projectRoot}/services/${encodeURIComponent(name)}`,
  };
}

function ofApproval(approval: ApprovalFacts, { organizationRoot }: TimelineFacts): TimelineEntry[] {
  const { id, tier, command, status, requestedAt, decidedAt, votes, allowedAgain } = approval;
  const what = command === null ? `the start of tier ${tier}` : `${command} (tier ${tier})`;
  const evidence: Evidence = {
    ...{ kind: 'approval', label: 'Approval' },
    path: `${organizationRoot}/approvals/${id}`,
  };
  const decided = (at: Date, text: string) => entryOf(at, 'approval_decided', text, evidence);
  const verb = (verdict: string) => (verdict === 'approve' ? 'approved' : 'refused');
  const ended = ENDS_OF_APPROVALS[status];
  return [
    entryOf(requestedAt, 'approval_requested', `Approval requested: ${what}.`, evidence),
    ...votes.map(({ person, verdict, note, at }) =>
      decided(at, `${person} ${verb(verdict)} ${what}.${note === '' ? '' : ` ${note}`}`),
    ),
    ...(allowedAgain
      ? [decided(allowedAgain.at, `${allowedAgain.person} allowed ${what} again.`)]
      : []),
    ...(ended && decidedAt ? [decided(decidedAt, `${ended}: ${what}.`)] : []),
  ];
}

/** Approvals that nobody decided about. */
const ENDS_OF_APPROVALS: Partial<Record<string, string>> = {
  expired: 'Nobody decided in time',
  withdrawn: 'The request was withdrawn',
};

function ofMessages({ messages, organizationRoot }: TimelineFacts): TimelineEntry[] {
  const byOccasion = new Map<string, MessageFacts[]>();
  for (const message of messages) {
    const known = byOccasion.get(message.occasion) ?? [];
    byOccasion.set(message.occasion, [...known, message]);
  }
  return [...byOccasion.values()].flatMap((found) => {
    const [first] = found;
    if (!first) return [];
    const words = first.eventType.replace(/^incident\./, '').replaceAll('_', ' ');
    const named = found
      .slice(0, MAX_CHANNELS)
      .map(
        ({ channelKind, channelName, status }) =>
          `${channelKind} to ${channelName}, ${MESSAGE_STATUSES[status] ?? status}`,
      );
    const more = found.length - named.length;
    const rest = more > 0 ? [`${more} more`] : [];
    const text = `Notification “${words}”: ${[...named, ...rest].join('; ')}.`;
    return [entryOf(first.at, 'notified', text, notifications(organizationRoot))];
  });
}

function ofUnreached({ unreached, organizationRoot }: TimelineFacts): TimelineEntry[] {
  return unreached.map(({ at, number, why }) =>
    entryOf(at, 'notified', `Paging step ${number} reached nobody: ${why}.`, {
      kind: 'message',
      label: 'Paging',
      path: `${organizationRoot}/settings/paging`,
    }),
  );
}
