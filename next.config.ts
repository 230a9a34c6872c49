import type { NextConfig } from 'next';

/** For a browser that opens an address of the runners' API. */
const RUNNER_HEADERS = [
  { key: 'content-security-policy', value: "default-src 'none'; frame-ancestors 'none'" },
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'x-frame-options', value: 'DENY' },
  { key: 'referrer-policy', value: 'no-referrer' },
];

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Their native parts, worker files and run-time requires do not survive bundling.
  serverExternalPackages: [
    '@aws-sdk/client-s3',
    '@opentelemetry/api',
    '@opentelemetry/exporter-metrics-otlp-proto',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace-base',
    '@zxcvbn-ts/core',
    '@zxcvbn-ts/language-common',
    '@zxcvbn-ts/language-en',
    'bullmq',
    'pg',
    'ioredis',
    '@node-rs/argon2',
    'pino',
    'undici',
  ],
  // A server-sent stream passes the compression unbuffered when it says `no-transform`.
  compress: true,
  // `npm run check` checks the types of everything; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  // Titles stand in the first answer: streamed ones are missing for a moment while a page wakes up.
  htmlLimitedBots: /.*/,
  devIndicators: false,
  redirects: async () => [
    {
      source: '/:organization/projects/:project/compare',
      destination: '/:organization/projects/:project/sessions',
      permanent: false,
    },
    {
      source: '/:organization/settings/escalation',
      destination: '/:organization/settings/paging',
      permanent: false,
    },
    { source: '/docs/escalation', destination: '/docs/paging', permanent: false },
  ],
  // proxy.ts doesn't run for these.
  headers: async () => [{ source: '/api/runner/:path*', headers: RUNNER_HEADERS }],
  // A development server may be asked by the address as well as by the name of this machine.
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
};

export default config;
