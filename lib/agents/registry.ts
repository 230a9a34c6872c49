/** The agent CLIs this product can drive. */
import type { HarnessName, StartSpec } from '@/lib/protocol/spec';
import type { Command, Harness, HostLayout } from './agent';
import { claudeHarness } from './claude/harness';
import { demoHarness } from './demo/harness';

export const HARNESSES: Record<HarnessName, Harness> = {
  claude: claudeHarness,
  demo: demoHarness,
};

/** Exact argv, environment and input of one start; the same for the preview and the start. */
export function tierCommand(spec: StartSpec, host: HostLayout): Command {
  return HARNESSES[spec.harness].command(spec, host);
}
