import { type CheckRules, checkKind, instanceFact, restartsFact, stateFact } from '../check-kind';

export const service = checkKind({
  word: 'systemd unit',
  target: { label: 'Unit', example: 'nginx.service' },
  since: 1,
  isLocal: true,
  fields: {},
  facts: { state: stateFact, restarts: restartsFact, instance: instanceFact },
});

export const serviceRules: CheckRules<typeof service.fields> = {
  target: 'a systemd unit',
  texts: {},
};
