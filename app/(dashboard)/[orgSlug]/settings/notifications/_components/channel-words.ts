import type { StateOf } from '@/app/_components/status/states';
import type {
  CHANNEL_EVENT_TYPES,
  CHANNEL_OUTCOMES,
  ChannelDto,
} from '@/lib/deliveries/channels/schema';

export const OUTCOME_WORDS: Record<(typeof CHANNEL_OUTCOMES)[number], string> = {
  needs_human: 'Needs a human',
  failed: 'Failed',
  lost: 'Lost',
  fixed: 'Fixed',
  findings: 'Findings, no action',
  suppressed: 'Suppressed',
  stopped: 'Stopped',
  healthy: 'Healthy',
};

export const EVENT_WORDS: Record<(typeof CHANNEL_EVENT_TYPES)[number], string> = {
  'incident.opened': 'Incident opened',
  'incident.needs_human': 'Incident needs a human',
  'incident.resolved': 'Incident resolved',
  'incident.reopened': 'Incident reopened',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.verifying': 'Incident being verified',
  'budget.reached': 'Budget reached',
  'budget.warning': 'Budget at 80%',
  'runner.offline': 'Runner offline',
  'runner.key_shared': 'Runner key on two hosts',
  'checks.blocked': 'Nothing is checked',
  'checks.resumed': 'Checks run again',
  'approval.requested': 'Approval requested',
  'approval.decided': 'Approval decided',
  'approval.expired': 'Approval expired',
  'chain.escalated': 'Escalated',
  'chain.started': 'Chain started',
};

/** The events of a channel, in words: `Needs a human, Failed, Runner offline`. */
export function subscriptionWords({
  outcomes,
  eventTypes,
}: Pick<ChannelDto, 'outcomes' | 'eventTypes'>) {
  const words: Record<string, string> = { ...OUTCOME_WORDS, ...EVENT_WORDS };
  return [...outcomes, ...eventTypes].map((each) => words[each] ?? each).join(', ');
}

/** Channels have the states of webhook endpoints. */
export function channelState(
  channel: Pick<ChannelDto, 'disabledAt' | 'disabledReason' | 'failingSince'>,
): StateOf<'notification_channel'> {
  if (channel.disabledAt) {
    if (channel.disabledReason === 'muted') return 'muted';
    return channel.disabledReason === 'rejected' ? 'disabled_rejected' : 'disabled_auto';
  }
  return channel.failingSince ? 'failing' : 'active';
}

/** The list in one sentence; trouble first. */
export function channelsSentence(
  channels: readonly Pick<
    ChannelDto,
    'name' | 'outcomes' | 'disabledAt' | 'disabledReason' | 'failingSince'
  >[],
): string {
  const listening = channels.filter((channel) => !channel.disabledAt);
  const failing = listening.filter((channel) => channel.failingSince);
  const [first] = failing;
  if (first) {
    return failing.length === 1
      ? `${first.name} is failing. Its messages are retried, up to 8 attempts each.`
      : `${failing.length} channels are failing. Their messages are retried, up to 8 attempts each.`;
  }
  const urgent = listening.filter((channel) => channel.outcomes.includes('needs_human'));
  if (urgent.length === 0) return 'No channel is subscribed to chains that need a human.';
  return `When a chain needs a human, ${listOf(urgent.map((channel) => channel.name))} ${urgent.length === 1 ? 'is' : 'are'} notified.`;
}

/** `a`, `a and b`, `a, b and c`. */
function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
