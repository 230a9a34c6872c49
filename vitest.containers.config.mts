import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** The container form: the trees of the images, run as docker-compose.yml says, without an engine. */
export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: ['tests/containers/**/*.test.ts'],
    globalSetup: ['tests/support/containers/build-images.mts', 'tests/cli/support/fetch-clis.mts'],
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 900_000,
  },
});
