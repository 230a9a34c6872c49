import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { listServiceRows } from '@/lib/projects/project-rows';
import { readBody } from './adapters/read-body';
import { requireSource } from './manage-sources';
import { serviceMatcher } from './match-service';
import type { PreviewBody, SignalPreview } from './request-schema';
import { mappingSchema, sourceKindSchema } from './source-schema';

/** A preview shows the first ones; a body may hold thousands. */
const MAX_SHOWN = 50;

/**
 * Returns what a body would become if the source sent it now, and stores nothing.
 *
 * @throws NotFoundError for a source that isn't the organization's
 */
export function previewSignals(
  scope: TenantScope,
  sourceId: string,
  { body, mapping: draft }: PreviewBody,
  now = new Date(),
): Promise<SignalPreview> {
  return inTransaction(scope, async (db) => {
    const source = await requireSource(db, sourceId);
    const kind = sourceKindSchema.parse(source.kind);
    const mapping = draft ?? mappingSchema.parse(source.mapping);
    const read = readBody(Buffer.from(body), { kind, mapping, receivedAt: now });
    const none = { reason: null, skippedCount: 0, truncatedCount: 0, alerts: [] };
    if (read.kind === 'unparsed') return { ...none, result: 'unparsed', reason: read.reason };
    if (read.kind !== 'alerts') return { ...none, result: read.kind };
    const services = await listServiceRows(db, source.projectId);
    const names = new Map(services.map(({ id, name }) => [id, name]));
    const match = serviceMatcher(services, mapping.serviceNames);
    return {
      ...none,
      result: 'alerts',
      skippedCount: read.skipped,
      truncatedCount: read.truncated,
      alerts: read.signals.slice(0, MAX_SHOWN).map(({ serviceTexts, ...signal }) => {
        const { text, serviceId } = match(serviceTexts);
        return { ...signal, serviceText: text, service: names.get(serviceId ?? '') ?? null };
      }),
    };
  });
}
