import path from 'node:path';
import type { DemoServiceName } from './schema';

/** Where the demo service keeps its files; all below the data folder. */
export function demoPaths(dataDir: string) {
  const dir = path.resolve(dataDir, 'demo');
  return {
    dir,
    servicesFile: path.join(dir, 'services.json'),
    controlFile: path.join(dir, 'control.json'),
    webConfigFile: path.join(dir, 'web.conf.json'),
    logFile: path.join(dir, 'service.log'),
    /** To be put on the PATH of the demo project's agents: holds `democtl`. */
    binDir: path.join(dir, 'bin'),
    pidFile: (name: DemoServiceName) => path.join(dir, `${name}.pid`),
  };
}
