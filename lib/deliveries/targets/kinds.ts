/** The kinds of channels and their choices, without imports, so that forms can use them. */

export const CHANNEL_KINDS = [
  'email',
  'slack',
  'pagerduty',
  'opsgenie',
  'oncall_webhook',
  'apprise',
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export const CHANNEL_KIND_NAMES: Record<ChannelKind, string> = {
  email: 'E-mail',
  slack: 'Slack',
  pagerduty: 'PagerDuty',
  opsgenie: 'Opsgenie / JSM',
  oncall_webhook: 'On-call webhook',
  apprise: 'Apprise',
};

export const PAGERDUTY_URL = 'https://events.pagerduty.com';

/** Jira Service Management has the API of Opsgenie at another address. */
export const OPSGENIE_PRODUCTS = ['jsm', 'opsgenie'] as const;
export type OpsgenieProduct = (typeof OPSGENIE_PRODUCTS)[number];

export const OPSGENIE_PRODUCT_NAMES: Record<OpsgenieProduct, string> = {
  jsm: 'Jira Service Management',
  opsgenie: 'Opsgenie',
};

/** Where each product's API begins, unless a channel names another address. */
export const OPSGENIE_URLS: Record<OpsgenieProduct, string> = {
  jsm: 'https://api.atlassian.com/jsm/ops/integration',
  opsgenie: 'https://api.opsgenie.com',
};
/** Atlassian ends Opsgenie and its API on this day. */
export const OPSGENIE_END_DATE = '2027-04-05';

/** How an on-call webhook's JSON is laid out. */
export const ONCALL_SHAPES = ['tierwatch', 'events_v2'] as const;
export type OncallShape = (typeof ONCALL_SHAPES)[number];

/**
 * Returns whether a channel receives alerts and no plain notices: on-call services page people, and
 * their APIs have nothing else.
 *
 * @param shape only matters for an on-call webhook
 */
export function isAlertsOnlyKind(kind: ChannelKind, shape: OncallShape): boolean {
  if (kind === 'oncall_webhook') return shape === 'events_v2';
  return kind === 'pagerduty' || kind === 'opsgenie';
}

/**
 * The outcomes and events that lead to an alert (lib/deliveries/alert.ts): all that a channel which
 * only receives alerts can subscribe to.
 */
export const ALERT_SUBSCRIPTIONS: readonly string[] = [
  'needs_human',
  'incident.opened',
  'incident.needs_human',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reopened',
];
