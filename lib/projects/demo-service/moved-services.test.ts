import { describe, expect, it } from 'vitest';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { moveDemoServices } from './moved-services';

const http = (port: number, more: Partial<CheckSpec> = {}): CheckSpec => {
  return { type: 'http', target: `http://127.0.0.1:${port}/health`, timeoutSeconds: 5, ...more };
};
const tcp = (port: number): CheckSpec => {
  return { type: 'tcp', target: `127.0.0.1:${port}`, timeoutSeconds: 5 };
};
const pid = (folder: string): CheckSpec => {
  return { type: 'process', target: `${folder}/web.pid`, timeoutSeconds: 5 };
};
const dns: CheckSpec = { type: 'dns', target: 'localhost', timeoutSeconds: 5 };
const elsewhere = http(0, { target: 'https://example.com/health' });
const web = (...checks: CheckSpec[]): ServiceSpec => ({ name: 'web', checks });

const fresh = [web(http(5_001), tcp(5_001), pid('/now'), dns)];

describe('the demo’s services after a restart', () => {
  it.each<[string, ServiceSpec[], ServiceSpec[]]>([
    [
      'moved to other ports',
      [web(http(4_001), tcp(4_001), pid('/now'), dns)],
      [web(http(5_001), tcp(5_001), pid('/now'), dns)],
    ],
    ['in another data folder', [web(pid('/before'))], [web(pid('/now'))]],
    [
      'keep what else a person has set',
      [web(http(4_001, { timeoutSeconds: 20, expectText: 'fine' }))],
      [web(http(5_001, { timeoutSeconds: 20, expectText: 'fine' }))],
    ],
    [
      'keep checks and services that a person has added',
      [web(elsewhere, http(4_001)), { name: 'mail', checks: [tcp(25)] }],
      [web(elsewhere, http(5_001)), { name: 'mail', checks: [tcp(25)] }],
    ],
    ['don’t get back what a person has removed', [web(dns)], [web(dns)]],
    ['leave a second check alone', [web(http(5_001), http(80))], [web(http(5_001), http(80))]],
  ])('%s', (_title, before, after) => {
    expect(moveDemoServices(before, fresh)).toEqual(after);
  });
});
