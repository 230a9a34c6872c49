import { defineConfig } from '@playwright/test';
export default defineConfig({ testDir: '/work/main/tests/e2e', testMatch: 'sign-in.spec.ts', workers: 1, timeout: 60000, expect: { timeout: 15000 }, outputDir: '/tmp/pw-out', reporter: 'list',
  use: { baseURL: 'http://127.0.0.1:4312', launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] } } });
