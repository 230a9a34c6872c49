import { expect, it } from 'vitest';
import { parseEnv } from './env';

const REQUIRED = {
  TIERWATCH_SECRET_KEY: 'x'.repeat(32),
  TIERWATCH_APP_DATABASE_URL: 'postgresql://127.0.0.1/app',
  TIERWATCH_SYSTEM_DATABASE_URL: 'postgresql://127.0.0.1/system',
};

it.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
  [undefined, false],
])('[ENG-3.1] CLAUDEOPS_DRY_RUN=%s forces dry run: %s', (value, expected) => {
  const parsed = parseEnv({ ...REQUIRED, CLAUDEOPS_DRY_RUN: value });
  expect(parsed.isDryRunForced).toBe(expected);
});

it('[ENG-3.1] refuses another value instead of taking it for false', () => {
  expect(() => parseEnv({ ...REQUIRED, CLAUDEOPS_DRY_RUN: 'yes' })).toThrow('CLAUDEOPS_DRY_RUN');
});

it.each([
  ['0.5', 0.5],
  ['', null],
  [undefined, null],
])('[RES-8.3] CLAUDEOPS_RESUME_CONTEXT_THRESHOLD=%s is %s', (value, expected) => {
  const parsed = parseEnv({ ...REQUIRED, CLAUDEOPS_RESUME_CONTEXT_THRESHOLD: value });
  expect(parsed.resumeContextThreshold).toBe(expected);
});

it.each([
  ['2.1.197, <2.1.100', ['2.1.197', '<2.1.100']],
  ['', []],
  [undefined, []],
])('[ENG-2.7] TIERWATCH_DENIED_CLI_VERSIONS=%s is %j', (value, expected) => {
  const parsed = parseEnv({ ...REQUIRED, TIERWATCH_DENIED_CLI_VERSIONS: value });
  expect(parsed.deniedCliVersions).toEqual(expected);
});

it('[ENG-2.7] refuses a list that is not one of versions', () => {
  const source = { ...REQUIRED, TIERWATCH_DENIED_CLI_VERSIONS: '2.1.197 latest' };
  expect(() => parseEnv(source)).toThrow('TIERWATCH_DENIED_CLI_VERSIONS');
});

it.each([
  ['127.0.0.1, 10.0.0.0/8', ['127.0.0.1', '10.0.0.0/8']],
  ['', []],
  [undefined, []],
])('[SEC-1.2] TIERWATCH_TRUSTED_PROXIES=%s is %j', (value, expected) => {
  const parsed = parseEnv({ ...REQUIRED, TIERWATCH_TRUSTED_PROXIES: value });
  expect(parsed.trustedProxies).toEqual(expected);
});

it.each(['all', '10.0.0.0/99', '127.0.0.1;10.0.0.1'])(
  '[SEC-1.2] refuses TIERWATCH_TRUSTED_PROXIES=%s instead of trusting nobody, or everybody',
  (value) => {
    const source = { ...REQUIRED, TIERWATCH_TRUSTED_PROXIES: value };
    expect(() => parseEnv(source)).toThrow('TIERWATCH_TRUSTED_PROXIES');
  },
);

it.each([
  [undefined, 20],
  ['', 20],
  ['3', 3],
])('[SEC-1.6] TIERWATCH_MAX_STREAMS_PER_PERSON=%s is %d', (value, expected) => {
  const parsed = parseEnv({ ...REQUIRED, TIERWATCH_MAX_STREAMS_PER_PERSON: value });
  expect(parsed.maxStreamsPerPerson).toBe(expected);
});

it.each(['0', '-1', 'many'])('[SEC-1.6] refuses TIERWATCH_MAX_STREAMS_PER_PERSON=%s', (value) => {
  const source = { ...REQUIRED, TIERWATCH_MAX_STREAMS_PER_PERSON: value };
  expect(() => parseEnv(source)).toThrow('TIERWATCH_MAX_STREAMS_PER_PERSON');
});

const BUCKET = {
  TIERWATCH_S3_BUCKET: 'seals',
  TIERWATCH_S3_ACCESS_KEY_ID: 'id',
  TIERWATCH_S3_SECRET_ACCESS_KEY: 'secret',
};

it.each<[Record<string, string>, object | null]>([
  [{}, null],
  [{ TIERWATCH_S3_BUCKET: '' }, null],
  [BUCKET, { endpoint: null, region: 'us-east-1', prefix: '', isPathStyle: false }],
  [
    { ...BUCKET, TIERWATCH_S3_ENDPOINT: 'http://127.0.0.1:9000' },
    { endpoint: 'http://127.0.0.1:9000', isPathStyle: true },
  ],
  [
    {
      ...BUCKET,
      TIERWATCH_S3_ENDPOINT: 'https://s3.example',
      TIERWATCH_S3_REGION: 'eu-1',
      TIERWATCH_S3_PATH_STYLE: 'false',
    },
    { region: 'eu-1', isPathStyle: false },
  ],
])('[FLT-4.4] the bucket of %j is %j', (source, expected) => {
  const { s3 } = parseEnv({ ...REQUIRED, ...source });
  if (expected === null) expect(s3).toBeNull();
  else expect(s3).toMatchObject(expected);
});

