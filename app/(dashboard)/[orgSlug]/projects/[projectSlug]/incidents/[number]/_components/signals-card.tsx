import { SeverityLabel } from '@/app/_components/status/severity-label';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import { getSignalsOfIncident, type SignalOfIncident } from '@/lib/insight/incidents/get-signals';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatCount, formatCounted } from '@/lib/platform/format/count';

/** As many alerts as the card lists. */
const MAX_SIGNALS = 20;

interface SignalsCardProps {
  scope: TenantScope;
  incidentId: string;
  /** Of the project's pages. */
  root: string;
}

/** What other systems report in the incident. Nothing without an alert. */
export async function SignalsCard({ scope, incidentId, root }: SignalsCardProps) {
  const { alerts, count } = await getSignalsOfIncident(scope, incidentId, MAX_SIGNALS);
  if (count === 0) return null;
  const rest = count - alerts.length;
  return (
    <Card title="Alerts" note={formatCount(count)} isFlush>
      <ul className="divide-y divide-line">
        {alerts.map((signal) => (
          <SignalRow key={signal.id} alert={signal} root={root} />
        ))}
        {rest > 0 ? (
          <li className="px-4 py-2.5 text-meta text-text-2">
            {formatCounted(rest, 'older alert')} not shown.
          </li>
        ) : null}
      </ul>
    </Card>
  );
}

function SignalRow({ alert, root }: { alert: SignalOfIncident; root: string }) {
  const { title, source, severity, status, service, startedAt, endedAt, repeats } = alert;
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <span className="flex flex-wrap items-start justify-between gap-2">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <SafeText text={title} />
        </span>
        <StatusBadge kind="alert" state={status} />
      </span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-text-2">
        <SeverityLabel level={severity} />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {service === null ? 'No service' : <SafeText text={service} />}
        </span>
        <Link
          href={`${root}/settings/alerts?source=${source.id}`}
          className="link min-w-0 [overflow-wrap:anywhere]"
        >
          <SafeText text={source.name} />
        </Link>
      </span>
      <span className="text-meta text-text-2">
        Began <Time at={startedAt.toISOString()} form="day" />
        {endedAt ? (
          <>
            , {status === 'stale' ? 'last reported' : 'ended'}{' '}
            <Time at={endedAt.toISOString()} form="day" />
          </>
        ) : null}
        {repeats > 0
          ? `, repeated ${repeats === 1 ? 'once' : `${formatCount(repeats)} times`}`
          : ''}
      </span>
    </li>
  );
}
