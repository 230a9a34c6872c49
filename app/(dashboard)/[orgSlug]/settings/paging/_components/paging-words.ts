import type { ChannelDto } from '@/lib/deliveries/channels/schema';
import type { CalendarDto, PolicyDto } from '@/lib/paging/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import type { Choice } from './edit-form';

/** The page in one sentence: for which projects people are paged. */
export function pagingSentence(
  policies: readonly Pick<PolicyDto, 'projectIds'>[],
  projects: readonly Choice[],
): string {
  const used = new Set(policies.flatMap(({ projectIds }) => projectIds));
  const without = projects.filter(({ id }) => !used.has(id));
  if (policies.length === 0) return 'Nobody is paged, because there is no policy.';
  if (without.length === projects.length) return 'No project uses a policy, so nobody is paged.';
  if (without.length === 0)
    return 'People are paged for incidents of every project until someone acknowledges them.';
  return `People are paged for incidents of ${projects.length - without.length} of ${formatCounted(projects.length, 'project')} until someone acknowledges them.`;
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

interface Choices {
  channels: readonly Choice[];
  members: readonly Choice[];
}

/** `At once: Slack, Ana by e-mail`; `After 15m: whoever is on call in Primary, else Slack`. */
export function stepWords(
  { afterMinutes, calendarId, calendar, channelIds, memberIds }: PolicyDto['steps'][number],
  { channels, members }: Choices,
): string {
  const when = afterMinutes === 0 ? 'At once' : `After ${formatSpan(afterMinutes * 60)}`;
  const names = [
    ...channelIds.map((id) => nameOf(id, channels) ?? 'a deleted channel'),
    ...memberIds.map((id) => `${nameOf(id, members) ?? 'a former member'} by e-mail`),
  ].join(', ');
  if (calendarId === null) return `${when}: ${names}`;
  return `${when}: whoever is on call in ${calendar?.name}, else ${names || 'the next step'}`;
}

function nameOf(id: string, choices: readonly Choice[]): string | undefined {
  return choices.find((choice) => choice.id === id)?.name;
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

/** Who is on call now according to a calendar, in sentences. */
export function onCallSentence({
  onCall,
  unknown,
  failure,
}: Pick<CalendarDto, 'onCall' | 'unknown' | 'failure'>): string {
  if (failure) return `The calendar ${failure}. The step notifies its own channels and members.`;
  const verb = unknown.length === 1 ? 'isn’t a member' : 'aren’t members';
  const others = `The calendar names ${unknown.join(', ')}, who ${verb}.`;
  const now =
    onCall.length > 0 ? `On call now: ${onCall.join(', ')}.` : 'No member is on call now.';
  return unknown.length > 0 ? `${now} ${others}` : now;
}
