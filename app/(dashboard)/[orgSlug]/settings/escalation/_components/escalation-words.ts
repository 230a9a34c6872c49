import type { ChannelDto } from '@/lib/deliveries/channels/schema';
import type { OnCallDto, PolicyDto } from '@/lib/deliveries/escalation/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import type { Choice } from './edit-form';

/** The page in one sentence: which projects escalate. */
export function escalationSentence(
  policies: readonly Pick<PolicyDto, 'projectIds'>[],
  projects: readonly Choice[],
): string {
  const used = new Set(policies.flatMap(({ projectIds }) => projectIds));
  const without = projects.filter(({ id }) => !used.has(id));
  if (policies.length === 0) return 'No incident escalates, because there is no policy.';
  if (without.length === projects.length)
    return 'No project uses a policy, so no incident escalates.';
  if (without.length === 0)
    return 'Incidents of every project escalate until someone acknowledges them.';
  return `Incidents of ${projects.length - without.length} of ${formatCounted(projects.length, 'project')} escalate until someone acknowledges them.`;
}

/** A channel as it can be chosen: `Slack`; `Ana (muted)` while it isn’t notified. */
export function channelChoice({
  id,
  name,
  disabledAt,
  disabledReason,
}: Pick<ChannelDto, 'id' | 'name' | 'disabledAt' | 'disabledReason'>): Choice {
  if (disabledAt === null) return { id, name };
  return { id, name: `${name} (${disabledReason === 'muted' ? 'muted' : 'disabled'})` };
}

/** `At once: Slack`; `After 15m: whoever is on call in Primary, else Slack`. */
export function stepWords(
  { afterMinutes, scheduleId, channelIds }: PolicyDto['steps'][number],
  channels: readonly Choice[],
  schedules: readonly Choice[],
): string {
  const when = afterMinutes === 0 ? 'At once' : `After ${formatSpan(afterMinutes * 60)}`;
  const names = channelNames(channelIds, channels);
  if (scheduleId === null) return `${when}: ${names}`;
  const schedule = schedules.find(({ id }) => id === scheduleId)?.name ?? 'a deleted schedule';
  return `${when}: whoever is on call in ${schedule}, else ${names}`;
}

/** `Slack, Ana`. A channel that is gone is named as such. */
export function channelNames(channelIds: readonly string[], channels: readonly Choice[]): string {
  return channelIds
    .map((id) => channels.find((channel) => channel.id === id)?.name ?? 'a deleted channel')
    .join(', ');
}

/** `The last step is repeated 3 times, every 30m.` */
export function repeatWords({
  repeatTimes,
  repeatMinutes,
}: Pick<PolicyDto, 'repeatTimes' | 'repeatMinutes'>): string {
  if (repeatTimes === 0) return 'The last step isn’t repeated.';
  const times = repeatTimes === 1 ? 'once, after' : `${repeatTimes} times, every`;
  return `The last step is repeated ${times} ${formatSpan(repeatMinutes * 60)}.`;
}

/** `Ana, Ben and Cleo`; `Nobody` in a gap. */
export function onCallNames({ names }: Pick<OnCallDto, 'names'>): string {
  const last = names.at(-1) ?? 'Nobody';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
