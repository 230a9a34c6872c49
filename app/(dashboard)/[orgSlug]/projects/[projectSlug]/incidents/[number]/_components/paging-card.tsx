import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { Link } from '@/app/_components/ui/link';
import { getIncidentPaging } from '@/lib/paging/read-paging';
import { isAnyoneReached } from '@/lib/paging/words';
import type { TenantScope } from '@/lib/platform/db/scope';
import { nextWords, recipientWords, stepName } from './paging-words';

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
