/** The runner as a program of its own, with the fake control plane's list in the place of a queue. */
import { AGENTS } from '@/lib/agents/registry';
import { installationRoot } from '@/lib/platform/installation-root';
import { parseRunnerEnv } from '@/workers/runner/env';
import { startRunner } from '@/workers/runner/runner';
import { readRunnerKey } from '@/workers/runner/runner-key';
import { heldSource } from './held-source';

const env = parseRunnerEnv(process.env);
const runner = await startRunner({
  env,
  key: await readRunnerKey(env),
  root: installationRoot(),
  harnesses: AGENTS,
  canary: async () => null,
  openSource: () => heldSource(env.url),
});
process.on('SIGTERM', () => void runner.stop());
await runner.ended;
process.exit(0);
