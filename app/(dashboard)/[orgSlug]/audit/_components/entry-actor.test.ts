import { expect, it } from 'vitest';
import { entryActor } from './entry-actor';

it.each([
  ['ana@acme.example', 'user:0199', 'ana@acme.example'],
  ['0199', 'user:0199', ''],
  ['token CI', 'api_token:0199', 'CI'],
  ['runner eu-1', 'runner:0199', 'eu-1'],
  ['system', 'system:schedule', 'system'],
])('is named %s', (name, actor, actorLabel) => {
  expect(entryActor({ actor, actorLabel })).toBe(name);
});
