import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installationRoot } from '@/lib/platform/installation-root';
import {
  type DemoAnswer,
  type DemoFault,
  type DemoServiceName,
  type DemoStatus,
  type demoPaths,
  demoServiceNames,
} from '@/lib/projects/demo-service/schema';
import { ServiceProcess } from './service-process';

const GOOD_WEB_CONFIG = { greeting: 'Welcome to the demo shop.', workers: 2 };
/** What a hurried change leaves behind: a number written as a word. */
const BROKEN_WEB_CONFIG = { ...GOOD_WEB_CONFIG, workers: 'two' };

/** Runs the demo's services, breaks them on request, and repairs them when told how. */
export class Supervisor {
  readonly #services: Record<DemoServiceName, ServiceProcess>;
  readonly #webConfigFile: string;

  constructor(paths: ReturnType<typeof demoPaths>, ports: Record<DemoServiceName, number>) {
    this.#webConfigFile = paths.webConfigFile;
    const services = path.join(installationRoot(), 'workers/demo-service/services');
    const service = (name: DemoServiceName, args: string[] = []) =>
      new ServiceProcess({
        name,
        script: path.join(services, `${name}.mjs`),
        port: ports[name],
        args,
        pidFile: paths.pidFile(name),
        logFile: paths.logFile,
      });
    this.#services = {
      web: service('web', [paths.webConfigFile]),
      api: service('api'),
      db: service('db'),
    };
  }

  async start(): Promise<void> {
    await this.#writeWebConfig(GOOD_WEB_CONFIG);
    const answers = await Promise.all(demoServiceNames.map((name) => this.#services[name].start()));
    const failed = answers.find((answer) => !answer.ok);
    if (failed) throw new Error(failed.message);
  }

  async stop(): Promise<void> {
    await Promise.all(demoServiceNames.map((name) => this.#services[name].stop()));
  }

  status(): DemoStatus {
    return demoServiceNames.map((name) => this.#services[name].status());
  }

  async restart(name: DemoServiceName): Promise<DemoAnswer> {
    await this.#services[name].stop();
    return this.#services[name].start();
  }

  async repairConfig(name: DemoServiceName): Promise<DemoAnswer> {
    if (name !== 'web') return { ok: false, message: `${name} has no configuration file.` };
    await this.#writeWebConfig(GOOD_WEB_CONFIG);
    return { ok: true, message: 'web.conf.json was put back. Restart web to use it.' };
  }

  async break(fault: DemoFault): Promise<DemoAnswer> {
    if (fault === 'crash') {
      await this.#services.web.stop('SIGKILL');
      return { ok: true, message: 'web was killed and stays down until someone restarts it.' };
    }
    await this.#writeWebConfig(BROKEN_WEB_CONFIG);
    await this.restart('web');
    return {
      ok: true,
      message: 'web.conf.json is broken: web can’t start until it is repaired.',
    };
  }

  async #writeWebConfig(config: object): Promise<void> {
    await rm(this.#webConfigFile, { force: true });
    await writeFile(this.#webConfigFile, `${JSON.stringify(config, null, 2)}\n`);
  }
}
