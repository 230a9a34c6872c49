import { expect, it } from 'vitest';
import { refusedPart } from './request-body';

const message = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
const deep = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`) as unknown;

it.each<[string, unknown, RegExp | null]>([
  ['a text', { messages: [{ role: 'user', content: 'http://a.test/' }] }, null],
  ['tools of the agent', { tools: [{ name: 'Bash' }, { type: 'custom', name: 'Read' }] }, null],
  ['an image', message({ type: 'image', source: { type: 'base64', data: '' } }), null],
  [
    'a call of a tool that has such words',
    message({ type: 'tool_use', input: { source: { type: 'url', url: 'x' } } }),
    null,
  ],
  ['MCP servers', { mcp_servers: [{ url: 'https://a.test' }] }, /servers/],
  ['a container', { container: 'c' }, /servers/],
  ['a search', { tools: [{ type: 'web_search_20250305' }] }, /web_search/],
  ['a fetch', { tools: [{ type: 'web_fetch_20250910' }] }, /web_fetch/],
  ['code', { tools: [{ type: 'code_execution_20250825' }] }, /code_execution/],
  ['a set of MCP tools', { tools: [{ type: 'mcp_toolset' }] }, /mcp_toolset/],
  ['a document elsewhere', message({ type: 'document', source: { type: 'url' } }), /addresses/],
  [
    'an image elsewhere in a result',
    message({ type: 'tool_result', content: [{ type: 'image', source: { type: 'url' } }] }),
    /addresses/,
  ],
  ['what is too deep to look at', { messages: deep }, /addresses/],
  ['a list', [], /JSON object/],
  ['a text alone', 'x', /JSON object/],
])('[BND-3.1] %s', (_what, body, why) => {
  const refused = refusedPart(body, ['Bash', 'Read']);
  if (why === null) expect(refused).toBeNull();
  else expect(refused).toMatch(why);
});

it('a search is forwarded for a tier that has the tool', () => {
  expect(refusedPart({ tools: [{ type: 'web_search_20250305' }] }, ['WebSearch'])).toBeNull();
});
