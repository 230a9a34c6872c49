import path from 'node:path';
import { checkout } from './folders.mjs';

const tsx = (file, ...args) => ['--import', 'tsx', path.join(checkout, file), ...args];

/**
 * What runs in each process, in the order of starting; they are stopped the other way round.
 * @param {ReturnType<typeof import('./environment.mjs').processEnvironments>} environments
 * @param {{ host: string, port: number, dataDir: string }} facts
 * @returns {(import('./processes.mjs').ProcessSpec & { part: string })[]}
 */
export function serviceSpecs(environments, { host, port, dataDir }) {
  return [
    {
      part: 'demo-service',
      name: 'demo',
      args: tsx('workers/demo-service/main.ts', '--data-dir', dataDir),
      env: environments.demoService,
      stopTimeoutMs: 5_000,
    },
    {
      part: 'web',
      name: 'web',
      args: [
        path.join(checkout, 'node_modules/next/dist/bin/next'),
        'start',
        ...['-H', host, '-p', String(port)],
      ],
      env: environments.web,
      stopTimeoutMs: 8_000,
    },
    {
      part: 'worker',
      name: 'worker',
      args: tsx('workers/index.ts'),
      env: environments.worker,
      stopTimeoutMs: 15_000,
    },
    {
      part: 'runner',
      name: 'runner',
      args: tsx('workers/runner/main.ts'),
      env: environments.runner,
      stopTimeoutMs: 20_000,
    },
  ];
}
