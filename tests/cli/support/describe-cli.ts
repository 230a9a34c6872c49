/** Tests with pinned versions of the CLI. */
import { describe } from 'vitest';
import { claudeCommand } from '@/lib/agents/claude/command';
import type { StartSpec } from '@/lib/protocol/spec';
import {
  type MessagesApi,
  type Script,
  startMessagesApi,
} from '../../support/messages-api/messages-api';
import { type CliHost, createCliHost } from './cli-host';
import { everyCli, newestCli } from './clis';
import type { FetchedCli } from './fetch-clis.mts';
import { type CliRun, runCli, type StartedCli, startCli } from './run-cli';

export interface CliBench {
  version: string;
  api: MessagesApi;
  host: CliHost;
  /** Starts the CLI as a tier would be started, and waits for its end. */
  run(spec: StartSpec): Promise<CliRun>;
  start(spec: StartSpec): Promise<StartedCli>;
  /** Gives the prompts of all to one process that the first one starts, each after the answer before it. */
  converse(specs: readonly [StartSpec, ...StartSpec[]]): Promise<CliRun>;
}

type WithBench = (script: Script, use: (bench: CliBench) => Promise<void>) => Promise<void>;

type Body = (withBench: WithBench, cli: FetchedCli) => void;

/** With the newest version. */
export function describeCli(title: string, body: Body): void {
  describeClis(newestCli(), title, body);
}

/** With each version. */
export function describeEachCli(title: string, body: Body): void {
  describeClis(everyCli(), title, body);
}

/** A version that could not be fetched counts as skipped; the set-up says why. */
function describeClis(clis: FetchedCli[], title: string, body: Body): void {
  for (const cli of clis) {
    describe.skipIf(cli.problem !== null)(`CLI ${cli.version}: ${title}`, () => {
      body((script, use) => bench(cli, script, use), cli);
    });
  }
}

async function bench(
  cli: FetchedCli,
  script: Script,
  use: (bench: CliBench) => Promise<void>,
): Promise<void> {
  const api = await startMessagesApi({ script });
  const host = await createCliHost(cli, api);
  const { layout } = host;
  try {
    await use({
      version: cli.version,
      api,
      host,
      run: (spec) => runCli(claudeCommand(spec, layout), layout.workDir),
      start: (spec) => startCli(claudeCommand(spec, layout), layout.workDir),
      async converse([first, ...others]) {
        const more = others.map((spec) => claudeCommand(spec, layout).stdin);
        return (await startCli(claudeCommand(first, layout), layout.workDir, more)).ended;
      },
    });
  } finally {
    await api.close();
    await host.remove();
  }
}
