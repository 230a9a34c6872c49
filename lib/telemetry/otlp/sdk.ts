/**
 * What both exporters need of the OpenTelemetry SDK, which is loaded only where something is exported. It
 * isn't registered globally, so no library makes spans of its own, nothing is propagated, and no caller of
 * the API chooses a trace. The exporters read the endpoint, headers, timeouts and compression from the
 * OTEL_ variables themselves.
 */

import { randomUUID } from 'node:crypto';
import type { Resource } from '@opentelemetry/resources';
import { logger } from '@/lib/platform/logger';
import type { Component } from '@/lib/platform/metrics/registry';
import { productVersion } from '@/lib/platform/product-version';

/** A backend that is away is reported once in this time. */
const COMPLAIN_EVERY_MS = 60_000;

/**
 * Loads it.
 *
 * @returns what names this process: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, or else its version,
 *   its role and an id of this start. Nothing is read of the host and its processes.
 */
export async function loadSdk(component: Component): Promise<{ resource: Resource }> {
  const { diag, DiagLogLevel } = await import('@opentelemetry/api');
  const { detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  );
  diag.setLogger(complaints(), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const own = resourceFromAttributes({
    'service.name': `tierwatch-${component}`,
    'service.version': productVersion(),
    'service.instance.id': randomUUID(),
  });
  return { resource: own.merge(detectResources({ detectors: [envDetector] })) };
}

/** What the SDK has to say, in our log and seldom. */
function complaints() {
  let quietUntil = 0;
  const complain = (message: string, ...details: unknown[]) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + COMPLAIN_EVERY_MS;
    const text = [message, ...details].map(String).join(' ').slice(0, 500);
    logger.warn({ error: text }, 'telemetry not exported');
  };
  return { error: complain, warn: complain, info() {}, debug() {}, verbose() {} };
}
