/** What to enter in the sender, by kind. Pure. */

import type { SignalSourceDto } from './source-schema';

interface SetUp {
  /** What it is, for the copy button and above the text. */
  label: string;
  text: string;
}

type Source = Pick<SignalSourceDto, 'kind' | 'url' | 'timestampHeader'> & {
  signingSecretHints: readonly string[];
};

const TOKEN = '<the token>';

/** Returns the configuration of the sender. It never contains the token, which is shown once. */
export function setUpText(source: Source): SetUp {
  switch (source.kind) {
    case 'alertmanager':
      return { label: 'alertmanager.yml', text: alertmanager(source) };
    case 'grafana':
      return { label: 'contact point', text: grafana(source) };
    case 'pagerduty':
      return { label: 'webhook subscription', text: pagerduty(source) };
    case 'generic':
      return { label: 'request', text: generic(source) };
  }
}

function alertmanager({ url }: Source): string {
  return [
    'receivers:',
    '  - name: tierwatch',
    '    webhook_configs:',
    `      - url: ${url}`,
    '        send_resolved: true',
    '        max_alerts: 0',
    '        http_config:',
    '          authorization:',
    '            type: Bearer',
    '            credentials_file: /etc/alertmanager/tierwatch-token',
    'route:',
    '  receiver: tierwatch',
    '  group_by: [alertname, service]',
    '  repeat_interval: 4h',
  ].join('\n');
}

function grafana({ url, signingSecretHints, timestampHeader }: Source): string {
  const signed = [
    'HMAC signature: the signing secret',
    `Timestamp header: ${timestampHeader ?? ''}`,
  ];
  const token = [
    'Authorization header scheme: Bearer',
    `Authorization header credentials: ${TOKEN}`,
  ];
  return [
    'Integration: Webhook',
    `URL: ${url}`,
    'HTTP method: POST',
    ...(signingSecretHints.length > 0 ? signed : token),
    'Disable resolved message: off',
  ].join('\n');
}

function pagerduty({ url, signingSecretHints }: Source): string {
  return [
    'Integrations > Generic Webhooks (v3) > New Webhook',
    `Webhook URL: ${url}`,
    'Scope type: Service',
    'Events: incident.triggered, acknowledged, unacknowledged, escalated, reopened, resolved',
    signingSecretHints.length > 0
      ? 'Authentication: by signature; no custom header is needed'
      : `Custom header: Authorization = Bearer ${TOKEN}`,
  ].join('\n');
}

function generic({ url, signingSecretHints }: Source): string {
  const body =
    '{"id": "disk-web-1", "status": "firing", "title": "Disk of web-1 is full", "severity": "critical", "service": "web"}';
  if (signingSecretHints.length > 0) {
    return [`POST ${url}`, 'Signed by Standard Webhooks, such as:', body].join('\n');
  }
  return [
    `curl ${url} \\`,
    `  -H 'Authorization: Bearer ${TOKEN}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n');
}
