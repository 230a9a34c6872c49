import { type CheckRules, checkKind, instanceFact, startedAtFact } from '../check-kind';

export const process = checkKind({
  word: 'Process',
  target: { label: 'Name or pid file', example: '/run/web.pid' },
  since: 1,
  startsProgram: true,
  isLocal: true,
  fields: {},
});

export const processRules = {
  target: 'a name',
  facts: { startedAt: startedAtFact, instance: instanceFact },
  texts: {},
} satisfies CheckRules<typeof process.fields>;
