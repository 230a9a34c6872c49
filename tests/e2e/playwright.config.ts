import os from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium } from '@/scripts/test/browser.mjs';
import { mailUrl } from './support/mail-url';

const CHECKOUT = path.resolve(import.meta.dirname, '../..');

/** The first of two, and a mail server for each lies above them. */
const firstPort = Number(process.env.TIERWATCH_E2E_PORT ?? 3987);

/** `npm test` gives a fresh one and removes it; otherwise it is kept, which makes the next run faster. */
const dataDir = process.env.TIERWATCH_E2E_DATA_DIR ?? path.join(os.tmpdir(), 'tierwatch-e2e');

/** They look at the same chains of the demo project, which are run once. */
const OF_THE_STORY = [
  'ask/**/*.spec.ts',
  'chain/**/*.spec.ts',
  'routes/**/*.spec.ts',
  'keyboard.spec.ts',
];

/**
 * A product of its own for each half of the specs, so that the halves run side by side and the specs
 * of a half, which share its demo project and its mail server, one after the other.
 */
const story = product('story', firstPort);
const journeys = product('journeys', firstPort + 1);

function product(name: string, port: number) {
  return { name, port, baseURL: `http://127.0.0.1:${port}`, dataDir: path.join(dataDir, name) };
}

type Product = ReturnType<typeof product>;

function projectOn({ name, baseURL, dataDir }: Product) {
  return { name, workers: 1, use: { baseURL }, metadata: { dataDir } };
}

function serverOf({ name, port, baseURL, dataDir }: Product) {
  return {
    name,
    command: 'node scripts/start.mjs',
    cwd: CHECKOUT,
    url: `${baseURL}/healthz`,
    timeout: 180_000,
    stdout: 'pipe' as const,
    // In order, so that it leaves no process behind.
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 60_000 },
    env: {
      PORT: String(port),
      HOST: '127.0.0.1',
      TIERWATCH_DATA_DIR: dataDir,
      // The webhook receivers of the tests listen on loopback.
      TIERWATCH_ALLOW_PRIVATE_TARGETS: '1',
      // A test that reads mail starts a server there.
      SMTP_URL: mailUrl(port),
    },
  };
}

/** User journeys in Chromium, against `npm start` on data folders of their own. */
export default defineConfig({
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  workers: 2,
  // Nets for what hangs, wide enough for a machine that is busy with something else.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  outputDir: path.join(CHECKOUT, '.data', 'test-results'),
  use: {
    viewport: { width: 1440, height: 900 },
    // Recording a trace takes a third of a test's time; `--trace on` does it for one that fails.
    trace: 'off',
    screenshot: 'only-on-failure',
    // A spinner is drawn sixty times a second while a test waits, and no test looks at a movement.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findChromium() ?? undefined,
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
  projects: [
    { ...projectOn(story), testMatch: OF_THE_STORY },
    { ...projectOn(journeys), testIgnore: OF_THE_STORY },
  ],
  webServer: [serverOf(story), serverOf(journeys)],
});
