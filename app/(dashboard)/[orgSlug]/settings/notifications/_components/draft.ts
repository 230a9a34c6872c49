import type { z } from 'zod';
import type { WeeklyDraft } from '@/app/_components/deliveries/weekly-fields';
import {
  ALERT_SUBSCRIPTIONS,
  type Entered,
  meets,
  settingsOf,
  type TargetForm,
  valuesOf,
} from '@/lib/deliveries/channels/form';
import type {
  ChannelDto,
  createChannelSchema,
  updateChannelSchema,
} from '@/lib/deliveries/channels/schema';

/** A channel as entered in the form. */
export interface ChannelDraft {
  kind: string;
  /** Of an existing channel whose target is a secret: another one is entered. */
  isTargetReplaced: boolean;
  name: string;
  /** Of the target, by the names of the kind's fields. */
  entered: Entered;
  outcomes: readonly string[];
  eventTypes: readonly string[];
  /** `prj_…`; empty: every project. */
  projectId: string;
  /** Null: it has none. */
  quietHours: (WeeklyDraft & { timeZone: string }) | null;
}

type CreateInput = z.input<ReturnType<typeof createChannelSchema>>;
type UpdateInput = z.input<ReturnType<typeof updateChannelSchema>>;

export function newDraft(kind: string): ChannelDraft {
  return {
    kind,
    isTargetReplaced: false,
    name: '',
    entered: {},
    outcomes: ['needs_human', 'failed', 'lost'],
    eventTypes: ['budget.reached', 'runner.offline'],
    projectId: '',
    quietHours: null,
  };
}

/** Contains no secrets: the channel's targets are entered again or kept. */
export function draftOf(channel: ChannelDto, { shownIn, alertsOnly }: TargetForm): ChannelDraft {
  return {
    ...newDraft(channel.kind),
    name: channel.name,
    entered: {
      ...(shownIn ? { [shownIn]: channel.target } : {}),
      ...(channel.alertsOnly && typeof alertsOnly === 'object' ? alertsOnly : {}),
    },
    outcomes: channel.outcomes,
    eventTypes: channel.eventTypes,
    projectId: channel.projectId ?? '',
    quietHours: channel.quietHours,
  };
}

export function isAlertsOnly(draft: ChannelDraft, form: TargetForm): boolean {
  return meets(valuesOf(form, draft.entered), form.alertsOnly);
}

/** Returns the words of the subscriptions that the draft's target can receive. */
export function receivable<Words extends Readonly<Record<string, string>>>(
  draft: ChannelDraft,
  form: TargetForm,
  words: Words,
): [string, string][] {
  const all = Object.entries(words);
  return isAlertsOnly(draft, form)
    ? all.filter(([value]) => ALERT_SUBSCRIPTIONS.includes(value))
    : all;
}

/** Returns the input that creates it; the server validates every part again. */
export function createInputOf(draft: ChannelDraft, form: TargetForm): CreateInput {
  const settings = settingsOf(form, draft.entered) as unknown as CreateInput['settings'];
  return { ...sharedOf(draft, form), settings };
}

/** What changes it. A secret target that isn't entered again stays what it is. */
export function updateInputOf(draft: ChannelDraft, form: TargetForm): UpdateInput {
  return form.shownIn || draft.isTargetReplaced
    ? createInputOf(draft, form)
    : sharedOf(draft, form);
}

function sharedOf(draft: ChannelDraft, form: TargetForm) {
  const { name, outcomes, eventTypes, projectId, quietHours } = draft;
  const isReceivable = (each: string) =>
    !isAlertsOnly(draft, form) || ALERT_SUBSCRIPTIONS.includes(each);
  return {
    name,
    outcomes: outcomes.filter(isReceivable) as CreateInput['outcomes'] & string[],
    eventTypes: eventTypes.filter(isReceivable) as CreateInput['eventTypes'] & string[],
    projectId: projectId || null,
    quietHours: quietHours && { ...quietHours, days: [...quietHours.days] },
  };
}

export type ChannelErrors = Readonly<Record<string, string>>;

/** Errors by control. One of a list belongs to the control that holds the list. */
export function fieldErrors(fields: Readonly<Record<string, string>>): ChannelErrors {
  const errors: Record<string, string> = {};
  for (const [path, message] of Object.entries(fields)) {
    const [group = '', field] = path.split('.');
    const isGroup = group === 'settings' || group === 'quietHours';
    const control = isGroup ? `${group}-${field}` : group === 'eventTypes' ? 'outcomes' : group;
    errors[control] ??= message;
  }
  return errors;
}
