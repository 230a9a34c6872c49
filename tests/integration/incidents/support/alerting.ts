/** Sends alerts on a watch's clock: stored as the route stores them, and processed at once. */

import { v7 as uuidv7 } from 'uuid';
import { storeDelivery } from '@/lib/alerts/delivery-data';
import { createAlertSource } from '@/lib/alerts/manage-sources';
import { processSource } from '@/lib/alerts/process-deliveries';
import { createAlertSourceSchema, type SourceKind } from '@/lib/alerts/source-schema';
import { endStaleAlerts } from '@/lib/alerts/sweep';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import type { Watch } from './watching';

export interface Alerting {
  /** Sends bodies that are processed together. */
  send(...bodies: (string | object)[]): Promise<void>;
  /** Marks alerts stale whose time is over. */
  sweep(): Promise<void>;
}

export async function alertSource(
  watch: Watch,
  kind: SourceKind = 'generic',
  settings: Record<string, unknown> = {},
): Promise<Alerting> {
  const { alice, projectSlug } = watch.cast;
  const source = await createAlertSource(
    alice,
    createAlertSourceSchema.parse({ project: projectSlug, kind, name: kind, ...settings }),
  );
  const sourceId = requireId('als', source.id);
  return {
    async send(...bodies) {
      await inTransaction(alice, async (db) => {
        for (const body of bodies) {
          await storeDelivery(db, alice.organizationId, {
            ...{ id: uuidv7(), sourceId, headers: {}, dedupKey: null },
            body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
            nextAttemptAt: watch.now(),
            receivedAt: watch.now(),
          });
        }
      });
      await processSource(alice, sourceId, watch.now());
    },
    sweep: async () => {
      await endStaleAlerts(watch.now());
    },
  };
}

/** A body of the generic kind, about the service web unless another is named. */
export function alert(watch: Watch, changes: Record<string, unknown> = {}) {
  return {
    ...{ id: 'latency', status: 'firing', title: 'High latency', service: 'web' },
    started_at: watch.now().toISOString(),
    ...changes,
  };
}

/** The sentences of an incident's own events. */
export async function timelineOf(watch: Watch, number = 1): Promise<string[]> {
  const { alice, projectSlug } = watch.cast;
  const { timeline } = await getIncidentByNumber(alice, projectSlug, number);
  return timeline.filter(({ kind }) => kind !== 'notified').map(({ text }) => text);
}
