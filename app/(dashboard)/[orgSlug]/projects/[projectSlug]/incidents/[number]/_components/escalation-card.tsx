import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { Link } from '@/app/_components/ui/link';
import { getIncidentEscalation } from '@/lib/deliveries/escalation/read-escalation';
import { isAnyoneReached } from '@/lib/deliveries/escalation/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { nextWords, recipientWords, stepName } from './escalation-words';

interface EscalationCardProps {
  scope: TenantScope;
  incidentId: string;
  orgSlug: string;
}

/** Which steps of the escalation were sent, to whom, and what is next. Nothing without a policy. */
export async function EscalationCard({ scope, incidentId, orgSlug }: EscalationCardProps) {
  const escalation = await getIncidentEscalation(scope, incidentId);
  if (!escalation) return null;
  const { policyName, steps, stepCount, next } = escalation;
  return (
    <Card title="Escalation" isFlush>
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
              {recipientWords(recipients)}
            </span>
          </li>
        ))}
        <li className="flex flex-col gap-1 px-4 py-2.5 text-text-2 text-ui">
          <span>
            {nextWords(escalation)}
            {next?.at ? (
              <>
                {' '}
                <Time at={next.at} />
              </>
            ) : null}
          </span>
          <Link href={`/${orgSlug}/settings/escalation`} className="link break-words">
            Policy {policyName}
          </Link>
        </li>
      </ol>
    </Card>
  );
}
