/** The runner as a program of its own that has the third agent CLI. */
import './register';
import { AGENTS } from '@/lib/agents/registry';
import { installationRoot } from '@/lib/platform/installation-root';
import { parseRunnerEnv } from '@/workers/runner/env';
import { openHttpsSource } from '@/workers/runner/program';
import { startRunner } from '@/workers/runner/runner';
import { readRunnerKey } from '@/workers/runner/runner-key';

const env = parseRunnerEnv(process.env);
const runner = await startRunner({
  env,
  key: await readRunnerKey(env),
  root: installationRoot(),
  harnesses: AGENTS,
  openSource: (_me, controlPlane) => openHttpsSource(controlPlane),
});
process.on('SIGTERM', () => void runner.stop());
await runner.ended;
process.exit(0);
