import { env } from '@/lib/platform/env';
import { addProjectLabel } from '@/lib/platform/metrics/project-label';
import { addProcessMetrics, type Component } from '@/lib/platform/metrics/registry';
import { productVersion } from '@/lib/platform/product-version';
import { projectNames } from './metrics/project-names';
import { startExporting } from './open-telemetry';
import { subscribeMetrics, subscribeTraces } from './subscriptions';

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
