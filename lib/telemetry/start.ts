import { chainEnded } from '@/lib/engine/domain-events';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { incidentChanged } from '@/lib/incidents/domain-events';
import { getShownIncident } from '@/lib/incidents/incident-rows';
import { acknowledgementDelay, incidentChanges } from '@/lib/incidents/metrics';
import { afterCommit } from '@/lib/platform/db/raw';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { subscribe } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { addProjectLabel, type OfProject } from '@/lib/platform/metrics/project-label';
import { addProcessMetrics, type Component } from '@/lib/platform/metrics/registry';
import { productVersion } from '@/lib/platform/product-version';
import { getProjectRow } from '@/lib/projects/project-rows';
import { startExporting } from './open-telemetry';
import type { EndedChain } from './traces/export-chain';
import type { ExportQueue } from './traces/export-queue';

/**
 * Starts counting, and exporting if that is configured. Every process of the control plane
 * calls this once, before its work begins.
 */
export function startTelemetry(component: Component): void {
  if (env().metrics.hasProjectLabel) addProjectLabel(projectNames());
  addProcessMetrics(component, productVersion());
  subscribeMetrics();
  const chains = startExporting(component);
  if (chains) subscribeTraces(chains);
}

/** Counts changes of incidents once they are committed. */
export function subscribeMetrics(): void {
  subscribe(incidentChanged, 'telemetry', async (db, _scope, { incidentId, notice }, now) => {
    afterCommit(db, () => incidentChanges.add({ change: notice }));
    if (notice !== 'acknowledged') return [];
    const { openedAt, lastReopenedAt } = await getShownIncident(db, incidentId);
    const seconds = (now.getTime() - (lastReopenedAt ?? openedAt).getTime()) / 1_000;
    afterCommit(db, () => acknowledgementDelay.observe({}, seconds));
    return [];
  });
}

/**
 * Exports each chain once it has ended, in the process that ended it and after the commit. Nothing waits
 * for it. A process that is killed in between loses that trace.
 */
function subscribeTraces(chains: ExportQueue<EndedChain>): void {
  subscribe(chainEnded, 'telemetry', async (db, scope, { chainId }) => {
    afterCommit(db, () => {
      if (!chains.add({ scope, chainId })) {
        logger.warn({ chainId }, 'trace not exported: too many wait');
      }
    });
    return [];
  });
}

/** A project that gets another slug is counted under it after this time. */
const KEPT_MS = 300_000;
const MAX_KEPT = 10_000;

interface Kept {
  slug: Promise<string>;
  until: number;
}

/** Returns what gives a project's slug, which it reads once in a while. */
export function projectNames(): (project: OfProject) => Promise<string> {
  const kept = new Map<string, Kept>();
  return ({ organizationId, projectId }) => {
    const known = kept.get(projectId);
    if (known && known.until > Date.now()) return known.slug;
    const slug = inTransaction(scopeOfSystem(organizationId, 'Metrics'), async (db) => {
      return (await getProjectRow(db, projectId)).slug;
    });
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(projectId, { slug, until: Date.now() + KEPT_MS });
    slug.catch(() => kept.delete(projectId));
    return slug;
  };
}
