import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf } from '../bootstrap/started-system';
import { testCluster } from '../support/database';
import { createProject } from '../support/system/chain-run';
import type { RunnerProcess } from '../support/system/runner';
import { useSharedSystem } from '../support/system/use-system';
import { askAs, loginsOf } from './support/database-logins';

const system = useSharedSystem();

describe('what the running processes are to the database', () => {
  let runner: RunnerProcess;
  beforeAll(async () => {
    runner = await system.addRunner({ name: 'one' });
    await createProject(system.api, { name: 'Checkout' });
  });

  it('[SAS-1.3] web and worker own nothing and pass no row-level security', async () => {
    for (const process of [system.web, system.worker]) {
      const logins = await loginsOf(process.pid(), testCluster().superuserUrl);
      const names = logins.map((login) => login.name);
      expect(names, process.name).toContain('tierwatch_app');
      for (const { name, ...rights } of logins) {
        expect(['tierwatch_app', 'tierwatch_system'], process.name).toContain(name);
        expect(rights, `${process.name} as ${name}`).toEqual({
          isSuperuser: false,
          bypassesRowSecurity: false,
          ownedTables: 0,
        });
      }
    }
  });

  it("[SAS-1.3] the web process's own login sees no row while no tenant is set", async () => {
    const { TIERWATCH_APP_DATABASE_URL: url = '' } = environmentOf(system.web.pid());
    const owner = new URL(testCluster().superuserUrl);
    owner.pathname = new URL(url).pathname;
    const seen = 'select exists (select from project) as "isSeen"';
    expect(await askAs(owner.toString(), seen)).toEqual([{ isSeen: true }]);
    expect(await askAs(url, seen)).toEqual([{ isSeen: false }]);
  });

  it('[SAS-3.1] the runner holds no credential but that of the runners’ queues', async () => {
    const environment = environmentOf(runner.pid());
    const urls = Object.entries(environment).filter(([, value]) => /^(postgres|redis)/.test(value));
    expect(urls.map(([name]) => name)).toEqual(['TIERWATCH_RUNNER_QUEUE_URL']);
    expect(Object.keys(environment)).not.toContain('TIERWATCH_SECRET_KEY');
    const [, url = ''] = urls[0] ?? [];
    expect(new URL(url).username).toBe('tierwatch_runner');
    for (const table of ['session', 'attempt', 'project', 'bullmq.job']) {
      await expect(askAs(url, `select * from ${table}`), table).rejects.toThrow(
        /permission denied/,
      );
    }
    const logins = await loginsOf(runner.pid(), testCluster().superuserUrl);
    expect(logins.map(({ name }) => name)).toEqual(['tierwatch_runner']);
  });
});
