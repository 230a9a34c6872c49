import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { requireId } from '@/lib/platform/ids';
import { listChainFacts } from '../incident-figures/data';
import { getSignalsOfIncident } from './get-signals';
import { getIncidentRecord } from './list-incidents';
import { writePostMortem } from './write-post-mortem';

/** As many events as the document has; the page of the incident has all of them. */
const MAX_EVENTS = 2_000;
const MAX_SIGNALS = 100;

export interface PostMortem {
  /** `checkout-incident-3.md` */
  fileName: string;
  /** Markdown. */
  text: string;
}

/**
 * Returns an incident as a Markdown document.
 *
 * @param incidentId `inc_…`
 * @throws NotFoundError for one that isn't the organization's
 */
export async function getPostMortem(
  scope: TenantScope,
  incidentId: string,
  now = new Date(),
): Promise<PostMortem> {
  const { incident, actions, organizationRoot } = await getIncidentRecord(scope, incidentId, {
    take: MAX_EVENTS,
    until: null,
  });
  const uuids = incident.chains.map(({ id }) => requireId('chn', id));
  const chains = await inTransaction(scope, (db) => listChainFacts(db, uuids));
  const costs = new Map(
    incident.chains.map(({ id }, index) => {
      const chain = chains.find((each) => each.id === uuids[index]);
      return [
        id,
        { micros: chain?.costMicros ?? null, isEstimated: chain?.isCostEstimated ?? false },
      ] as const;
    }),
  );
  const text = writePostMortem({
    ...{ incident, actions, costs, organizationRoot, now },
    alerts: await getSignalsOfIncident(scope, incidentId, MAX_SIGNALS),
    publicUrl: env().publicUrl.replace(/\/$/, ''),
  });
  return { fileName: `${incident.project.slug}-incident-${incident.number}.md`, text };
}
