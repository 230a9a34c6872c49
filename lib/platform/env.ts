/**
 * The environment of the control plane, parsed once. A bad value stops the start with its name
 * and what is wanted.
 */

import path from 'node:path';
import { z } from 'zod';
import { isNetwork, splitNetworks } from './networks';
import { isVersionEntry, splitVersionList } from './version-list';

const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('false')
  .transform((value) => value === 'true' || value === '1');

const optional = z
  .string()
  .optional()
  .transform((value) => (value === '' ? undefined : value));

/** A whole number within bounds, or the default for an absent or empty value. */
function amount(otherwise: number, least: number, most: number) {
  return z
    .string()
    .optional()
    .transform((value) => (value ? Number(value) : otherwise))
    .pipe(z.int('must be a whole number').min(least).max(most));
}

const MEGABYTE = 1_000_000;

/** Someone who reads metrics has nothing else to guess. */
const MIN_METRICS_TOKEN = 16;

const PLACEHOLDERS = ['changeme', 'change-me', 'secret', 'password', 'placeholder'];

const schema = z
  .object({
    NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: z.string().default('127.0.0.1'),
    TIERWATCH_PUBLIC_URL: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
    TIERWATCH_SIGN_UP: z.enum(['open', 'invite', '']).default(''),
    TIERWATCH_TRUSTED_PROXIES: z
      .string()
      .default('')
      .transform(splitNetworks)
      .refine(
        (entries) => entries.every(isNetwork),
        'must be addresses or networks separated by commas, such as 127.0.0.1 or 10.0.0.0/8',
      ),
    TIERWATCH_MAX_STREAMS_PER_PERSON: amount(20, 1, 100_000),
    TIERWATCH_MAX_STREAMS_PER_ORGANIZATION: amount(500, 1, 100_000),
    TIERWATCH_RUNNER_REQUESTS_PER_MINUTE: amount(1_200, 1, 100_000),
    TIERWATCH_RUNNER_MB_PER_MINUTE: amount(240, 1, 100_000),
    TIERWATCH_DATA_DIR: z.string().default('.data'),
    TIERWATCH_AUDIT_CHECKPOINT_DIR: optional,
    TIERWATCH_AUDIT_CHECKPOINT_URL: optional.pipe(
      z.url({ protocol: /^https?$/, error: 'must be an http(s):// address' }).optional(),
    ),
    TIERWATCH_SECRET_KEY: z
      .string({ error: 'must have at least 32 characters' })
      .min(32, 'must have at least 32 characters')
      .refine(
        (value) => !PLACEHOLDERS.some((word) => value.toLowerCase().startsWith(word)),
        'is a placeholder; create a key with: openssl rand -base64 48',
      ),
    TIERWATCH_APP_DATABASE_URL: z.string().startsWith('postgres', 'wants a postgresql:// address'),
    TIERWATCH_SYSTEM_DATABASE_URL: z
      .string()
      .startsWith('postgres', 'wants a postgresql:// address'),
    REDIS_URL: optional.pipe(z.string().startsWith('redis').optional()),
    TIERWATCH_RUNNER_QUEUE_PASSWORD: optional,
    CLAUDEOPS_RESUME_CONTEXT_THRESHOLD: z
      .string()
      .optional()
      .transform((value) => (value ? Number(value) : undefined))
      .refine(
        (value) => value === undefined || (value > 0 && value <= 1),
        'must be a number above 0 and at most 1, such as 0.70',
      ),
    CLAUDEOPS_DRY_RUN: flag,
    TIERWATCH_DENIED_CLI_VERSIONS: z
      .string()
      .default('')
      .transform(splitVersionList)
      .refine(
        (entries) => entries.every(isVersionEntry),
        'must be versions separated by commas, such as 2.1.197 or <2.1.330',
      ),
    TIERWATCH_SEAL_MAX_MB: amount(16, 0, 64),
    TIERWATCH_SEAL_HOURS: amount(72, 1, 72),
    TIERWATCH_SEAL_ORGANIZATION_MB: amount(1_000, 1, 1_000_000),
    TIERWATCH_S3_BUCKET: optional,
    TIERWATCH_S3_ENDPOINT: optional.pipe(
      z.url({ protocol: /^https?$/, error: 'must be an http(s):// address' }).optional(),
    ),
    TIERWATCH_S3_REGION: z.string().default(''),
    TIERWATCH_S3_ACCESS_KEY_ID: optional,
    TIERWATCH_S3_SECRET_ACCESS_KEY: optional,
    TIERWATCH_S3_PREFIX: z
      .string()
      .default('')
      .refine((value) => /^[\w./-]*$/.test(value), 'may have letters, digits and _ . / - only'),
    TIERWATCH_S3_PATH_STYLE: z.enum(['true', 'false', '']).default(''),
    TIERWATCH_ALLOW_PRIVATE_TARGETS: flag,
    TIERWATCH_METRICS_TOKEN: optional.pipe(
      z
        .string()
        .min(MIN_METRICS_TOKEN, `must have at least ${MIN_METRICS_TOKEN} characters`)
        .optional(),
    ),
    TIERWATCH_METRICS_PORT: amount(0, 0, 65_535),
    TIERWATCH_METRICS_HOST: z
      .string()
      .default('')
      .transform((value) => value || '127.0.0.1'),
    TIERWATCH_METRICS_PROJECT_LABEL: flag,
    TIERWATCH_OPERATOR_EMAIL: optional.pipe(z.email('must be an e-mail address').optional()),
    TIERWATCH_WATCHDOG_URL: optional.pipe(
      z.url({ protocol: /^https?$/, error: 'must be an http(s):// address' }).optional(),
    ),
    TIERWATCH_WATCHDOG_SECONDS: amount(60, 5, 3_600),
    NEXT_MANUAL_SIG_HANDLE: z.string().default('').transform(Boolean),
    OTEL_EXPORTER_OTLP_ENDPOINT: optional.pipe(
      z.url({ protocol: /^https?$/, error: 'must be an http(s):// address' }).optional(),
    ),
    OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', ''], 'must be http/protobuf').default(''),
    OTEL_SDK_DISABLED: z.string().default(''),
    OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none', ''], 'must be otlp or none').default(''),
    OTEL_METRIC_EXPORT_INTERVAL: amount(60_000, 1_000, 3_600_000),
    OTEL_METRICS_EXPORTER: z.enum(['otlp', 'none', ''], 'must be otlp or none').default(''),
    SMTP_URL: optional.pipe(
      z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
    ),
    TIERWATCH_MAIL_FROM: optional.pipe(z.email('must be an e-mail address').optional()),
    APPRISE_URL: optional.pipe(
      z
        .url({
          protocol: /^https?$/,
          error: 'must be the http(s):// address of an Apprise API server',
        })
        .optional(),
    ),
    AUTH_GITHUB_ID: optional,
    AUTH_GITHUB_SECRET: optional,
    AUTH_GOOGLE_ID: optional,
    AUTH_GOOGLE_SECRET: optional,
    AUTH_OIDC_ISSUER: optional,
    AUTH_OIDC_ID: optional,
    AUTH_OIDC_SECRET: optional,
    AUTH_OIDC_NAME: optional,
  })
  .refine(
    (value) =>
      !value.TIERWATCH_S3_BUCKET ||
      (value.TIERWATCH_S3_ACCESS_KEY_ID && value.TIERWATCH_S3_SECRET_ACCESS_KEY),
    {
      path: ['TIERWATCH_S3_BUCKET'],
      error: 'needs TIERWATCH_S3_ACCESS_KEY_ID and TIERWATCH_S3_SECRET_ACCESS_KEY',
    },
  )
  .refine(
    (value) => value.TIERWATCH_METRICS_TOKEN || isLoopbackName(value.TIERWATCH_METRICS_HOST),
    {
      path: ['TIERWATCH_METRICS_HOST'],
      error: 'needs TIERWATCH_METRICS_TOKEN, since others than this machine could read the metrics',
    },
  )
  .refine((value) => !value.TIERWATCH_OPERATOR_EMAIL || value.SMTP_URL, {
    path: ['TIERWATCH_OPERATOR_EMAIL'],
    error: 'needs SMTP_URL, since problems of the installation are sent there by e-mail',
  })
  .transform((value) => ({
    nodeEnv: value.NODE_ENV,
    port: value.PORT,
    host: value.HOST,
    publicUrl: value.TIERWATCH_PUBLIC_URL ?? `http://${value.HOST}:${value.PORT}`,
    isLoopbackOnly: isLoopbackName(value.HOST),
    signUp: value.TIERWATCH_SIGN_UP,
    /** Addresses and networks whose `X-Forwarded-For` counts. */
    trustedProxies: value.TIERWATCH_TRUSTED_PROXIES,
    /** Live streams that one web process keeps open at once. */
    maxStreamsPerPerson: value.TIERWATCH_MAX_STREAMS_PER_PERSON,
    maxStreamsPerOrganization: value.TIERWATCH_MAX_STREAMS_PER_ORGANIZATION,
    /** Of one runner at one web process; requests to each path. */
    runnerRequestsPerMinute: value.TIERWATCH_RUNNER_REQUESTS_PER_MINUTE,
    runnerBytesPerMinute: value.TIERWATCH_RUNNER_MB_PER_MINUTE * MEGABYTE,
    dataDir: value.TIERWATCH_DATA_DIR,
    /** Signed anchors of the audit logs: a file per organization, and who gets a copy of each. */
    auditAnchorDir:
      value.TIERWATCH_AUDIT_CHECKPOINT_DIR ??
      path.join(value.TIERWATCH_DATA_DIR, 'audit-checkpoints'),
    auditAnchorUrl: value.TIERWATCH_AUDIT_CHECKPOINT_URL ?? null,
    secretKey: value.TIERWATCH_SECRET_KEY,
    appDatabaseUrl: value.TIERWATCH_APP_DATABASE_URL,
    systemDatabaseUrl: value.TIERWATCH_SYSTEM_DATABASE_URL,
    redisUrl: value.REDIS_URL,
    /** Of the runners' login; without it, the password is made from the secret key. */
    runnerQueuePassword: value.TIERWATCH_RUNNER_QUEUE_PASSWORD,
    /** Overrides every project's threshold; null: each project's own. */
    resumeContextThreshold: value.CLAUDEOPS_RESUME_CONTEXT_THRESHOLD ?? null,
    isDryRunForced: value.CLAUDEOPS_DRY_RUN,
    /** Versions of the agent's CLI that start nowhere: see `version-list.ts`. */
    deniedCliVersions: value.TIERWATCH_DENIED_CLI_VERSIONS,
    /** What is kept of conversations: see `lib/engine/seals`. `maxBytes` is 0 where none are. */
    seals: {
      maxBytes: value.TIERWATCH_SEAL_MAX_MB * MEGABYTE,
      hours: value.TIERWATCH_SEAL_HOURS,
      organizationBytes: value.TIERWATCH_SEAL_ORGANIZATION_MB * MEGABYTE,
    },
    /** The bucket of sealed conversations; null: they are kept in the database. */
    s3:
      value.TIERWATCH_S3_BUCKET &&
      value.TIERWATCH_S3_ACCESS_KEY_ID &&
      value.TIERWATCH_S3_SECRET_ACCESS_KEY
        ? {
            endpoint: value.TIERWATCH_S3_ENDPOINT ?? null,
            region: value.TIERWATCH_S3_REGION || 'us-east-1',
            bucket: value.TIERWATCH_S3_BUCKET,
            accessKeyId: value.TIERWATCH_S3_ACCESS_KEY_ID,
            secretAccessKey: value.TIERWATCH_S3_SECRET_ACCESS_KEY,
            prefix: value.TIERWATCH_S3_PREFIX,
            isPathStyle: value.TIERWATCH_S3_PATH_STYLE
              ? value.TIERWATCH_S3_PATH_STYLE === 'true'
              : value.TIERWATCH_S3_ENDPOINT !== undefined,
          }
        : null,
    allowPrivateTargets: value.TIERWATCH_ALLOW_PRIVATE_TARGETS,
    metrics: {
      /** Without one, only this machine reads them. */
      token: value.TIERWATCH_METRICS_TOKEN ?? null,
      /** Where the worker serves its own; `port` 0: nowhere. */
      host: value.TIERWATCH_METRICS_HOST,
      port: value.TIERWATCH_METRICS_PORT,
      hasProjectLabel: value.TIERWATCH_METRICS_PROJECT_LABEL,
    },
    /** Gets a message about each problem of the installation; null: nobody does. */
    operatorEmail: value.TIERWATCH_OPERATOR_EMAIL ?? null,
    /** Requested while all is well; null: none. A secret: whoever knows it can send requests, too. */
    watchdogUrl: value.TIERWATCH_WATCHDOG_URL ?? null,
    /** How often, in seconds. */
    watchdogSeconds: value.TIERWATCH_WATCHDOG_SECONDS,
    /** Next leaves the end of the web process to us: see `closing.ts`. */
    handlesSignals: value.NEXT_MANUAL_SIG_HANDLE,
    /** Null: nothing is exported. The exporters read the rest of the OTEL_ variables themselves. */
    openTelemetry:
      value.OTEL_EXPORTER_OTLP_ENDPOINT && value.OTEL_SDK_DISABLED.toLowerCase() !== 'true'
        ? {
            exportsTraces: value.OTEL_TRACES_EXPORTER !== 'none',
            exportsMetrics: value.OTEL_METRICS_EXPORTER !== 'none',
            metricsEveryMs: value.OTEL_METRIC_EXPORT_INTERVAL,
          }
        : null,
    /** `smtp://user:password@host:587`, or null: links are shown instead of sent. */
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom: value.TIERWATCH_MAIL_FROM ?? null,
    /** For channels that name no Apprise API server of their own. */
    appriseUrl: value.APPRISE_URL ?? null,
    github: pair(value.AUTH_GITHUB_ID, value.AUTH_GITHUB_SECRET),
    google: pair(value.AUTH_GOOGLE_ID, value.AUTH_GOOGLE_SECRET),
    oidc:
      value.AUTH_OIDC_ISSUER && value.AUTH_OIDC_ID && value.AUTH_OIDC_SECRET
        ? {
            issuer: value.AUTH_OIDC_ISSUER,
            clientId: value.AUTH_OIDC_ID,
            clientSecret: value.AUTH_OIDC_SECRET,
            name: value.AUTH_OIDC_NAME ?? 'Single sign-on',
          }
        : null,
  }));

function isLoopbackName(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1'].includes(host);
}

function pair(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}

type Env = z.infer<typeof schema>;

/** Throws an Error whose message lists every bad variable, one a line. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const parsed = schema.safeParse(source);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The environment is not valid:\n${lines.join('\n')}`);
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchEnv?: Env };

/** Parsed at first use, so that `next build` needs no environment. */
export function env(): Env {
  held.tierwatchEnv ??= parseEnv(process.env);
  return held.tierwatchEnv;
}
