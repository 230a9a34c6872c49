import type { IncidentPagingDto } from '@/lib/paging/read-paging';
import type { Recipients } from '@/lib/paging/schema';
import { asSentence, calendarWords, isAnyoneReached, unreachedWords } from '@/lib/paging/words';

/** `Step 2`; `Repeat 1 of step 2`. */
export function stepName(number: number, stepCount: number): string {
  const repeats = number - stepCount;
  return repeats > 0 ? `Repeat ${repeats} of step ${stepCount}` : `Step ${number}`;
}

/**
 * Who a step sent messages to, in sentences. Whether they arrived is in the timeline.
 *
 * @param at when it was sent
 */
export function recipientWords(recipients: Recipients | null, at: Date): string {
  if (recipients === null) return 'Skipped, because a later step was due as well.';
  const { reportedTo } = recipients;
  const all = [...recipients.channels, ...recipients.members];
  const namesOf = (wanted: string) =>
    all.flatMap(({ name, result }) => (result === wanted && name ? [name] : [])).join(', ');
  const [sent, announced] = [namesOf('sent'), namesOf('announced')];
  const calendar = isAnyoneReached(recipients) && calendarWords(recipients, at);
  return [
    sent ? `Message to ${sent}.` : '',
    announced ? `${announced} got a message just before.` : '',
    unreachedSentence(recipients, at),
    asSentence(calendar || ''),
    reportedTo === 'admins' ? 'No later step reaches anybody, so it goes to admins.' : '',
    reportedTo === 'feed'
      ? 'No later step reaches anybody, and no way to notify admins is set up.'
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Who wasn't notified, and why; empty if everyone was. What the calendar says follows if anyone was reached. */
function unreachedSentence(recipients: Recipients, at: Date): string {
  if (!isAnyoneReached(recipients)) {
    // Earlier versions didn't keep which channels those were.
    return `Reached nobody: ${unreachedWords(recipients, at) || 'its channels are off or deleted'}.`;
  }
  const words = unreachedWords({ ...recipients, calendar: null }, at);
  return words ? `Not reached: ${words}.` : '';
}

/** What is next. The time follows if there is one. */
export function nextWords({
  next,
  isOver,
  stepCount,
}: Pick<IncidentPagingDto, 'next' | 'isOver' | 'stepCount'>): string {
  if (isOver) return 'Paging has ended with the incident.';
  if (!next) return 'No step is left. Nobody else is notified.';
  const name = stepName(next.number, stepCount);
  return next.at
    ? `Unless someone acknowledges the incident: ${name.charAt(0).toLowerCase()}${name.slice(1)}`
    : `${name} waits while the incident is acknowledged, verified, silenced or muted.`;
}
