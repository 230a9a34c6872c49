/** Sends alerts on a watch's clock: stored as the route stores them, and processed at once. */

import { v7 as uuidv7 } from 'uuid';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { createSignalSource } from '@/lib/signals/manage-sources';
import { processSource } from '@/lib/signals/process-requests';
import { storeRequest } from '@/lib/signals/request-data';
import { createSignalSourceSchema, type SourceKind } from '@/lib/signals/source-schema';
import { endStaleSignals } from '@/lib/signals/sweep';
import type { Watch } from './watching';

export interface Signaling {
  /** Sends bodies that are processed together. */
  send(...bodies: (string | object)[]): Promise<void>;
  /** Marks alerts stale whose time is over. */
  sweep(): Promise<void>;
}

export async function signalSource(
  watch: Watch,
  kind: SourceKind = 'generic',
  settings: Record<string, unknown> = {},
): Promise<Signaling> {
  const { alice, projectSlug } = watch.cast;
  const source = await createSignalSource(
    alice,
    createSignalSourceSchema.parse({ project: projectSlug, kind, name: kind, ...settings }),
  );
  const sourceId = requireId('als', source.id);
  return {
    async send(...bodies) {
      await inTransaction(alice, async (db) => {
        for (const body of bodies) {
          await storeRequest(db, {
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
      await endStaleSignals(watch.now());
    },
  };
}

/** A body of the generic kind, about the service web unless another is named. */
export function signal(watch: Watch, changes: Record<string, unknown> = {}) {
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
