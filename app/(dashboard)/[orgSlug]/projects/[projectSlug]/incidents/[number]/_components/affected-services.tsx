import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Link } from '@/app/_components/ui/link';
import type { IncidentDetail } from '@/lib/incidents/view';

interface AffectedServicesProps {
  services: IncidentDetail['services'];
  root: string;
  /** They are part of another incident since. */
  isMerged: boolean;
}

/** In the order in which they failed. */
export function AffectedServices({ services, root, isMerged }: AffectedServicesProps) {
  return (
    <ul className="divide-y divide-line">
      {services.map(({ name, status, failingSince, recoveredAt, removedAt, error }) => (
        <li key={name} className="flex flex-col gap-1 px-4 py-3">
          <span className="flex flex-wrap items-center justify-between gap-2">
            <Link
              href={`${root}/services/${encodeURIComponent(name)}`}
              className="link min-w-0 break-words"
            >
              {name}
            </Link>
            <StatusBadge kind="service" state={status} />
          </span>
          <span className="text-meta text-text-2">
            Failed <Time at={failingSince} form="day" />
            {recoveredAt ? (
              <>
                , healthy <Time at={recoveredAt} form="day" />
              </>
            ) : null}
            {removedAt && !isMerged ? (
              <>
                , not checked since <Time at={removedAt} form="day" />
              </>
            ) : null}
          </span>
          {error && status !== 'healthy' ? (
            <span className="break-words text-meta text-text-2">{error}</span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
