import { describe, expect, it } from 'vitest';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { moveDemoServices } from './project-config';

const http = (port: number, more: Partial<CheckSpec> = {}): CheckSpec => {
  return { type: 'http', target: `http://127.0.0.1:${port}/health`, timeoutSeconds: 5, ...more };
};
const tcp = (port: number): CheckSpec => {
  return { type: 'tcp', target: `127.0.0.1:${port}`, timeoutSeconds: 5 };
};
const pid = (folder: string): CheckSpec => {
  return { type: 'process', target: `${folder}/web.pid`, timeoutSeconds: 5 };
};
const web = (...checks: CheckSpec[]): ServiceSpec => ({ name: 'web', checks });
const api = (...checks: CheckSpec[]): ServiceSpec => ({ name: 'api', checks });

const demo = {
  web: {
    ...{ port: 5_001, pidFile: '/now/web.pid' },
    former: [
      { port: 3_001, pidFile: '/before/web.pid' },
      { port: 4_001, pidFile: '/before/web.pid' },
    ],
  },
  api: { port: 5_002, pidFile: '/now/api.pid', former: [{ port: 4_002, pidFile: '/now/api.pid' }] },
  db: { port: 5_003, pidFile: '/now/db.pid', former: [] },
};

describe('the demo’s services after a start', () => {
  it.each<[string, ServiceSpec[], ServiceSpec[]]>([
    [
      'have moved to other ports',
      [web(http(4_001)), api(http(4_002), tcp(4_002))],
      [web(http(5_001)), api(http(5_002), tcp(5_002))],
    ],
    ['have moved twice since', [web(http(3_001))], [web(http(5_001))]],
    ['are in another data folder', [web(pid('/before'))], [web(pid('/now'))]],
    ['have not moved', [web(http(5_001), pid('/now'))], [web(http(5_001), pid('/now'))]],
    [
      'keep what else a person has set',
      [web(http(4_001, { timeoutSeconds: 20, expectText: 'fine' }))],
      [web(http(5_001, { timeoutSeconds: 20, expectText: 'fine' }))],
    ],
    [
      'keep a check that leads to a person’s own service, whether first or alone',
      [web(http(9_000), http(4_001)), api(http(9_000))],
      [web(http(9_000), http(5_001)), api(http(9_000))],
    ],
    [
      'keep a person’s service, also where one of the demo’s was',
      [{ name: 'mail', checks: [http(4_001)] }],
      [{ name: 'mail', checks: [http(4_001)] }],
    ],
    ['don’t get back what a person has removed', [web(pid('/now'))], [web(pid('/now'))]],
  ])('%s', (_title, before, after) => {
    expect(moveDemoServices(before, demo)).toEqual(after);
  });
});
