import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';
import {
  type SignalSeverity,
  type SignalStatus,
  signalSeveritySchema,
  signalStatusSchema,
} from '@/lib/signals/schema';
import { listSignalsOf } from './data';

/** An alert of another system that belongs to an incident. Its title and source are text of others. */
export interface SignalOfIncident {
  /** `alt_…` */
  id: string;
  title: string;
  /** `id`: `als_…` */
  source: { id: string; name: string };
  severity: SignalSeverity;
  status: SignalStatus;
  /** The project's service, or else what the source calls it; null if it names none. */
  service: string | null;
  startedAt: Date;
  /** Null while it fires; of one that is stale, when it was last reported. */
  endedAt: Date | null;
  /** Messages about it after the first one. */
  repeats: number;
}

export interface SignalsOfIncident {
  /** Those that fire first, then the newest. */
  alerts: SignalOfIncident[];
  /** How many there are, with those that are left out. */
  count: number;
}

/**
 * Returns up to `take` alerts of an incident.
 *
 * @param incidentId `inc_…`; one that isn't the organization's has none
 */
export function getSignalsOfIncident(
  scope: TenantScope,
  incidentId: string,
  take: number,
): Promise<SignalsOfIncident> {
  const id = requireId('inc', incidentId);
  return inTransaction(scope, async (db) => {
    const { alerts, count } = await listSignalsOf(db, id, take);
    return {
      count,
      alerts: alerts.map(({ source, service, serviceText, lastSeenAt, ...signal }) => {
        const status = signalStatusSchema.parse(signal.status);
        return {
          ...signal,
          id: encodeId('alt', signal.id),
          source: { id: encodeId('als', source.id), name: source.name },
          severity: signalSeveritySchema.parse(signal.severity),
          status,
          service: service?.name ?? serviceText,
          endedAt: status === 'stale' ? lastSeenAt : signal.endedAt,
        };
      }),
    };
  });
}
