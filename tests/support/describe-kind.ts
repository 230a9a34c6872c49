import { describe, expect, it } from 'vitest';
import { settingsOf } from '@/lib/deliveries/channels/form';
import type { Installation, Senders } from '@/lib/deliveries/channels/kind';
import {
  type ChannelKindName,
  channelKindOf,
  channelSettingsSchema,
} from '@/lib/deliveries/channels/registry';
import { createChannelSchema } from '@/lib/deliveries/channels/schema';
import type { Message } from '@/lib/deliveries/message';
import type { DeliveryRecord } from '@/lib/deliveries/outbox/data';
import type { OutboundRequest } from '@/lib/platform/outbound-http/client';

export const INSTALLATION: Installation = {
  ...{ smtpUrl: null, appriseUrl: null, allowPrivateTargets: false },
  publicUrl: 'https://ops.example',
};

interface KindCases {
  /** Settings as they are sent, without `kind`, and as they are kept. */
  accepted: readonly (readonly [input: object, kept: object])[];
  /** Settings that are refused, the path of the issue, and a part of its message. */
  refused: readonly (readonly [input: object, path: string, message: string])[];
  /** Settings as they are kept, and how their target is shown. */
  shown: readonly (readonly [kept: object, target: string])[];
  /** Texts of the form, and the settings that they are kept as. */
  entered: readonly (readonly [texts: Record<string, string>, kept: object])[];
  /** Settings of channels that receive alerts only, and of those that also receive notices. */
  alertsOnly?: readonly object[];
  notices?: readonly object[];
}

/** Tests what a kind of channel says about its settings. */
export function describeKind(kind: ChannelKindName, cases: KindCases): void {
  const rules = { allowPrivate: false };
  const schema = channelSettingsSchema(rules);
  const definition = channelKindOf(kind);

  describe(`[INC-2.2] settings of ${kind}`, () => {
    it.each(cases.accepted)('%j are accepted', (input, kept) => {
      expect(schema.parse({ kind, ...input })).toEqual({ kind, ...kept });
    });

    it.each(cases.refused)('%j are refused at %s: %s', (input, path, message) => {
      const issue = schema.safeParse({ kind, ...input }).error?.issues[0];
      expect(issue?.path.join('.')).toBe(path);
      expect(issue?.message).toContain(message);
    });

    it.each(cases.shown)('%j are shown as %s, without secrets', (kept, target) => {
      expect(definition.target({ kind, ...kept })).toBe(target);
    });

    it.each(cases.entered)('are kept as entered in the form: %j', (texts, kept) => {
      const form = { kind, fields: definition.fields(INSTALLATION) };
      expect(schema.parse(settingsOf(form, texts))).toEqual({ kind, ...kept });
    });

    it.each([
      ...(cases.alertsOnly ?? []).map((input) => [input, ['needs_human']] as const),
      ...(cases.notices ?? []).map((input) => [input, ['needs_human', 'failed', 'lost']] as const),
    ])('%j are subscribed to %j at first', (input, outcomes) => {
      const channel = { name: 'On call', settings: { kind, ...input } };
      expect(createChannelSchema(rules).parse(channel).outcomes).toEqual(outcomes);
    });
  });
}

/** Returns the first request of a message, and its headers as the log shows them. */
export async function requestOf(
  settings: { kind: string } & Record<string, unknown>,
  message: Message,
) {
  const requests: OutboundRequest[] = [];
  const client: Senders['http'] = {
    async request(request) {
      requests.push(request);
      const answer = { headers: {}, bodyText: '', isBodyTruncated: false, durationMs: 1 };
      return { ok: true, status: 202, address: '', ...answer };
    },
  };
  const createdAt = new Date('2026-11-23T09:00:12.431Z');
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const delivery = { id, createdAt, eventType: 'incident.opened' } as DeliveryRecord;
  const using = { http: client, trustedHttp: client, mailer: null };
  const sign = () => ({ 'webhook-signature': 'signed' });
  const outgoing = {
    ...{ using, installation: INSTALLATION, delivery, message },
    ...{ channelName: 'Ops', sign },
  };
  const prepared = channelKindOf(settings.kind).prepare(outgoing, settings);
  if (prepared.kind !== 'ready') throw new Error(prepared.kind);
  await prepared.send();
  const [{ url, headers, body = '' }] = requests as [OutboundRequest];
  return { url, headers, body, logged: prepared.headers };
}
