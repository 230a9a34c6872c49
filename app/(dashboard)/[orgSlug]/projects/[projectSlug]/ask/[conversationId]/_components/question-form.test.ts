import { describe, expect, it } from 'vitest';
import { answersOf, answerText, type Choice, NO_CHOICE, withLabel } from './question-form';

const one = { question: 'Which service?', multiSelect: false };
const several = { question: 'Which hosts?', multiSelect: true };

describe('an answer', () => {
  it.each<[typeof one, Choice, string]>([
    [one, NO_CHOICE, ''],
    [one, { labels: ['web'], own: ' ' }, 'web'],
    [one, { labels: ['web'], own: ' the other one ' }, 'the other one'],
    [several, { labels: ['eu-1', 'eu-2'], own: '' }, 'eu-1, eu-2'],
    [several, { labels: ['eu-1'], own: 'and lab' }, 'eu-1, and lab'],
    [several, { labels: [], own: '' }, ''],
  ])('of %j with %j is %j', (asked, choice, text) => {
    expect(answerText(asked, choice)).toBe(text);
  });

  it('[CNV-4.2] is complete only when every question has one', () => {
    const choices = new Map([[one.question, { labels: ['web'], own: '' }]]);
    expect(answersOf([one, several], choices)).toBeNull();
    choices.set(several.question, { labels: ['eu-1'], own: '' });
    expect(answersOf([one, several], choices)).toEqual([
      { question: 'Which service?', answer: 'web' },
      { question: 'Which hosts?', answer: 'eu-1' },
    ]);
  });

  it('takes the place of own words where only one is wanted, and adds where several are', () => {
    expect(withLabel(one, { labels: ['web'], own: 'x' }, 'api')).toEqual({
      labels: ['api'],
      own: '',
    });
    const first = withLabel(several, NO_CHOICE, 'eu-1');
    const second = withLabel(several, first, 'eu-2');
    expect(second.labels).toEqual(['eu-1', 'eu-2']);
    expect(withLabel(several, second, 'eu-1').labels).toEqual(['eu-2']);
  });
});
