/** Every kind of channel. To add one, see "Where new things belong" in CONTRIBUTING.md. */

import { z } from 'zod';
import type { TargetRules } from '@/lib/platform/outbound-http/target-policy';
import { meets, type TargetForm } from './form';
import type { ChannelKind, Installation } from './kind';
import { apprise } from './kinds/apprise';
import { email } from './kinds/email';
import { oncallWebhook } from './kinds/oncall-webhook';
import { opsgenie } from './kinds/opsgenie';
import { pagerduty } from './kinds/pagerduty';
import { slack } from './kinds/slack';

/** In the order of the form. */
const KINDS = [email, slack, pagerduty, opsgenie, oncallWebhook, apprise] as const;
type Kinds = typeof KINDS;

export type ChannelKindName = Kinds[number]['kind'];
export const CHANNEL_KINDS: readonly ChannelKindName[] = KINDS.map(({ kind }) => kind);

type SettingsOf<All extends readonly ChannelKind[]> = {
  [Index in keyof All]: ReturnType<All[Index]['settings']>;
};
type KindSettings = SettingsOf<Kinds>;
export type ChannelSettings = z.infer<KindSettings[number]>;

/** @param rules check the addresses that are entered */
export function channelSettingsSchema(rules: TargetRules) {
  return settingsUnion((kind) => kind.settings(rules)).meta({
    description: 'Where messages go. Stored encrypted.',
  });
}

/** Kept with the settings of a kind that is signed, and never part of what is entered. */
const signingSchema = z.object({
  secret: z.string(),
  /** Signs, too, until `previousUntil`. */
  previous: z.string().nullable(),
  previousUntil: z.iso.datetime().nullable(),
});
export type ChannelSigning = z.infer<typeof signingSchema>;
export type StoredSettings = ChannelSettings & { signing?: ChannelSigning };

/** Stored settings aren't checked against the target rules again when they are read. */
export const storedSettingsSchema: z.ZodType<StoredSettings> = settingsUnion((kind) => {
  const settings = kind.settings({ allowPrivate: true });
  return kind.isSigned ? settings.safeExtend({ signing: signingSchema }) : settings;
});

function settingsUnion(settingsOf: (kind: ChannelKind) => z.ZodObject) {
  return z.discriminatedUnion('kind', KINDS.map(settingsOf) as unknown as KindSettings);
}

/** @throws Error for a kind that doesn't exist: the database stores no other */
export function channelKindOf(kind: string): ChannelKind {
  const found = KINDS.find((each) => each.kind === kind);
  if (!found) throw new Error(`There is no kind of channel ${kind}.`);
  return found;
}

/** Returns whether a channel with these settings receives alerts and no plain notices. */
export function isAlertsOnly(settings: ChannelSettings): boolean {
  return meets(settings, channelKindOf(settings.kind).alertsOnly ?? false);
}

/** Returns the forms of all kinds. */
export function targetForms(installation: Installation): TargetForm[] {
  return KINDS.map((kind: ChannelKind) => ({
    kind: kind.kind,
    name: kind.name,
    fields: kind.fields(installation),
    alertsOnly: kind.alertsOnly ?? false,
    isSigned: kind.isSigned ?? false,
    shownIn: kind.shownIn ?? null,
    isAvailable: kind.isAvailable?.(installation) ?? true,
  }));
}

/** Returns names of all kinds, and other words that they are found by. */
export function channelKindWords(): string {
  return KINDS.map(({ name, words = '' }: ChannelKind) => `${name} ${words}`).join(' ');
}
