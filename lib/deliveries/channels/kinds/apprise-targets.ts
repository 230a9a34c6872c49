/**
 * Where an Apprise server would send to. It resolves names itself, so an address that is checked here
 * proves nothing about the one that it dials: what the operator's server may be given has to be safe
 * by its form. See `NotifyBase.templates` of each service in https://github.com/caronc/apprise.
 */
import { classifyAddress, type TargetRules } from '@/lib/platform/outbound-http/target-policy';

/** Services that Apprise reaches at hosts of its own knowledge. None takes a host from the URL. */
const VENDOR_SERVICES = new Set([
  ...['slack', 'discord', 'guilded', 'gchat', 'wxteams', 'tgram', 'line', 'flock', 'feishu'],
  ...['dingtalk', 'pagerduty', 'opsgenie', 'pagertree', 'signl4', 'twilio'],
  ...['pover', 'pbul', 'prowl', 'simplepush', 'join', 'ifttt'],
]);
/** Addresses that vendors show for copying; Apprise takes them as they are. */
const VENDOR_HOSTS = ['hooks.slack.com', 'discord.com', 'discordapp.com', 'chat.googleapis.com'];
/** Microsoft Teams: its host is the customer's, below these names. */
const VENDOR_DOMAINS = ['.webhook.office.com', '.logic.azure.com', '.api.powerplatform.com'];

/** `service://user:password@host:port/…`. Stricter than Apprise: what reads in two ways is refused. */
const HOST =
  /^[a-z0-9]+:\/\/(?:[^\s/?#@\\]*@)?([a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(:\d+)?(?:[/?][^\s\\#@]*)?$/i;

const UNREADABLE =
  'An Apprise URL can’t be read. Enter one URL per line, such as slack://token/channel.';

export type AppriseTarget =
  /** `host` has to resolve to an allowed address; null if it is the vendor's. */
  { ok: true; host: string | null } | { ok: false; message: string };

/**
 * Checks an Apprise URL for the operator's server. Without private targets, only services at public
 * hosts of their vendors are allowed; with them, every host but metadata services.
 */
export function checkAppriseTarget(text: string, rules: TargetRules): AppriseTarget {
  const name = /^([a-z][a-z0-9]*):\/\/\S+$/i.exec(text)?.[1]?.toLowerCase();
  // Apprise splits its list of URLs wherever another one begins.
  if (!name || text.indexOf('://') !== text.lastIndexOf('://')) return refusal(UNREADABLE);
  if (VENDOR_SERVICES.has(name)) return { ok: true, host: null };
  const [, host = '', port] = HOST.exec(text) ?? [];
  const isWeb = ['https', 'workflow', 'workflows'].includes(name);
  if (isWeb && (!port || port === ':443') && isVendorHost(host)) return { ok: true, host: null };
  if (!rules.allowPrivate) {
    return refusal(
      `${name}:// sends to any host, so this installation’s Apprise server isn’t available for it. Use a webhook, or enter an Apprise server of your own.`,
    );
  }
  if (!host) return refusal(UNREADABLE);
  const address = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (!address || (/^[\d.]+$|:/.test(address) && classifyAddress(address) === 'metadata')) {
    return refusal(`${host} is a metadata address. Messages there are refused.`);
  }
  return { ok: true, host: address };
}

function isVendorHost(host: string): boolean {
  const name = host.toLowerCase();
  return VENDOR_HOSTS.includes(name) || VENDOR_DOMAINS.some((domain) => name.endsWith(domain));
}

/**
 * Whether a server that a tenant entered is the operator's own: its stored configurations belong to
 * others, and it may have access to the operator's internal network.
 */
export function isOperatorsServer(serverUrl: string, operatorsUrl: string | null): boolean {
  const place = (text: string) => {
    const { hostname, port, protocol } = new URL(text);
    const name = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname) ? 'loopback' : hostname;
    return `${name.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
  };
  return operatorsUrl !== null && place(serverUrl) === place(operatorsUrl);
}

/**
 * Why the operator's server may not be asked for these settings; null if it may. Its stored
 * configurations belong to the operator and to other tenants.
 */
export function operatorsRefusal(
  { urls, configKey }: { urls: readonly string[]; configKey: string | null },
  rules: TargetRules,
): { field: 'urls' | 'configKey'; message: string } | null {
  if (configKey !== null) {
    const message =
      'Configurations of this installation’s Apprise server belong to its operator. Enter Apprise URLs, or an Apprise server of your own.';
    return { field: 'configKey', message };
  }
  for (const url of urls) {
    const target = checkAppriseTarget(url, rules);
    if (!target.ok) return { field: 'urls', message: target.message };
  }
  return null;
}

function refusal(message: string): AppriseTarget {
  return { ok: false, message };
}
