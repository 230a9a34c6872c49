import { existsSync } from 'node:fs';

/**
 * The Chromium that the browser tests use, or null. CHROMIUM_PATH names another. Without what only a
 * window needs it takes a third less of the processor, so that one is looked for first.
 */
export function findChromium(env = process.env) {
  const candidates = [
    env.CHROMIUM_PATH,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
  ];
  return candidates.find((file) => file && existsSync(file)) ?? null;
}
