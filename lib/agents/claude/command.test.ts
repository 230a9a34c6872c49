import { describe, expect, it } from 'vitest';
import type { StartSpec } from '@/lib/protocol/spec';
import { type Command, CommandError, type HostLayout, shownArgv } from '../agent';
import { claudeCommand } from './command';
import { CHECK_TOOL, surplusTools } from './offered-tools';

const PARENT = '11111111-1111-4111-8111-111111111111';
const OWN = '22222222-2222-4222-8222-222222222222';

const host: HostLayout = {
  binary: { file: '/opt/claude', args: [] },
  cliVersion: '2.1.197',
  workDir: '/srv/p/work',
  configDir: '/srv/p/config',
  stateDir: '/srv/p/state/a1',
  tmpDir: '/srv/p/tmp',
  systemPromptFile: '/srv/p/state/a1/system.md',
  mcpConfigFile: '/srv/p/state/a1/mcp.json',
  settingsFile: '/srv/p/state/a1/settings.json',
  hookCommand: null,
  marker: 'marker-1',
  passThrough: {
    PATH: '/usr/bin',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    ANTHROPIC_API_KEY: 'leaked',
    CLAUDECODE: '1',
    CLAUDE_CONFIG_DIR: '/home/someone/.claude',
  },
  apiKey: 'secret-key',
  mcpServer: { type: 'stdio', command: 'node' },
};

function spec(changes: Partial<StartSpec> = {}): StartSpec {
  return {
    harness: 'claude',
    tier: 1,
    purpose: 'tier',
    model: 'haiku',
    cliSessionId: OWN,
    continuation: { mode: 'fresh' },
    prompt: 'Look at the services.',
    systemPrompt: '',
    tools: ['Bash', 'Read'],
    allowedRules: ['Bash(docker ps:*)', 'Read'],
    disallowedRules: ['Bash(docker restart:*)'],
    reportSchema: { type: 'object' },
    limits: { timeoutSeconds: 300, stallSeconds: 180, maxTurns: 40, maxBudgetUsd: 0.5 },
    writesHandoffFile: false,
    agent: null,
    questionWaitSeconds: null,
    isolation: 'off',
    commands: null,
    checkpoints: null,
    recovery: null,
    ...changes,
  };
}

function permissionsOf({ files }: Command): { allow: string[]; deny: string[] } {
  const file = files.find(({ path }) => path === host.settingsFile);
  return JSON.parse(file?.content ?? '').permissions;
}

/** The value that follows a flag; undefined when the flag is absent. */
function flag(args: string[], name: string): string | undefined {
  const index = args.indexOf(name);
  return index === -1 ? undefined : args[index + 1];
}

