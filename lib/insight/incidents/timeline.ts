/** What happened in an incident, as sentences. Pure. */
import type { IncidentEvent, QuotedSignal } from '@/lib/incidents/incident';
import { quoted, unprovenSentence } from '@/lib/incidents/sentences';
import { formatCounted } from '@/lib/platform/format/count';

interface Names {
  /** By UUID. */
  services: ReadonlyMap<string, string>;
  chains: ReadonlyMap<string, { number: number }>;
}

const OUTCOMES: Record<string, string> = {
  healthy: 'found no problems',
  findings: 'reported findings and changed nothing',
  fixed: 'reported a fix',
  suppressed: 'did not escalate',
  needs_human: 'needs a human',
  failed: 'failed',
  lost: 'was lost',
  stopped: 'was stopped',
};

/** Returns one sentence for an event. Text of other systems is quoted as it is. */
export function timelineText(event: IncidentEvent, { services, chains }: Names): string {
  const nameOf = (id: string) => services.get(id) ?? 'A service';
  const chainOf = (id: string) => {
    const chain = chains.get(id);
    return chain ? `Chain #${chain.number}` : 'A deleted chain';
  };
  const finderOf = ({ chainId = '', isReported }: { chainId?: string; isReported?: boolean }) =>
    isReported ? `The agent of ${chainOf(chainId)} reported` : `${chainOf(chainId)} found`;
  const noted = (note: string) => (note ? ` ${note}` : '');
  switch (event.kind) {
    case 'service_failing':
      if (event.chainId) {
        return `${finderOf(event)} ${event.name} ${event.status}.${noted(event.error)}`;
      }
      return `${event.name} is ${event.status}.${noted(event.error)}`;
    case 'service_recovered':
      if (event.chainId) return `${finderOf(event)} ${nameOf(event.serviceId)} healthy.`;
      return `${nameOf(event.serviceId)} is healthy again.`;
    case 'service_unknown':
      return `${nameOf(event.serviceId)} can’t be checked.`;
    case 'service_removed':
      return `Nothing checks ${nameOf(event.serviceId)} anymore, so it leaves the incident.`;
    case 'alert_firing':
      return `${signalsText(event)} ${event.alerts.length + event.more === 1 ? 'fires' : 'fire'}.`;
    case 'alert_ended':
      return endedText(event);
    case 'alerts_quiet':
      if (event.isFinding) {
        return 'No chain has found a failure for the whole window, and no check confirms the recovery. It is resolved.';
      }
      return 'No alert has fired for the whole window. That is what the sources report, and no check confirms it. It is resolved.';
    case 'chain_started':
      return `${chainOf(event.chainId)} started.`;
    case 'chain_ended':
      return event.text
        ? `${chainOf(event.chainId)} ended. ${event.text}`
        : `${chainOf(event.chainId)} ${OUTCOMES[event.outcome] ?? 'ended'}.`;
    case 'look_refused':
      return `No chain starts. ${event.text}`;
    case 'needs_human':
      if (event.unproven) {
        return `The verification took too long, so it needs a human. ${unprovenSentence(event.unproven)}`;
      }
      return 'It still fails after the last chain, so it needs a human.';
    case 'acknowledged':
      return `${event.by} acknowledged it.${noted(event.note)}`;
    case 'acknowledgement_ended':
      return event.by === null
        ? 'The acknowledgement ended.'
        : `${event.by} removed the acknowledgement.`;
    case 'silenced': {
      const until = event.endsAt === null ? 'it is resolved' : utc(event.endsAt);
      return `${event.by} silenced it until ${until}.${noted(event.note)}`;
    }
    case 'silence_ended':
      return event.by === null ? 'The silence ended.' : `${event.by} ended the silence.`;
    case 'verified':
      return 'All checks have passed for the whole window. It is resolved.';
    case 'resolved':
      return `${event.by} resolved it.${noted(event.note)}`;
    case 'merged':
      return `${event.by} merged it into Incident #${event.into.number}.${noted(event.note)}`;
    case 'joined':
      return `${event.by} merged Incident #${event.from.number} into it.${noted(event.note)}`;
  }
}

/** `2026-11-26 03:02 UTC` */
function utc(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `Alert “High latency” of Prometheus for web, and 12 more alerts`. */
function signalsText({ alerts, more }: { alerts: readonly QuotedSignal[]; more: number }): string {
  const [first, ...others] = alerts;
  if (!first) return formatCounted(more, 'alert');
  const about = first.service ? ` for ${first.service}` : '';
  const hidden = others.length + more;
  const rest = hidden > 0 ? `, and ${formatCounted(hidden, 'more alert')}` : '';
  return `Alert ${quoted(first.title)} of ${first.source}${about}${rest}`;
}

function endedText(event: Extract<IncidentEvent, { kind: 'alert_ended' }>): string {
  const what = signalsText(event);
  if (event.isUnknown) {
    return `${what}: nothing has been received about it for so long that nobody knows how it ended.`;
  }
  const isStale = event.alerts.every(({ status }) => status === 'stale');
  if (isStale) return `${what}: nothing has been received about it for long. The checks decide.`;
  return `${what}: the source reports the end.`;
}
