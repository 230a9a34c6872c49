/** Alert sources: their kinds and limits, and how they are saved and shown. */

import { z } from 'zod';

/** The senders that Tierwatch reads without a mapping, and any JSON through one. */
export const SOURCE_KINDS = ['alertmanager', 'grafana', 'pagerduty', 'generic'] as const;
export const sourceKindSchema = z.enum(SOURCE_KINDS);
export type SourceKind = z.infer<typeof sourceKindSchema>;

/** Largest body of each kind, in bytes. Larger ones are rejected with 413. */
export const MAX_SIGNAL_BODY_BYTES: Record<SourceKind, number> = {
  alertmanager: 1_048_576,
  grafana: 1_048_576,
  pagerduty: 262_144,
  generic: 524_288,
};

const HOUR_SECONDS = 3_600;

/** Three times the default repeat interval of each kind (4 h), or what senders of events need. */
export const DEFAULT_STALE_SECONDS: Record<SourceKind, number> = {
  alertmanager: 12 * HOUR_SECONDS,
  grafana: 12 * HOUR_SECONDS,
  pagerduty: 72 * HOUR_SECONDS,
  generic: 12 * HOUR_SECONDS,
};

const MAX_PATH = 200;
const MAX_VALUES = 30;
const MAX_SERVICE_NAMES = 200;

const pathSchema = z
  .string()
  .trim()
  .max(MAX_PATH, `A path has at most ${MAX_PATH} characters.`)
  .regex(
    /^(?:[^\s.[\]]+(?:\[\d+\])*)(?:\.[^\s.[\]]+(?:\[\d+\])*)*$/,
    'Enter a path such as payload.summary or events[0].title.',
  );
const valuesSchema = z
  .array(z.string().trim().min(1).max(100))
  .max(MAX_VALUES, `At most ${MAX_VALUES} values.`);

/**
 * Where the fields of an alert are in a JSON body. A path that is left out is looked up under the
 * usual names.
 */
export const mappingSchema = z.object({
  alerts: pathSchema
    .optional()
    .meta({ description: 'Path to a list of alerts, each read by the other paths.' }),
  fingerprint: pathSchema.optional().meta({ description: 'Path to what identifies the alert.' }),
  startedAt: pathSchema.optional().meta({ description: 'Path to the time at which it began.' }),
  status: pathSchema.optional().meta({ description: 'Path to its status.' }),
  title: pathSchema.optional().meta({ description: 'Path to its title.' }),
  severity: pathSchema.optional().meta({ description: 'Path to its severity.' }),
  service: pathSchema.optional().meta({ description: 'Path to the name of the service.' }),
  link: pathSchema.optional().meta({ description: 'Path to a link for people.' }),
  firingValues: valuesSchema
    .optional()
    .meta({ description: 'Values of the status that mean it fires; otherwise the usual ones.' }),
  resolvedValues: valuesSchema
    .optional()
    .meta({ description: 'Values of the status that mean it ended; otherwise the usual ones.' }),
  serviceNames: z
    .record(z.string().max(200), z.string().max(200))
    .refine(
      (names) => Object.keys(names).length <= MAX_SERVICE_NAMES,
      `At most ${MAX_SERVICE_NAMES} names.`,
    )
    .optional()
    .meta({ description: 'The source’s names of services, and the project’s for them.' }),
});
export type Mapping = z.infer<typeof mappingSchema>;

const MAX_SECRETS = 3;

const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(100, 'A name has at most 100 characters.')
  .meta({ description: 'Your own words.' });

const signingSecretsSchema = z
  .array(
    z
      .string()
      .trim()
      .min(8, 'A signing secret has at least 8 characters.')
      .max(500, 'A signing secret has at most 500 characters.'),
  )
  .max(MAX_SECRETS, `At most ${MAX_SECRETS} signing secrets are active.`)
  .meta({
    description:
      'Secrets that the sender signs with; any of them is accepted, and every request has to be signed. Not for Alertmanager, which can’t sign.',
  });

const headerSchema = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9-]{1,100}$/,
    'Enter the name of a header, such as X-Grafana-Alerting-Timestamp.',
  );

const staleSecondsSchema = z
  .number()
  .int()
  .min(60, 'At least 60 seconds.')
  .max(30 * 24 * HOUR_SECONDS, 'At most 30 days.')
  .meta({
    description:
      'Without a message for this long, a firing alert is stale. Use at least three times the sender’s repeat interval.',
  });

const settings = {
  name: nameSchema,
  signingSecrets: signingSecretsSchema,
  signatureHeader: headerSchema.meta({
    description: 'Of Grafana’s signature; `X-Grafana-Alerting-Signature` if omitted.',
  }),
  timestampHeader: headerSchema.meta({
    description:
      'Of Grafana’s timestamp, which it has to send; `X-Grafana-Alerting-Timestamp` if omitted.',
  }),
  mapping: mappingSchema.meta({
    description:
      'Where the fields of an alert are, for JSON that Tierwatch doesn’t know. The mapping replaces the saved one.',
  }),
  staleSeconds: staleSecondsSchema,
};

export const createSignalSourceSchema = z.object({
  project: z.string().meta({ description: 'Id of the project, `prj_…`, or its slug.' }),
  kind: sourceKindSchema.meta({ description: 'What sends the alerts.' }),
  name: settings.name,
  signingSecrets: settings.signingSecrets.default([]),
  signatureHeader: settings.signatureHeader.optional(),
  timestampHeader: settings.timestampHeader.optional(),
  mapping: settings.mapping.default({}),
  staleSeconds: settings.staleSeconds.optional(),
});
export type CreateSignalSourceInput = z.infer<typeof createSignalSourceSchema>;

/** Fields that are left out stay unchanged. */
export const updateSignalSourceSchema = z.object({
  name: settings.name.optional(),
  signingSecrets: settings.signingSecrets.optional(),
  signatureHeader: settings.signatureHeader.optional(),
  timestampHeader: settings.timestampHeader.optional(),
  mapping: settings.mapping.optional(),
  staleSeconds: settings.staleSeconds.optional(),
  isEnabled: z
    .boolean()
    .optional()
    .meta({ description: 'False rejects everything that the source sends.' }),
});
export type UpdateSignalSourceInput = z.infer<typeof updateSignalSourceSchema>;

export const signalSourceDtoSchema = z.object({
  /** `als_…` */
  id: z.string(),
  /** `prj_…` */
  projectId: z.string(),
  kind: sourceKindSchema,
  name: z.string(),
  /** Where the sender posts to. */
  url: z.string(),
  tokenHint: z.string().meta({ description: 'How the token ends, to recognize it by.' }),
  previousTokenUntil: z
    .string()
    .nullable()
    .meta({ description: 'Until when the token before the last rotation is accepted, too.' }),
  signingSecretHints: z
    .array(z.string())
    .meta({ description: 'How each signing secret ends, in the order in which they were set.' }),
  signatureHeader: z.string().nullable(),
  timestampHeader: z.string().nullable(),
  mapping: mappingSchema,
  staleSeconds: z.number().int(),
  createdAt: z.string(),
  disabledAt: z.string().nullable(),
});
export type SignalSourceDto = z.infer<typeof signalSourceDtoSchema>;

/** The result of creating a source or rotating its token, the only times that the token is shown. */
export const signalSourceWithTokenSchema = signalSourceDtoSchema.extend({
  token: z.string().meta({ description: 'What the sender authenticates with. Shown only once.' }),
});
export type SignalSourceWithToken = z.infer<typeof signalSourceWithTokenSchema>;
