import { expect, it } from 'vitest';
import { callTitle } from './call-title';

it.each([
  ['Bash', { command: 'docker ps' }, '$ docker ps'],
  ['Read', { file_path: '/etc/hosts' }, 'Read /etc/hosts'],
  ['Edit', { file_path: 'a.yml', old_string: 'x', new_string: 'y\nz\nw' }, 'Edit a.yml +3 −1'],
  ['Write', { file_path: 'a.yml', content: 'x\ny\n' }, 'Write a.yml +2 −0'],
  ['Grep', { pattern: 'ERROR' }, 'Grep ERROR'],
  ['mcp__tierwatch__check', { service: 'api' }, 'mcp tierwatch/check service: api'],
  ['StructuredOutput', { summary: 'web is down.', findings: [] }, 'Report web is down.'],
  ['StructuredOutput', { answer: 42 }, 'Report '],
  ['Odd', { count: 3 }, 'Odd count: 3'],
  ['Bash', { command: 7 }, '$ '],
])('%s %j reads %s', (tool, input, expected) => {
  const { mark, text, change } = callTitle(tool, input);
  expect(`${mark} ${text}${change ? ` +${change.added} −${change.removed}` : ''}`).toBe(expected);
});
