import { describe, expect, it } from 'vitest';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import type { StartSpec } from '@/lib/protocol/spec';
import { attemptSpec } from '@/tests/support/fake-control-plane/attempt-spec';
import type { HostLayout } from './agent';
import { estimateCost } from './prices';
import { AGENTS, agentLabel, findAgent, pricesOf, tierCommand } from './registry';

const host: HostLayout = {
  binary: { file: '/opt/agent', args: [] },
  cliVersion: null,
  workDir: '/runner/work',
  configDir: '/runner/config',
  stateDir: '/runner/state',
  tmpDir: '/runner/tmp',
  systemPromptFile: '/runner/attempt/system-prompt.md',
  mcpConfigFile: '/runner/attempt/mcp.json',
  settingsFile: '/runner/attempt/settings.json',
  hookCommand: null,
  marker: 'att-1.f00',
  passThrough: {},
  apiKey: 'sk-secret',
  mcpServer: null,
};

describe.each(Object.values(AGENTS))('[ENG-1.2] the agent $name', (agent) => {
  const start: StartSpec = { ...attemptSpec().start, harness: agent.name };

  it('starts the program of its host with the marker, and shows its key to nobody', () => {
    const command = tierCommand(start, host);
    expect(command.file).toBe('/opt/agent');
    expect(command.env[MARKER_VARIABLE]).toBe('att-1.f00');
    expect(JSON.stringify([command.args, command.env, command.files])).not.toContain('sk-secret');
  });

  it('keeps each conversation in a file of its own', () => {
    expect(agent.conversations.file).toMatch(/^[^/].*\/[^/]*\{id\}[^/]*$/);
  });

  it('has a table of prices with a day, and is found by its name', () => {
    expect(agent.prices.measuredOn).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(findAgent(agent.name)).toBe(agent);
    expect(agentLabel(agent.name)).toBe(agent.label);
  });
});

describe('[ENG-1.2] a name that is not registered', () => {
  it('is shown as unknown and has no prices', () => {
    expect(findAgent('gull')).toBeNull();
    expect(agentLabel('gull')).toBe('gull (unknown agent)');
    expect([pricesOf('gull'), pricesOf(null)]).toEqual([null, null]);
  });
});

it.each([
  ['demo-haiku', 1],
  ['demo-sonnet', 3],
  ['claude-opus-5-5', 4],
])('a million input tokens of %s in the demo: $%d', (model, dollars) => {
  const million = {
    inputTokens: 1_000_000,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
  expect(estimateCost(AGENTS.demo.prices, model, million)).toBeCloseTo(dollars, 9);
});
