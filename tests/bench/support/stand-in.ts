/** Small programs that stand in for the CLI: they print its stream, each line with its time. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentScript } from '@/tests/support/fake-control-plane/agent-script';

export interface StandIn {
  /** For CLAUDE_BIN. */
  program: string;
  /** Until then every process of it waits. */
  go(): void;
}

/**
 * Each process prints `count` texts `tick <number from 0> <milliseconds since the epoch>`, one every
 * `everyMs`, of which the share `jitter` is left to chance.
 */
export async function makeStandIn(
  dir: string,
  { count, everyMs, jitter }: { count: number; everyMs: number; jitter: number },
): Promise<StandIn> {
  const goFile = path.join(dir, 'go');
  const report = {
    summary: 'Nothing was looked at.',
    services_checked: [],
    findings: [],
    escalation: { wanted: false, reason: '', services: [] },
    actions_taken: [],
  };
  const program = await agentScript(
    dir,
    `
init();
transcript();
let printed = 0;
let beganAt = 0;
const tick = () => {
  text('tick ' + printed + ' ' + Date.now());
  printed += 1;
  if (printed === ${count}) {
    result({ structured_output: ${JSON.stringify(report)} });
    process.exit(0);
  }
  // From the beginning on, so that a late one does not make all that follow late.
  const chance = (Math.random() - 0.5) * ${jitter};
  setTimeout(tick, Math.max(0, beganAt + (printed + chance) * ${everyMs} - Date.now()));
};
const waiting = setInterval(() => {
  if (!fs.existsSync(${JSON.stringify(goFile)})) return;
  clearInterval(waiting);
  beganAt = Date.now();
  tick();
}, 25);
`,
  );
  return { program, go: () => writeFileSync(goFile, '') };
}
