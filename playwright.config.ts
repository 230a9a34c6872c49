import os from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { mailUrl } from './tests/e2e/support/mail-url';

const port = Number(process.env.TIERWATCH_E2E_PORT ?? 3987);
const baseURL = `http://127.0.0.1:${port}`;

/** `npm test` gives a fresh one and removes it; by hand it is kept, which makes the next run faster. */
const dataDir = process.env.TIERWATCH_E2E_DATA_DIR ?? path.join(os.tmpdir(), 'tierwatch-e2e');

/** User journeys in Chromium, against `npm start` on a data folder of its own. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    baseURL,
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: 'node scripts/start.mjs',
    url: `${baseURL}/healthz`,
    timeout: 180_000,
    stdout: 'pipe',
    // In order, so that it leaves no process behind.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 60_000 },
    env: {
      PORT: String(port),
      HOST: '127.0.0.1',
      TIERWATCH_DATA_DIR: dataDir,
      // The webhook receivers of the tests listen on loopback.
      TIERWATCH_ALLOW_PRIVATE_TARGETS: '1',
      // A test that reads mail starts a server there.
      SMTP_URL: mailUrl(port),
    },
  },
});
