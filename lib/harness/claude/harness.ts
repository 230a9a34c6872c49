import type { Harness } from '../harness';
import { claudeCommand } from './command';
import { createClaudeParser } from './stream';

export const claudeHarness: Harness = {
  name: 'claude',
  label: 'Claude Code',
  command: claudeCommand,
  createParser: createClaudeParser,
};
