import type { z } from 'zod';
import type { WeeklyDraft } from '@/app/_components/deliveries/weekly-fields';
import type {
  ChannelDto,
  createChannelSchema,
  updateChannelSchema,
} from '@/lib/deliveries/channels/schema';
import {
  ALERT_SUBSCRIPTIONS,
  type ChannelKind,
  isAlertsOnlyKind,
  type OncallShape,
  type OpsgenieProduct,
} from '@/lib/deliveries/targets/kinds';

/** A channel as entered in the form. */
export interface ChannelDraft {
  kind: ChannelKind;
  /** Of an existing channel whose target is a secret: another one is entered. */
  isTargetReplaced: boolean;
  name: string;
  /** Separated by commas, spaces or lines. */
  addresses: string;
  /** Of Slack's webhook, or of the on-call webhook. */
  url: string;
  /** PagerDuty's integration key, or the one of Events v2 bodies. */
  routingKey: string;
  /** Empty: the default of the kind. */
  baseUrl: string;
  product: OpsgenieProduct;
  apiKey: string;
  shape: OncallShape;
  /** `Name: value`, one a line. */
  headers: string;
  serverUrl: string;
  /** One a line. */
  urls: string;
  configKey: string;
  tags: string;
  outcomes: readonly string[];
  eventTypes: readonly string[];
  /** `prj_…`; empty: every project. */
  projectId: string;
  /** Null: it has none. */
  quietHours: (WeeklyDraft & { timeZone: string }) | null;
}

type CreateInput = z.input<ReturnType<typeof createChannelSchema>>;
type UpdateInput = z.input<ReturnType<typeof updateChannelSchema>>;

export const NEW_CHANNEL: ChannelDraft = {
  kind: 'email',
  isTargetReplaced: false,
  name: '',
  addresses: '',
  url: '',
  routingKey: '',
  baseUrl: '',
  product: 'jsm',
  apiKey: '',
  shape: 'tierwatch',
  headers: '',
  serverUrl: '',
  urls: '',
  configKey: '',
  tags: '',
  outcomes: ['needs_human', 'failed', 'lost'],
  eventTypes: ['budget.reached', 'runner.offline'],
  projectId: '',
  quietHours: null,
};

/** Contains no secrets: the channel's targets are entered again or kept. */
export function draftOf(channel: ChannelDto): ChannelDraft {
  return {
    ...NEW_CHANNEL,
    kind: channel.kind,
    name: channel.name,
    addresses: channel.kind === 'email' ? channel.target : '',
    shape: channel.kind === 'oncall_webhook' && channel.alertsOnly ? 'events_v2' : 'tierwatch',
    outcomes: channel.outcomes,
    eventTypes: channel.eventTypes,
    projectId: channel.projectId ?? '',
    quietHours: channel.quietHours,
  };
}

/** Returns whether a channel's target is entered in this form, or else stays what it is. */
export function isTargetEntered({ kind, isTargetReplaced }: ChannelDraft, isNew: boolean): boolean {
  return isNew || kind === 'email' || kind === 'apprise' || isTargetReplaced;
}

/** Returns the words of the subscriptions that the draft's target can receive. */
export function receivable<Words extends Readonly<Record<string, string>>>(
  { kind, shape }: Pick<ChannelDraft, 'kind' | 'shape'>,
  words: Words,
): [string, string][] {
  const all = Object.entries(words);
  return isAlertsOnlyKind(kind, shape)
    ? all.filter(([value]) => ALERT_SUBSCRIPTIONS.includes(value))
    : all;
}

/** Returns the input that creates it; the server validates every part again. */
export function createInputOf(draft: ChannelDraft): CreateInput {
  return { ...sharedOf(draft), settings: settingsOf(draft) };
}

/** What changes it. A secret target that isn't entered again stays what it is. */
export function updateInputOf(draft: ChannelDraft): UpdateInput {
  const { kind, serverUrl, urls, configKey, tags } = draft;
  const isKept =
    kind === 'apprise'
      ? [serverUrl, urls, configKey, tags].every((text) => !text.trim())
      : !isTargetEntered(draft, false);
  return isKept ? sharedOf(draft) : createInputOf(draft);
}

function sharedOf(draft: ChannelDraft) {
  const { name, kind, shape, outcomes, eventTypes, projectId, quietHours } = draft;
  const isReceivable = (each: string) =>
    !isAlertsOnlyKind(kind, shape) || ALERT_SUBSCRIPTIONS.includes(each);
  return {
    name,
    outcomes: outcomes.filter(isReceivable) as CreateInput['outcomes'] & string[],
    eventTypes: eventTypes.filter(isReceivable) as CreateInput['eventTypes'] & string[],
    projectId: projectId || null,
    quietHours: quietHours && { ...quietHours, days: [...quietHours.days] },
  };
}

function settingsOf(draft: ChannelDraft): CreateInput['settings'] {
  const { kind, url, baseUrl, routingKey } = draft;
  switch (kind) {
    case 'email':
      return { kind, addresses: draft.addresses.split(/[\s,;]+/).filter(Boolean) };
    case 'slack':
      return { kind, url };
    case 'pagerduty':
      return { kind, routingKey, baseUrl };
    case 'opsgenie':
      return { kind, product: draft.product, apiKey: draft.apiKey, baseUrl };
    case 'oncall_webhook': {
      const key = draft.shape === 'events_v2' ? routingKey : '';
      return { kind, url, shape: draft.shape, routingKey: key, headers: headersOf(draft.headers) };
    }
    case 'apprise': {
      const { serverUrl, urls, configKey, tags } = draft;
      const lines = urls.split(/\s+/).filter(Boolean);
      return { kind, serverUrl, urls: lines, configKey, tags };
    }
  }
}

/** A line without a colon has no value, which the server's answer points out. */
function headersOf(text: string): { name: string; value: string }[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const colon = line.indexOf(':');
      if (colon < 0) return { name: line, value: '' };
      return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
    });
}

/** Errors by control. One of a list belongs to the control that holds the list. */
export function fieldErrors(fields: Readonly<Record<string, string>>) {
  const first = (prefix: string) =>
    Object.entries(fields).find(([path]) => path === prefix || path.startsWith(`${prefix}.`))?.[1];
  return {
    name: first('name'),
    addresses: first('settings.addresses'),
    url: first('settings.url'),
    routingKey: first('settings.routingKey'),
    baseUrl: first('settings.baseUrl'),
    apiKey: first('settings.apiKey'),
    headers: first('settings.headers'),
    serverUrl: first('settings.serverUrl'),
    urls: first('settings.urls'),
    configKey: first('settings.configKey'),
    tags: first('settings.tags'),
    outcomes: first('outcomes') ?? first('eventTypes'),
    projectId: first('projectId'),
    'quietHours-timeZone': first('quietHours.timeZone'),
    'quietHours-days': first('quietHours.days'),
    'quietHours-from': first('quietHours.from'),
    'quietHours-to': first('quietHours.to'),
  };
}
export type ChannelErrors = ReturnType<typeof fieldErrors>;
