import { describe, expect, it } from 'vitest';
import { messageAbout } from './message';
import { PROBLEM_COMPONENTS } from './problems';
import { wordsOfProblem } from './sentences';

const problem = {
  id: '0193-x',
  component: 'job' as const,
  kind: 'missed_slot' as const,
  subject: 'leases.expire',
  figures: { everyMs: 5_000, failures: 12 },
  since: new Date('2026-11-26T03:00:00Z'),
  until: null as Date | null,
  openingSentAt: null as Date | null,
};
const URL = 'https://tierwatch.example';

describe('[INC-4.1] the message about a problem', () => {
  it('says what is wrong, since when, and what to do', () => {
    const { id, subject, text } = messageAbout(problem, URL);
    expect(id).toBe('problem-0193-x-opened');
    expect(subject).toBe('[Tierwatch] The job leases.expire is late');
    expect(text).toContain('since 2026-11-26T03:00:00.000Z');
    expect(text).toContain(
      'It is due every 5.0s and hasn’t succeeded since then. It ran and failed.',
    );
    expect(text).toContain('Search the worker’s log');
    expect(text).toContain(URL);
  });

  it('about its end says how long it lasted', () => {
    const until = new Date('2026-11-26T03:04:00Z');
    const sent = messageAbout({ ...problem, until, openingSentAt: problem.since }, URL);
    expect(sent.id).not.toBe('problem-0193-x-opened');
    expect(sent.subject).toBe('[Tierwatch] Resolved: The job leases.expire is late');
    expect(sent.text).toContain('Resolved after 4m 00s');
    expect(sent.text).not.toContain('It is due every');
  });

  it('says both in one where nothing was sent before', () => {
    const { text } = messageAbout({ ...problem, until: new Date('2026-11-26T03:04:00Z') }, URL);
    expect(text).toContain('Resolved after 4m 00s');
    expect(text).toContain('It is due every 5.0s');
  });

  it.each(PROBLEM_COMPONENTS)('has words for every problem of %s', (component) => {
    const { title, sentence, advice } = wordsOfProblem({ ...problem, component });
    for (const text of [title, sentence, advice]) expect(text).not.toMatch(/undefined|NaN|^$/);
  });
});
