import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findDemoServices } from '@/lib/projects/demo-service/client';
import { type RunningDemo, startDemo } from '@/tests/support/demo/service';
import { argsOfPrinted } from '@/tests/support/system/printed-command';
import { type ProductProcess, productProcess } from '@/tests/support/system/product-process';

/** A machine of the user's: its services under a supervisor, and the runner that is brought to it. */
export class Host {
  private runner: ProductProcess | null = null;

  private constructor(
    private readonly dir: string,
    private readonly demo: RunningDemo,
    /** What an HTTP check of each service asks. */
    readonly urls: { web: string; api: string },
  ) {}

  static async start(): Promise<Host> {
    const dir = mkdtempSync(path.join(tmpdir(), 'user-host-'));
    const demo = await startDemo(dir);
    const services = await findDemoServices(dir);
    if (!services) throw new Error('The services have told no ports.');
    const urlOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}/health`;
    return new Host(dir, demo, { web: urlOf(services.web), api: urlOf(services.api) });
  }

  /** Runs the command as it was shown; the host has nothing else. */
  run(command: string): void {
    const { PATH, HOME } = process.env;
    const env = {
      PATH,
      HOME,
      TIERWATCH_RUNNER_DIR: path.join(this.dir, 'runner'),
      TIERWATCH_DEMO_BIN: this.demo.paths.binDir,
    };
    const args = [...argsOfPrinted(command), '--name', 'shop-1'];
    this.runner = productProcess({ name: 'runner', args, env }, path.join(this.dir, 'logs'));
    this.runner.start();
  }

  /** Kills the web service, which then stays down until someone restarts it. */
  async breakWeb(): Promise<void> {
    const { code, output } = await this.demo.ctl('break', 'crash');
    if (code !== 0) throw new Error(output);
  }

  async close(): Promise<void> {
    await this.runner?.end();
    await this.demo.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}