describe('arguments', () => {
  it('a fresh start, exactly', () => {
    expect(claudeCommand(spec(), host).args).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      '--model',
      'haiku',
      '--session-id',
      OWN,
      '--permission-mode',
      'dontAsk',
      '--tools',
      'Bash,Read',
      '--json-schema',
      '{"type":"object"}',
      '--mcp-config',
      '/srv/p/state/a1/mcp.json',
      '--strict-mcp-config',
      '--setting-sources',
      '',
      '--settings',
      '/srv/p/state/a1/settings.json',
      '--max-turns',
      '40',
      '--max-budget-usd',
      '0.500000',
    ]);
  });

  it("[RES-2.1] a resumed start forks the parent's conversation under its own id", () => {
    const continuation = { mode: 'resume', parentCliSessionId: PARENT } as const;
    const { args } = claudeCommand(spec({ tier: 2, model: 'sonnet', continuation }), host);
    expect(args.slice(7, 12)).toEqual(['--resume', PARENT, '--fork-session', '--session-id', OWN]);
    expect(flag(args, '--model')).toBe('sonnet');
  });

  it('only a resumed start resumes', () => {
    for (const mode of ['fresh', 'handoff'] as const) {
      const { args } = claudeCommand(spec({ continuation: { mode } }), host);
      expect(args).not.toContain('--resume');
      expect(args).not.toContain('--fork-session');
      expect(flag(args, '--session-id')).toBe(OWN);
    }
  });

  it('[HND-1.4] the handoff file is the one thing an observing tier may write', () => {
    const command = claudeCommand(spec({ writesHandoffFile: true }), host);
    expect(flag(command.args, '--add-dir')).toBe('/srv/p/state/a1');
    expect(flag(command.args, '--tools')).toBe('Bash,Read,Write');
    expect(permissionsOf(command).allow.at(-1)).toBe('Edit(//srv/p/state/a1/handoff.json)');
    const without = claudeCommand(spec(), host);
    expect(without.args).not.toContain('--add-dir');
    expect(JSON.stringify(without)).not.toContain('handoff');
  });

  it('system text goes by file', () => {
    const command = claudeCommand(spec({ systemPrompt: 'ä'.repeat(100_000) }), host);
    expect(flag(command.args, '--append-system-prompt-file')).toBe(host.systemPromptFile);
    expect(command.files[2]).toEqual({
      path: host.systemPromptFile,
      content: 'ä'.repeat(100_000),
    });
  });

  it.each([
    ['2.1.330', 'off'],
    ['2.2.0', 'off'],
    ['2.1.197', undefined],
    [null, undefined],
  ])('CLI %s is told to take the new instructions: %s', (cliVersion, expected) => {
    const { args } = claudeCommand(spec(), { ...host, cliVersion });
    expect(flag(args, '--system-prompt-snapshot')).toBe(expected);
  });

  it.each([
    [0.000_000_1, '0.000001'],
    [0.03, '0.030000'],
    [20, '20.000000'],
  ])('a budget of %d is passed as %s', (maxBudgetUsd, expected) => {
    const limits = { ...spec().limits, maxBudgetUsd };
    expect(flag(claudeCommand(spec({ limits }), host).args, '--max-budget-usd')).toBe(expected);
  });

  it('no budget, no flag', () => {
    const limits = { ...spec().limits, maxBudgetUsd: null };
    expect(claudeCommand(spec({ limits }), host).args).not.toContain('--max-budget-usd');
  });

  it('[HLD-3.5] rules go by file, so that neither their number nor their text makes an argument', () => {
    const rules = Array.from({ length: 5_000 }, (_, at) => `Bash(docker restart service-${at})`);
    const odd = '--dangerously-skip-permissions';
    const allowedRules = [...rules, odd];
    const command = claudeCommand(spec({ allowedRules, disallowedRules: [odd] }), host);
    expect(permissionsOf(command)).toEqual({
      allow: [...allowedRules, CHECK_TOOL],
      deny: [odd, 'Edit(//srv/p/config/**)', 'Edit(//srv/p/state/a1/settings.json)'],
    });
    expect(command.args).toEqual(claudeCommand(spec(), host).args);
  });

  it('are shown with the settings in place of their file', () => {
    const command = claudeCommand(spec(), host);
    const shown = shownArgv(command);
    expect(shown[0]).toBe('/opt/claude');
    const settings = { permissions: permissionsOf(command) };
    expect(shown[shown.indexOf('--settings') + 1]).toBe(JSON.stringify(settings));
  });

  it('an argument that is too long for the system is refused before the start', () => {
    const reportSchema = { description: 'ä'.repeat(70_000) };
    const start = () => claudeCommand(spec({ reportSchema }), host);
    expect(start).toThrow(CommandError);
    expect(start).toThrow(/bytes long/);
    const fits = { description: 'x'.repeat(120_000) };
    expect(() => claudeCommand(spec({ reportSchema: fits }), host)).not.toThrow();
  });
});

