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
  isLocal: true,
  fields: {},
  facts: {
    state: stateFact,
    restarts: restartsFact,
    startedAt: startedAtFact,
    instance: instanceFact,
  },
});

export const containerRules: CheckRules<typeof container.fields> = { target: 'a name', texts: {} };
