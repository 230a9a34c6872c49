import type { Harness } from '../agent';
import { claudeCommand } from './command';
import { surplusTools } from './offered-tools';
import { createClaudeParser } from './stream';

export const claudeHarness: Harness = {
  name: 'claude',
  label: 'Claude Code',
  command: claudeCommand,
  createParser: createClaudeParser,
  surplusTools,
};
