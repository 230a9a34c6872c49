import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Their native parts, worker files and run-time requires do not survive bundling.
  serverExternalPackages: [
    '@aws-sdk/client-s3',
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
  // A development server may be asked by the address as well as by the name of this machine.
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
};

export default config;
