import { expect, it } from 'vitest';
import { incidentFigures } from '@/lib/insight/incident-figures/figures';
import { incidentsSentence, leftOutSentence } from './incidents-sentence';

const NONE = incidentFigures([], [], new Date());
const RECURRENCE = { ended: 0, recurred: 0, undecided: 0, rate: null, isSmall: true };

type Figures = typeof NONE;

it.each<[Partial<Figures>, boolean, string]>([
  [{}, false, 'No incident was opened in the last 7 days.'],
  [
    { incidents: 1, unresolved: 1 },
    false,
    '1 incident in the last 7 days, of which 1 isn’t resolved. No chain reported a fix.',
  ],
  [
    {
      ...{ incidents: 12, unresolved: 2, resolvedByPerson: 3 },
      fixes: {
        ...NONE.fixes,
        ...{ reported: 6, proven: 4, recurred: 1 },
      },
      recurrence: {
        ...RECURRENCE,
        ended: 10,
        recurred: 2,
        undecided: 2,
        rate: 0.25,
        isSmall: false,
      },
    },
    true,
    '12 incidents in the last 7 days, of which 2 aren’t resolved. A person resolved 3, so no checks proved those recoveries. Chains reported 6 fixes: 4 proven, 1 came back. The same service failed again within 24 h after 2 of 8 (25%). 2 ended less than 24 h ago. Only the newest 2,000 are counted.',
  ],
  [
    {
      ...{ incidents: 1, resolvedByPerson: 1 },
      recurrence: { ...RECURRENCE, ended: 1, recurred: 1, rate: 1 },
    },
    false,
    '1 incident in the last 7 days. A person resolved 1, so no checks proved that recovery. No chain reported a fix. The same service failed again within 24 h after 1 of 1 (100%, a small sample).',
  ],
])('[INC-3.2] sums incidents up: %#', (figures, isCut, sentence) => {
  const rangeWords = 'the last 7 days';
  expect(incidentsSentence({ figures: { ...NONE, ...figures }, rangeWords, isCut })).toBe(sentence);
});

it.each([
  [{}, null],
  [
    { reported: 3, removed: 1, otherwise: 2 },
    'Not counted as fixed: 3 over only by the report of alert sources, 1 over because nothing checks the services anymore, 2 ended in another way.',
  ],
  [
    { merged: 2, wellByRemoval: 1 },
    'Without a time to fix: 1 verified because a service was removed. Not counted: 2 merged into another incident.',
  ],
])('[INC-3.2] says what figures leave out: %j', (leftOut, sentence) => {
  expect(leftOutSentence({ ...NONE.leftOut, ...leftOut })).toBe(sentence);
});
