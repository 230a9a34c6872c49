/** The payloads in tests/fixtures/signals. */

import { readFileSync } from 'node:fs';
import path from 'node:path';

const FIXTURES = path.resolve('tests/fixtures/signals');

const DAY_MS = 86_400_000;

/** The same, sent yesterday: PagerDuty’s events are ignored once they are older than two days. */
export function sentYesterday(body: string): string {
  return body.replaceAll('2026-11-23', new Date(Date.now() - DAY_MS).toISOString().slice(0, 10));
}

/** The bytes that a sender sent. */
export function fixture(name: string): string {
  return readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8');
}
