import {
  type CheckRules,
  checkKind,
  instanceFact,
  restartsFact,
  startedAtFact,
  stateFact,
} from '../check-kind';

export const container = checkKind({
  word: 'Container',
  target: { label: 'Name', example: 'payments-db' },
  since: 1,
  startsProgram: true,
  isLocal: true,
  fields: {},
});

export const containerRules = {
  target: 'a name',
  facts: {
    state: stateFact,
    restarts: restartsFact,
    startedAt: startedAtFact,
    instance: instanceFact,
  },
  texts: {},
} satisfies CheckRules<typeof container.fields>;