it('[FLT-4.4] refuses a bucket without a key, and names what is missing', () => {
  const source = { ...REQUIRED, TIERWATCH_S3_BUCKET: 'seals' };
  expect(() => parseEnv(source)).toThrow('TIERWATCH_S3_ACCESS_KEY_ID');
});

it.each([
  ['', 16_000_000],
  ['0', 0],
  ['64', 64_000_000],
])('[FLT-4.1] TIERWATCH_SEAL_MAX_MB=%s keeps conversations of up to %i bytes', (value, bytes) => {
  const parsed = parseEnv({ ...REQUIRED, TIERWATCH_SEAL_MAX_MB: value });
  expect(parsed.seals.maxBytes).toBe(bytes);
});

it.each(['65', '-1', 'many', '1.5'])('[FLT-4.1] TIERWATCH_SEAL_MAX_MB=%s is refused', (value) => {
  expect(() => parseEnv({ ...REQUIRED, TIERWATCH_SEAL_MAX_MB: value })).toThrow(
    'TIERWATCH_SEAL_MAX_MB',
  );
});

it('[INC-4.2] metrics are for this machine, and nothing is exported, unless someone says so', () => {
  const parsed = parseEnv(REQUIRED);
  expect(parsed.metrics).toEqual({
    token: null,
    host: '127.0.0.1',
    port: 0,
    hasProjectLabel: false,
  });
  expect(parsed.openTelemetry).toBeNull();
});

it.each([
  ['TIERWATCH_METRICS_TOKEN', { TIERWATCH_METRICS_TOKEN: 'short' }],
  ['TIERWATCH_METRICS_HOST', { TIERWATCH_METRICS_HOST: '0.0.0.0' }],
  ['TIERWATCH_METRICS_PORT', { TIERWATCH_METRICS_PORT: '70000' }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ['OTEL_METRICS_EXPORTER', { OTEL_METRICS_EXPORTER: 'prometheus' }],
])('[INC-4.2] refuses a bad %s by its name', (name, source) => {
  expect(() => parseEnv({ ...REQUIRED, ...source })).toThrow(name);
});

it('[INC-4.2] a token lets other machines read', () => {
  const token = 'a-token-of-sixteen';
  const source = { TIERWATCH_METRICS_HOST: '0.0.0.0', TIERWATCH_METRICS_TOKEN: token };
  expect(parseEnv({ ...REQUIRED, ...source }).metrics).toMatchObject({ host: '0.0.0.0', token });
});

it.each([
  [{}, { exportsTraces: true, exportsMetrics: true, metricsEveryMs: 60_000 }],
  [{ OTEL_TRACES_EXPORTER: 'none' }, { exportsTraces: false, exportsMetrics: true }],
  [{ OTEL_METRICS_EXPORTER: 'none' }, { exportsTraces: true, exportsMetrics: false }],
  [{ OTEL_METRIC_EXPORT_INTERVAL: '5000' }, { metricsEveryMs: 5_000 }],
  [{ OTEL_SDK_DISABLED: 'false' }, { exportsTraces: true }],
])('[INC-4.2] with an endpoint, %j exports %j', (source, exported) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(parseEnv({ ...REQUIRED, ...endpoint, ...source }).openTelemetry).toMatchObject(exported);
});

it('[INC-4.2] OTEL_SDK_DISABLED exports nothing', () => {
  const source = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_SDK_DISABLED: 'TRUE',
  };
  expect(parseEnv({ ...REQUIRED, ...source }).openTelemetry).toBeNull();
});

it.each([
  ['TIERWATCH_OPERATOR_EMAIL', { TIERWATCH_OPERATOR_EMAIL: 'nobody', SMTP_URL: 'smtp://mail:25' }],
  ['TIERWATCH_OPERATOR_EMAIL', { TIERWATCH_OPERATOR_EMAIL: 'ops@example.com' }],
  ['TIERWATCH_WATCHDOG_URL', { TIERWATCH_WATCHDOG_URL: 'ftp://ping.example.com' }],
  ['TIERWATCH_WATCHDOG_SECONDS', { TIERWATCH_WATCHDOG_SECONDS: '4' }],
])('[INC-4.1] refuses a bad %s by its name', (name, source) => {
  expect(() => parseEnv({ ...REQUIRED, ...source })).toThrow(name);
});

it('[INC-4.1] notifies and pings nobody by default, and every minute otherwise', () => {
  expect(parseEnv(REQUIRED)).toMatchObject({
    operatorEmail: null,
    watchdogUrl: null,
    watchdogSeconds: 60,
  });
});