describe('input and environment', () => {
  it.each([
    ['Look.', 'Look.'],
    ['/clear', ' /clear'],
    [' /clear', ' /clear'],
  ])('the prompt %j goes in as %j', (prompt, stdin) => {
    expect(claudeCommand(spec({ prompt }), host).stdin).toBe(stdin);
  });

  it('is complete, and ours wins', () => {
    const { env, fd3 } = claudeCommand(spec({ tier: 3 }), host);
    expect(env).toEqual({
      HOME: '/srv/p/config',
      PATH: '/usr/bin',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      CLAUDE_CONFIG_DIR: '/srv/p/config',
      CLAUDE_CODE_TMPDIR: '/srv/p/tmp',
      CLAUDE_CODE_MAX_RETRIES: '2',
      CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      MCP_CONNECTION_NONBLOCKING: '0',
      MCP_CONNECT_TIMEOUT_MS: '30000',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: '3',
      CLAUDEOPS_STATE_DIR: '/srv/p/state/a1',
      CLAUDEOPS_TIER: '3',
      TIERWATCH_ATTEMPT: 'marker-1',
    });
    expect(fd3).toBe('secret-key');
  });

  it('the key is nowhere but in the descriptor', () => {
    const { fd3: _, ...rest } = claudeCommand(spec(), host);
    expect(JSON.stringify(rest)).not.toContain('secret-key');
    const { apiKey: __, ...keyless } = host;
    const command = claudeCommand(spec(), keyless);
    expect(command.fd3).toBeUndefined();
    expect(command.env).not.toHaveProperty('CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR');
  });

  it('the MCP configuration holds the one server, or none in a preview', () => {
    const server = JSON.stringify({
      mcpServers: { tierwatch: { type: 'stdio', command: 'node' } },
    });
    expect(claudeCommand(spec(), host).files[0]).toEqual({
      path: host.mcpConfigFile,
      content: server,
    });
    const preview = claudeCommand(spec(), { ...host, mcpServer: null });
    expect(preview.files[0]?.content).toBe('{"mcpServers":{}}');
  });
});

describe('a turn of a conversation', () => {
  const ask = { purpose: 'ask', reportSchema: null } as const;

  it('has no report, and asks nobody where nobody waits', () => {
    const { args, stdin, stdinStaysOpen } = claudeCommand(spec(ask), host);
    expect(args).not.toContain('--json-schema');
    expect(args).not.toContain('--input-format');
    expect(flag(args, '--permission-mode')).toBe('dontAsk');
    expect(flag(args, '--tools')).toBe('Bash,Read');
    expect({ stdin, stdinStaysOpen }).toEqual({
      stdin: 'Look at the services.',
      stdinStaysOpen: false,
    });
  });

  it('[CNV-4.3] can ask by lines on stdin and stdout, fresh and resumed', () => {
    for (const continuation of [
      { mode: 'fresh' },
      { mode: 'resume', parentCliSessionId: PARENT },
      { mode: 'transcript' },
    ] as const) {
      const command = claudeCommand(spec({ ...ask, questionWaitSeconds: 600, continuation }), host);
      expect(flag(command.args, '--input-format')).toBe('stream-json');
      expect(flag(command.args, '--permission-prompt-tool')).toBe('stdio');
      expect(flag(command.args, '--permission-mode')).toBe('default');
      expect(flag(command.args, '--tools')).toBe('Bash,Read,AskUserQuestion');
      expect(command.stdinStaysOpen).toBe(true);
    }
  });

  it.each([
    ['two\nlines and "quotes"', 'two\nlines and "quotes"'],
    ['/clear', ' /clear'],
    ['--help', '--help'],
    ['{"type":"control_response"}', '{"type":"control_response"}'],
  ])('[CNV-4.3] %j is one message in one line', (prompt, content) => {
    const { args, stdin } = claudeCommand(spec({ ...ask, questionWaitSeconds: 1, prompt }), host);
    expect(stdin.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdin)).toEqual({ type: 'user', message: { role: 'user', content } });
    expect(args).not.toContain(prompt);
  });
});

describe('surplus tools', () => {
  const servers = [{ name: 'tierwatch', status: 'connected' }];
  it.each([
    [['Bash', 'Read', 'StructuredOutput', CHECK_TOOL], servers, []],
    [['Bash', 'Read', 'Write'], servers, ['Write']],
    [['Bash', 'Task'], servers, ['Task']],
    [['Bash'], [...servers, { name: 'other', status: 'failed' }], ['mcp__other']],
  ])('%j', (tools, mcpServers, surplus) => {
    expect(surplusTools(spec(), { tools, mcpServers })).toEqual(surplus);
  });

  it('the tool that asks is offered only where somebody waits', () => {
    const init = { tools: ['Bash', 'AskUserQuestion'], mcpServers: servers };
    expect(surplusTools(spec({ questionWaitSeconds: 60 }), init)).toEqual([]);
    expect(surplusTools(spec(), init)).toEqual(['AskUserQuestion']);
  });

  it('Write is offered only with a handoff file to write', () => {
    const init = { tools: ['Bash', 'Write'], mcpServers: servers };
    expect(surplusTools(spec({ writesHandoffFile: true }), init)).toEqual([]);
  });
});
