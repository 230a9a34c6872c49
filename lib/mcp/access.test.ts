import { describe, expect, it } from 'vitest';
import { TOKEN_SCOPES } from '@/lib/identity/token-scopes';
import { type McpMode, readGate, usefulScopes, visibleTools, whyRefused } from './access';
import { TOOLS } from './registry';

const READING = [
  'get_status',
  'list_projects',
  'list_incidents',
  'get_incident',
  'list_chains',
  'get_chain',
  'get_session',
  'read_log',
  'search_logs',
  'list_commands',
  'list_approvals',
  'get_spend',
  'list_runners',
  'list_audit_entries',
  'get_answer',
];

describe('[INC-4.3] tools that a token may use', () => {
  it.each<[string, string[], McpMode, string[]]>([
    ['nothing', [], 'full', []],
    ['all, read-only', ['all'], 'read', READING],
    ['all', ['all'], 'full', TOOLS.map(({ name }) => name)],
    ['one resource', ['projects:read'], 'full', ['list_projects']],
    [
      'two that one tool needs together',
      ['projects:read', 'chains:read'],
      'full',
      ['get_status', 'list_projects', 'list_chains', 'get_chain'],
    ],
    ['running', ['chains:run'], 'full', ['list_chains', 'get_chain', 'run_chain', 'stop_chain']],
    ['running, read-only', ['chains:run'], 'read', ['list_chains', 'get_chain']],
    ['seeing approvals', ['approvals:read'], 'full', ['list_approvals']],
    ['deciding', ['approvals:decide'], 'full', ['list_approvals', 'decide_approval']],
    ['deciding, read-only', ['approvals:decide'], 'read', ['list_approvals']],
    ['writing', ['conversations:write'], 'full', ['ask_project', 'get_answer']],
    ['a scope that no tool needs', ['members:read'], 'full', []],
  ])('%s', (_, granted, mode, expected) => {
    const names = visibleTools(TOOLS, granted, mode).map(({ name }) => name);
    expect(names.toSorted()).toEqual(expected.toSorted());
  });

  it('says what is missing and where to get it', () => {
    const tool = TOOLS.find(({ name }) => name === 'get_status');
    expect(tool && whyRefused(tool, ['projects:read'], 'full')).toBe(
      'get_status can’t be used: the token lacks the scope chains:read. Create a token that has it under Organization settings, API tokens.',
    );
    const run = TOOLS.find(({ name }) => name === 'run_chain');
    expect(run && whyRefused(run, ['all'], 'read')).toContain('read-only');
  });

  it('a scope is useful if some tool needs nothing else', () => {
    const useful = usefulScopes(TOOLS);
    expect(useful).toContain('approvals:decide');
    expect(useful).toContain('all');
    expect(useful).not.toContain('members:read');
    for (const scope of TOKEN_SCOPES) {
      expect(useful.includes(scope), scope).toBe(visibleTools(TOOLS, [scope], 'full').length > 0);
    }
  });
});

const PUBLIC_HOST = 'tierwatch.test';

function gate(query: string, headers: Record<string, string> = {}) {
  const request = new Request(`http://internal:3000/api/mcp${query}`, { method: 'POST', headers });
  return readGate(request, PUBLIC_HOST);
}

describe('[INC-4.3] the gate of the MCP server', () => {
  it.each<[string, Record<string, string>]>([
    ['a program, which sends no origin', {}],
    ['the public address', { origin: 'https://tierwatch.test' }],
    ['a page of the machine itself', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
    ['the same by address', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
  ])('lets in %s', (_, headers) => expect(gate('', headers)).toBe('full'));

  it.each<[string, Record<string, string>]>([
    ['a page of another site', { origin: 'https://evil.test' }],
    ['an origin that isn’t one', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['another port', { origin: 'https://tierwatch.test:8443' }],
    [
      'a page whose name was pointed at this server',
      { origin: 'http://evil.test:3000', host: 'evil.test:3000' },
    ],
    [
      'a name that only begins as loopback',
      { origin: 'http://127.0.0.1.evil.test', host: '127.0.0.1.evil.test' },
    ],
    ['a request of a foreign page without an origin', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', (_, headers) => {
    expect(() => gate('', headers)).toThrow('another site');
  });

  it.each<[string, Record<string, string>, string]>([
    ['', {}, 'full'],
    ['?mode=read', {}, 'read'],
    ['?mode=full', {}, 'full'],
    ['', { 'tierwatch-mode': 'read' }, 'read'],
    ['?mode=read', { 'tierwatch-mode': 'full' }, 'read'],
    ['?mode=full', { 'tierwatch-mode': 'read' }, 'read'],
    ['?mode=full&mode=read', {}, 'read'],
  ])('%s with %j is %s', (query, headers, mode) => expect(gate(query, headers)).toBe(mode));

  it.each([['?mode=readonly'], ['?mode='], ['?mode=read&mode=x']])('%s is an error', (query) => {
    expect(() => gate(query)).toThrow('doesn’t exist');
  });

  it.each([['?token=twk_x'], ['?access_token=twk_x'], ['?mode=read&api_key=1']])(
    'a token in %s is refused with what to do',
    (query) => {
      expect(() => gate(query)).toThrow('Send the token in the header');
    },
  );
});
