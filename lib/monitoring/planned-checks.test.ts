import { describe, expect, it } from 'vitest';
import { NO_MONITORING } from '@/lib/projects/monitoring-settings';
import type { CheckSpec } from '@/lib/protocol/spec';
import { plannedChecks } from './planned-checks';

const http = (target: string, more: Partial<CheckSpec> = {}): CheckSpec => {
  return { type: 'http', target, timeoutSeconds: 5, ...more };
};
const on = { ...NO_MONITORING, everySeconds: 60 };

describe('[INC-1.1] the checks of a configuration', () => {
  it('are none while monitoring is off', () => {
    const services = [{ name: 'web', checks: [http('http://web/')] }];
    expect(plannedChecks({ services, monitoring: NO_MONITORING })).toEqual([]);
    expect(plannedChecks({ services, monitoring: on })).toMatchObject([
      { service: 'web', position: 0, everySeconds: 60 },
    ]);
  });

  it.each([
    ['another timeout', http('http://web/', { timeoutSeconds: 9 }), true],
    ['another order of fields', { timeoutSeconds: 5, target: 'http://web/', type: 'http' }, true],
    ['another target', http('http://web/health'), false],
    ['another expectation', http('http://web/', { expectStatus: 204 }), false],
  ] as const)('%s is the same check: %#', (_what, changed, isSame) => {
    const keyOf = (check: CheckSpec) =>
      plannedChecks({ services: [{ name: 'web', checks: [check] }], monitoring: on })[0]?.key;
    expect(keyOf(changed) === keyOf(http('http://web/'))).toBe(isSame);
  });

  it('have heartbeats, judged each minute, which keep their key whatever but their name is changed', () => {
    const keyOf = (more: Partial<CheckSpec>) => {
      const check: CheckSpec = { type: 'heartbeat', target: 'nightly', timeoutSeconds: 5, ...more };
      const [planned] = plannedChecks({
        services: [{ name: 'backup', checks: [check] }],
        monitoring: { ...on, everySeconds: 3_600 },
      });
      expect(planned).toMatchObject({ service: 'backup', everySeconds: 60 });
      return planned?.key;
    };
    const changes = { periodSeconds: 60, graceSeconds: 0, isPostOnly: true, timeoutSeconds: 9 };
    expect(keyOf(changes)).toBe(keyOf({}));
    expect(keyOf({ target: 'weekly' })).not.toBe(keyOf({}));
  });

  it('that are equal have different keys', () => {
    const services = [{ name: 'web', checks: [http('http://web/'), http('http://web/')] }];
    const keys = plannedChecks({ services, monitoring: on }).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });
});
