import type { Harness } from '../agent';
import { claudeCommand } from '../claude/command';
import { surplusTools } from '../claude/offered-tools';
import { createClaudeParser } from '../claude/stream';

/** Takes the flags of the claude CLI and prints its stream, so both halves of that adapter fit. */
export const demoHarness: Harness = {
  name: 'demo',
  label: 'demo agent, no model',
  command: claudeCommand,
  createParser: createClaudeParser,
  surplusTools,
};
