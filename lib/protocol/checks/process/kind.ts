import { type CheckRules, checkKind, instanceFact, startedAtFact } from '../check-kind';

export const process = checkKind({
  word: 'Process',
  target: { label: 'Name or pid file', example: '/run/web.pid' },
  since: 1,
  isLocal: true,
  fields: {},
  facts: { startedAt: startedAtFact, instance: instanceFact },
});

export const processRules: CheckRules<typeof process.fields> = { target: 'a name', texts: {} };
