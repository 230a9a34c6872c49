import { type CheckRules, checkKind, instanceFact, restartsFact, stateFact } from '../check-kind';

export const service = checkKind({
  word: 'systemd unit',
  target: { label: 'Unit', example: 'nginx.service' },
  since: 1,
  startsProgram: true,
  isLocal: true,
  fields: {},
});

export const serviceRules = {
  target: 'a systemd unit',
  facts: { state: stateFact, restarts: restartsFact, instance: instanceFact },
  texts: {},
} satisfies CheckRules<typeof service.fields>;
