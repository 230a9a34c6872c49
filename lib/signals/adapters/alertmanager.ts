/** Reads the webhook of Alertmanager and of Grafana, whose alerts have the same shape. Pure. */

import { z } from 'zod';
import { type IncomingSignal, type ReadPayload, severityOf } from './incoming';

const texts = z.record(z.string(), z.coerce.string());

const alertSchema = z.object({
  status: z.enum(['firing', 'resolved']),
  labels: texts.nullish().transform((labels) => labels ?? {}),
  annotations: texts.nullish().transform((annotations) => annotations ?? {}),
  startsAt: z.string().min(1),
  endsAt: z.string().nullish(),
  generatorURL: z.string().nullish(),
  dashboardURL: z.string().nullish(),
  ruleUID: z.string().nullish(),
  fingerprint: z.string().min(1),
});
type SentAlert = z.infer<typeof alertSchema>;

/** Alertmanager writes version 4, Grafana version 1; either may add fields. */
const payloadSchema = z.object({
  version: z.enum(['1', '4']),
  groupKey: z.string(),
  alerts: z.array(z.unknown()),
  truncatedAlerts: z.number().int().nonnegative().catch(0),
});

const LOST_SIGNALS = ['DatasourceNoData', 'DatasourceError'];
const STATE_REASON = 'grafana_state_reason';

/**
 * Reads a body, each alert by its own status.
 *
 * @returns null if it has another shape, as a custom template makes it
 */
export function readAlertmanager(payload: unknown): ReadPayload | null {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) return null;
  const { version, alerts, truncatedAlerts } = parsed.data;
  const isGrafana = version === '1';
  const sent = alerts.flatMap((alert) => alertSchema.safeParse(alert).data ?? []);
  const skipped = alerts.length - sent.length;
  const real = isGrafana ? sent.filter((alert) => !isTest(alert)) : sent;
  if (real.length === 0) {
    if (sent.length > 0) return { kind: 'test_received' };
    return { kind: 'unparsed', reason: 'unknown_shape' };
  }
  const read = real.map((alert) => (isGrafana ? readGrafanaAlert(alert) : readAlert(alert)));
  return { kind: 'alerts', signals: read, skipped, truncated: truncatedAlerts };
}

/** What Grafana's button Test sends. */
function isTest({ labels }: SentAlert): boolean {
  return labels.alertname === 'TestAlert' && labels.instance === 'Grafana';
}

function readAlert(alert: SentAlert): IncomingSignal {
  const { labels, annotations, startsAt, status } = alert;
  const services = [labels.service, labels.job, labels.namespace];
  return {
    fingerprint: alert.fingerprint,
    startsAt,
    status,
    kind: 'problem',
    severity: severityOf(labels.severity),
    title: annotations.summary || labels.alertname || 'Alert without a name',
    serviceTexts: services.flatMap((text) => (text ? [text] : [])),
    rule: labels.alertname ?? null,
    link: alert.generatorURL || alert.dashboardURL || null,
    labels,
    annotations,
    endsAt: status === 'resolved' ? (alert.endsAt ?? null) : null,
  };
}

/**
 * The same of Grafana. A rule without data fires under another name, and a series that vanished is
 * reported as resolved.
 */
function readGrafanaAlert(alert: SentAlert): IncomingSignal {
  const read = readAlert(alert);
  const { labels, annotations, ruleUID } = alert;
  const isLost = LOST_SIGNALS.includes(labels.alertname ?? '');
  const hasVanished = (annotations[STATE_REASON] ?? '').includes('MissingSeries');
  return {
    ...read,
    kind: isLost ? 'signal_lost' : 'problem',
    status: read.status === 'resolved' && hasVanished ? 'stale' : read.status,
    title: isLost
      ? `No data: ${labels.rulename ?? annotations.summary ?? 'unknown rule'}`
      : read.title,
    rule: ruleUID || (isLost ? labels.rulename : labels.alertname) || null,
  };
}
