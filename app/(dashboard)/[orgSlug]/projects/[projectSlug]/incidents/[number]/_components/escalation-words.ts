import type { IncidentEscalationDto } from '@/lib/deliveries/escalation/read-escalation';
import {
  isAnyoneReached,
  type Recipients,
  unreachedWords,
} from '@/lib/deliveries/escalation/schema';

/** `Step 2`; `Repeat 1 of step 2`. */
export function stepName(number: number, stepCount: number): string {
  const repeats = number - stepCount;
  return repeats > 0 ? `Repeat ${repeats} of step ${stepCount}` : `Step ${number}`;
}

/** Who a step sent messages to, in a sentence. Whether they arrived is in the timeline. */
export function recipientWords(recipients: Recipients | null): string {
  if (recipients === null) return 'Skipped, because a later step was due as well.';
  const { channels, schedule, onCall, reportedTo } = recipients;
  const sent = channels.filter(({ result }) => result === 'sent').map(({ name }) => name);
  const announced = channels.filter(({ result }) => result === 'announced').map(({ name }) => name);
  const sentences = [
    sent.length > 0 ? `Message to ${sent.join(', ')}.` : null,
    announced.length > 0 ? `${announced.join(', ')} got a message just before.` : null,
    unreachedSentence(recipients),
    schedule && onCall.length > 0 ? `On call in ${schedule}: ${onCall.join(', ')}.` : null,
    schedule && onCall.length === 0 ? `Nobody was on call in ${schedule}.` : null,
    reportedTo === 'admins' ? 'No later step reaches anybody, so it goes to admins.' : null,
    reportedTo === 'feed'
      ? 'No later step reaches anybody, and no way to notify admins is set up.'
      : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

/** Which channels weren't notified, and why; null if all were. */
function unreachedSentence(recipients: Recipients): string | null {
  const words = unreachedWords(recipients);
  if (isAnyoneReached(recipients)) return words ? `Not reached: ${words}.` : null;
  // Earlier versions didn't keep which channels those were.
  return `Reached nobody: ${words || 'its channels are off or deleted'}.`;
}

/** What is next. The time follows if there is one. */
export function nextWords({
  next,
  isOver,
  stepCount,
}: Pick<IncidentEscalationDto, 'next' | 'isOver' | 'stepCount'>): string {
  if (isOver) return 'The escalation has ended with the incident.';
  if (!next) return 'No step is left. Nobody else is notified.';
  const name = stepName(next.number, stepCount);
  return next.at
    ? `Unless someone acknowledges the incident: ${name.charAt(0).toLowerCase()}${name.slice(1)}`
    : `${name} waits while the incident is acknowledged, verified, silenced or muted.`;
}
