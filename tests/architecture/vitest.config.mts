import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.resolve(import.meta.dirname, '../..');

export default defineConfig({
  root,
  resolve: { alias: { '@': root } },
  // Some of these tests read every file of the checkout.
  test: { include: ['tests/architecture/**/*.test.ts'], testTimeout: 60_000 },
});
