import path from 'node:path';
import { checkout } from './folders.mjs';
import { programFile } from './programs.mjs';

/**
 * What runs in each process, in the order of starting. Stopping takes at most 15 s in all: worker and
 * runner together, then web, then the demo service.
 * @param {ReturnType<typeof import('./environment.mjs').processEnvironments>} environments
 * @param {{ host: string, port: number, dataDir: string }} facts
 * @returns {(import('./processes.mjs').ProcessSpec & { part: string })[]}
 */
export function serviceSpecs(environments, { host, port, dataDir }) {
  return [
    {
      part: 'demo-service',
      name: 'demo',
      args: [programFile('demo-service'), '--data-dir', dataDir],
      env: environments.demoService,
      stopTimeoutMs: 1_000,
    },
    {
      part: 'web',
      name: 'web',
      args: [
        // A larger young generation is collected less often, and so less often between two tiers.
        '--max-semi-space-size=48',
        ...['--import', new URL('web-door.mjs', import.meta.url).href],
        path.join(checkout, 'node_modules/next/dist/bin/next'),
        'start',
        ...['-H', host, '-p', String(port)],
        // Longer than proxies and clients keep an idle connection: whoever closes first may cut off
        // a request that is just being sent.
        ...['--keepAliveTimeout', '75000'],
      ],
      env: environments.web,
      // It exports its last traces then: for 3 s at most, after 1.5 s for open requests.
      stopTimeoutMs: environments.web.NEXT_MANUAL_SIG_HANDLE ? 5_000 : 2_000,
    },
    {
      part: 'worker',
      name: 'worker',
      args: [programFile('worker')],
      env: environments.worker,
      stopTimeoutMs: 8_000,
    },
    {
      part: 'runner',
      name: 'runner',
      args: [programFile('runner')],
      env: environments.runner,
      stopTimeoutMs: 8_000,
    },
  ];
}
