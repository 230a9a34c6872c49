import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { Link } from '@/app/_components/ui/link';
import { getIncidentPaging, type IncidentPagingDto } from '@/lib/paging/read-paging';
import type { Recipients } from '@/lib/paging/schema';
import { asSentence, calendarWords, isAnyoneReached, unreachedWords } from '@/lib/paging/words';
import type { TenantScope } from '@/lib/platform/db/scope';

interface PagingCardProps {
  scope: TenantScope;
  incidentId: string;
  orgSlug: string;
}

/** Which steps of paging were sent, to whom, and what is next. Nothing without a policy. */
export async function PagingCard({ scope, incidentId, orgSlug }: PagingCardProps) {
  const paging = await getIncidentPaging(scope, incidentId);
  if (!paging) return null;
  const { policyName, steps, stepCount, next } = paging;
  return (
    <Card title="Paging" isFlush>
      <ol className="divide-y divide-line">
        {steps.map(({ number, at, recipients }) => (
          <li key={number} className="flex flex-col px-4 py-2.5">
            <span className="flex flex-wrap justify-between gap-x-2">
              <span className="font-medium">{stepName(number, stepCount)}</span>
              <span className="text-text-3 text-ui">
                <Time at={at} form="day" />
              </span>
            </span>
            <span
              className={cn(
                'break-words text-meta',
                recipients && !isAnyoneReached(recipients) ? 'text-bad-fg' : 'text-text-2',
              )}
            >
              {recipientWords(recipients, new Date(at))}
            </span>
          </li>
        ))}
        <li className="flex flex-col gap-1 px-4 py-2.5 text-text-2 text-ui">
          <span>
            {nextWords(paging)}
            {next?.at ? (
              <>
                {' '}
                <Time at={next.at} />
              </>
            ) : null}
          </span>
          <Link href={`/${orgSlug}/settings/paging`} className="link break-words">
            Policy {policyName}
          </Link>
        </li>
      </ol>
    </Card>
  );
}

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
