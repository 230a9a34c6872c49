import type { z } from 'zod';
import type {
  ChannelDto,
  createChannelSchema,
  updateChannelSchema,
} from '@/lib/deliveries/channels/schema';

/** A channel as entered in the form. */
export interface ChannelDraft {
  kind: 'email' | 'apprise';
  name: string;
  /** Separated by commas, spaces or lines. */
  addresses: string;
  serverUrl: string;
  /** One a line. */
  urls: string;
  configKey: string;
  tags: string;
  outcomes: readonly string[];
  eventTypes: readonly string[];
  /** `prj_…`; empty: every project. */
  projectId: string;
}

type CreateInput = z.input<ReturnType<typeof createChannelSchema>>;
type UpdateInput = z.input<ReturnType<typeof updateChannelSchema>>;

export const NEW_CHANNEL: ChannelDraft = {
  kind: 'email',
  name: '',
  addresses: '',
  serverUrl: '',
  urls: '',
  configKey: '',
  tags: '',
  outcomes: ['needs_human', 'failed', 'lost'],
  eventTypes: ['budget.reached', 'runner.offline'],
  projectId: '',
};

/** Contains no secrets: the channel's targets are entered again or kept. */
export function draftOf(channel: ChannelDto): ChannelDraft {
  return {
    ...NEW_CHANNEL,
    kind: channel.kind,
    name: channel.name,
    addresses: channel.kind === 'email' ? channel.target : '',
    outcomes: channel.outcomes,
    eventTypes: channel.eventTypes,
    projectId: channel.projectId ?? '',
  };
}

/** Returns the input that creates it; the server validates every part again. */
export function createInputOf(draft: ChannelDraft): CreateInput {
  return { ...sharedOf(draft), settings: settingsOf(draft) };
}

/** What changes it. An Apprise channel whose target is left empty keeps the one it has. */
export function updateInputOf(draft: ChannelDraft): UpdateInput {
  const { kind, serverUrl, urls, configKey, tags } = draft;
  const isKept =
    kind === 'apprise' && [serverUrl, urls, configKey, tags].every((text) => !text.trim());
  return isKept ? sharedOf(draft) : createInputOf(draft);
}

function sharedOf({ name, outcomes, eventTypes, projectId }: ChannelDraft) {
  return {
    name,
    outcomes: outcomes as CreateInput['outcomes'] & string[],
    eventTypes: eventTypes as CreateInput['eventTypes'] & string[],
    projectId: projectId || null,
  };
}

function settingsOf(draft: ChannelDraft): CreateInput['settings'] {
  if (draft.kind === 'email') {
    return { kind: 'email', addresses: draft.addresses.split(/[\s,;]+/).filter(Boolean) };
  }
  const { serverUrl, urls, configKey, tags } = draft;
  const lines = urls.split(/\s+/).filter(Boolean);
  return { kind: 'apprise', serverUrl, urls: lines, configKey, tags };
}

/** Errors by control. One of a list belongs to the control that holds the list. */
export function fieldErrors(fields: Readonly<Record<string, string>>) {
  const first = (prefix: string) =>
    Object.entries(fields).find(([path]) => path === prefix || path.startsWith(`${prefix}.`))?.[1];
  return {
    name: first('name'),
    addresses: first('settings.addresses'),
    serverUrl: first('settings.serverUrl'),
    urls: first('settings.urls'),
    configKey: first('settings.configKey'),
    tags: first('settings.tags'),
    outcomes: first('outcomes') ?? first('eventTypes'),
    projectId: first('projectId'),
  };
}
export type ChannelErrors = ReturnType<typeof fieldErrors>;
