import { expect, it } from 'vitest';
import { sourceFiles } from './source-files';

const MAY_READ: Record<string, string> = {
  'lib/platform/env.ts': 'parses the control plane’s environment',
  'lib/platform/logger.ts': 'is needed before the environment is parsed',
  'workers/runner/main.ts': 'hands it to workers/runner/env.ts, which parses it',
  'workers/runner/standalone/main.ts': 'hands it to workers/runner/env.ts, which parses it',
  'workers/runner/agent-socket/mcp-server.ts':
    'is a process of its own and parses what it is given',
  'workers/runner/agent-socket/ask-runner.ts':
    'runs in hooks and in that server, and finds its runner by it',
  'lib/identity/auth/next-auth-options.ts':
    'next-auth takes its own address from there and nowhere else',
  'cli/main.ts': 'takes the environment of whoever calls the command',
  'cli/commands/runner.ts': 'hands it to workers/runner/env.ts, which parses it',
  'cli/commands/token.ts': 'completes it before lib/platform/env.ts is loaded',
  'cli/commands/user.ts': 'completes it before lib/platform/env.ts is loaded',
  'instrumentation.ts': 'Next names its runtime there',
};

it('only one file of each process reads the environment', () => {
  const found = sourceFiles(
    'lib',
    'cli',
    'app',
    'workers',
    'proxy.ts',
    'next.config.ts',
    'instrumentation.ts',
    'instrumentation-client.ts',
  )
    .filter((file) => /\bprocess\.env\b/.test(file.text) && !(file.path in MAY_READ))
    .map((file) => file.path);
  expect(
    found,
    'Add the variable to lib/platform/env.ts (or workers/runner/env.ts) and read it there.',
  ).toEqual([]);
});
