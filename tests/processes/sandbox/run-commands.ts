/**
 * Runs commands as the broker does, in whatever account this program is started. Prints what the
 * attempt's stream says about them, as JSON, once they were ended with the attempt.
 *
 * `argv[2]`: a folder of its own, `argv[3]`: the commands, `argv[4]`: the PATH they are looked for in.
 */

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseCommandRule } from '@/lib/commands/rule';
import { NO_TARGETS } from '@/lib/commands/service-values';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { createCommands } from '@/workers/runner/broker/commands';
import { makeAttemptCgroup } from '@/workers/runner/process/cgroup';
import { makeRunnerCgroup } from '@/workers/runner/process/runner-cgroup';
import { INSIDE } from '@/workers/runner/sandbox/inside';

const [, , dir = '', commandsJson = '', searchPath = ''] = process.argv;
const argvs: string[][] = JSON.parse(commandsJson);
const events: BrokeredEvent[] = [];

const place = makeRunnerCgroup(dir, { processes: null, memoryMb: null });
const cgroup = place && makeAttemptCgroup(place, 'attempt');
const brokerDir = path.join(dir, 'broker');
mkdirSync(brokerDir);
const allowed = ['Bash(fakectl {word})', 'Bash(fakebroken {word})'].map((text) => {
  const parsed = parseCommandRule(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.rule;
});

const commands = createCommands({
  rules: { allowed, denied: [], askFirst: [] },
  refused: [],
  known: { targets: NO_TARGETS, host: [], url: [] },
  workDir: dir,
  dir: brokerDir,
  env: { PATH: searchPath },
  redactor: { text: (text: string) => text, hasOpenEnd: () => false },
  isLeaseValid: () => true,
  secretsOf: () => ({ env: {}, missing: [] }),
  digestKey: Buffer.alloc(32),
  authorize: async () => ({ verdict: 'allowed' }),
  reason: () => '',
  isAgentIdle: () => true,
  onUnheld() {},
  add: (event) => events.push(event),
  sync: async () => {},
  cgroupOf: (number) => cgroup?.command(number) ?? null,
  onManyRefused() {},
});
for (const argv of argvs) {
  const { run, exitCode } = await commands.start(
    INSIDE.workDir,
    argv,
    new AbortController().signal,
  );
  run.stdout.resume();
  run.stderr.resume();
  // Those that last have become what they are by then.
  await Promise.race([exitCode, wait(6_000)]);
}
await commands.close();
const left = cgroup?.pids() ?? null;
cgroup?.remove();
place?.remove();
process.stdout.write(JSON.stringify({ isInCgroup: cgroup !== null, left, events }));
process.exit(0);
