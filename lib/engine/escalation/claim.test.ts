import { describe, expect, it } from 'vitest';
import { checkSchema } from '@/lib/protocol/spec';
import type { CheckFact } from './affected';
import { provenHealthy } from './claim';

const spec = (type: string, target: string) => checkSchema.parse({ type, target });
const http = spec('http', 'http://web:80/health');
const tcp = spec('tcp', 'web:80');

function found(status: CheckFact['status'], check = http, service = 'web'): CheckFact {
  const { type, target } = check;
  return { service, type, target, status, error: '', responseTimeMs: 1 };
}

describe('[HLD-3.4] a service is proven healthy', () => {
  it.each<[string, (typeof http)[], CheckFact[], boolean]>([
    ['if its only check passed', [http], [found('healthy')], true],
    ['if all of its checks passed', [http, tcp], [found('healthy'), found('healthy', tcp)], true],
    ['if the last result is good', [http], [found('down'), found('healthy')], true],
    ['not without checks', [], [found('healthy')], false],
    ['not before a check ran', [http], [], false],
    ['not if one of its checks did not run', [http, tcp], [found('healthy')], false],
    ['not if one failed', [http, tcp], [found('healthy'), found('degraded', tcp)], false],
    ['not if one could not run', [http, tcp], [found('healthy'), found('unknown', tcp)], false],
    ['not if it could not run again', [http], [found('healthy'), found('unknown')], false],
    ['not by the checks of another service', [http], [found('healthy', http, 'api')], false],
    ['not by one result of two checks that look alike', [http, http], [found('healthy')], false],
    [
      'not if one of two that look alike failed',
      [http, http],
      [found('down'), found('healthy')],
      false,
    ],
    [
      'if both that look alike passed the last time',
      [http, http],
      [found('down'), found('healthy'), found('healthy')],
      true,
    ],
  ])('%s', (_title, checks, results, expected) => {
    expect(provenHealthy([{ name: 'web', checks }], results)).toEqual(expected ? ['web'] : []);
  });
});
