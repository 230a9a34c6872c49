import { expect, it } from 'vitest';
import { agentDigest } from './agent-digest';

it.each([
  ['a summary alone', { summary: 'I looked.' }, 'I looked.'],
  ['empty parts', { summary: 'I looked.', decisions: [], state: '', blockers: [] }, 'I looked.'],
  [
    'all parts',
    {
      summary: 'I looked.',
      decisions: ['Wait', 'Ask'],
      state: 'web is down',
      blockers: ['No key'],
    },
    'I looked.\n\n### Decisions\n- Wait\n- Ask\n\n### State\nweb is down\n\n### Blockers\n- No key',
  ],
])('[CKP-3.1] keeps the words of the agent: %s', (_, digest, text) => {
  expect(agentDigest(digest)).toBe(text);
});
