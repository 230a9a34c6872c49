import { type AlertSubject, DEDUP_PREFIX } from './alert';
import type { ChainSummary, WebhookEvent } from './schema';

/**
 * Returns the alert that an event is about; null for a plain notice. An event that carries its own
 * alert wins; of the others, a chain that needs a human is one.
 */
export function alertOf(event: WebhookEvent): AlertSubject | null {
  if (event.alert) return event.alert;
  const isChainEnd = event.type === 'chain.completed' || event.type === 'chain.needs_human';
  return isChainEnd && event.data.chain.outcome === 'needs_human' ? chainAlert(event.data) : null;
}

/** Nothing changes an ended chain, so its alert has one state. */
function chainAlert(summary: ChainSummary): AlertSubject {
  const { project, chain, servicesAffected, link } = summary;
  return {
    dedupKey: `${DEDUP_PREFIX}${chain.id}`,
    sequence: 1,
    status: 'firing',
    severity: 'critical',
    title: `${project.name}: Chain #${chain.number} needs a human`,
    description: [summary.summary, chain.explanation].filter((text) => text !== '').join('\n'),
    project: { name: project.name, slug: project.slug },
    services: servicesAffected,
    startedAt: chain.startedAt ?? chain.endedAt,
    resolvedAt: null,
    url: link,
    needsHuman: true,
  };
}
