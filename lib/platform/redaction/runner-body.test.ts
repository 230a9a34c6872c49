import { describe, expect, it } from 'vitest';
import { CANARIES } from '@/tests/support/redaction/canaries';
import { createRedactor } from './redactor';
import { redactRunnerBody } from './runner-body';

const KEY = ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0xLabcd'].join('_');
const at = '2026-11-21T20:33:12.717Z';
const batch = (...events: object[]) => ({
  protocol: 1,
  batches: [
    {
      attemptId: '5b0f1c9e-1d2a-4c3b-8e4f-9a0b1c2d3e4f',
      fence: 3,
      events: events.map((event, index) => ({ seq: index + 1, at, event })),
    },
  ],
});

describe("the body of a runner's request", () => {
  it('[SEC-2.1] holds no secret in any string or key, at any depth', () => {
    for (const { text, secret } of CANARIES) {
      const body = batch({
        kind: 'tool_call',
        input: { command: text, list: [{ [text]: [text] }] },
      });
      expect(JSON.stringify(redactRunnerBody(body))).not.toContain(
        JSON.stringify(secret).slice(1, -1),
      );
    }
  });

  it('[SEC-2.1] keeps everything that something depends on', () => {
    const body = batch(
      {
        kind: 'init',
        cliSessionId: '5b0f1c9e-1d2a-4c3b-8e4f-9a0b1c2d3e4f',
        cliVersion: '2.1.330',
        model: 'claude-haiku-4-5-20251001',
        tools: ['Bash', 'Read', 'mcp__tierwatch__check'],
        mcpServers: [{ name: 'tierwatch', status: 'connected' }],
        permissionMode: 'dontAsk',
        cwd: '/srv/tierwatch/projects/org-1/checkout',
      },
      {
        kind: 'command',
        argv: ['claude', '-p', '--model', 'haiku', '--allowedTools', 'Bash(docker ps:*)'],
        env: {
          HOME: '/srv/config',
          ANTHROPIC_API_KEY: 'set',
          CLAUDE_CODE_MAX_OUTPUT_TOKENS: '4096',
        },
        workDir: '/srv/tierwatch/projects/org-1/checkout',
        configDir: '/srv/tierwatch/attempts/5b0f1c9e/config',
        workDirInode: '2049:1234567',
      },
      {
        kind: 'tool_call',
        messageId: 'msg_01XFDUDYJgAACzvnptvVoYEL',
        toolUseId: 'toolu_01A09q90qw90lq917835lq9',
        tool: 'Bash',
        input: { command: 'docker restart checkout_web_1 && docker run -p 80:80 nginx' },
      },
      { kind: 'request_usage', model: 'claude-haiku-4-5-20251001', inputTokens: 12, final: true },
    );
    expect(redactRunnerBody(body)).toEqual(body);
  });

  it('[SEC-2.1] keeps the named credentials, at its top alone', () => {
    const body = { token: KEY, nested: { token: KEY } };
    expect(redactRunnerBody(body, ['token'])).toEqual({
      token: KEY,
      nested: { token: '[redacted: assigned secret]' },
    });
  });

  it('[SEC-2.1] keeps the text of pieces, which are redacted together, and nothing like them', () => {
    const piece = { kind: 'answer_part', messageId: KEY, text: KEY, more: KEY };
    const shown = '[redacted: github token]';
    const body = {
      ...batch(piece, { kind: 'tool_call', input: { ...piece } }),
      events: [{ event: piece }],
    };
    const kept = { ...piece, messageId: shown, more: shown };
    expect(redactRunnerBody(body)).toMatchObject({
      batches: [{ events: [{ event: kept }, { event: { input: { ...kept, text: shown } } }] }],
      events: [{ event: kept }],
    });
  });

  it('[SEC-2.1] is not changed again after a runner has redacted it, at any depth it may have', () => {
    const onHost = createRedactor({ secrets: ['correct horse battery'] });
    let deep: unknown = CANARIES.map(({ text }) => text);
    for (let level = 0; level < 29; level += 1) deep = { deep };
    const sent = batch(Object(onHost.value({ kind: 'tool_call', input: deep })));
    expect(redactRunnerBody(sent)).toEqual(sent);
    expect(JSON.stringify(sent)).not.toContain('too deep');
  });
});
