import { describe, expect, it } from 'vitest';
import { agentsAffected, type HistoryTurn, visibleSlice } from './turns';

/** `A1 B2 A3`: the agent's letter and the turn's id. */
function turns(text: string): HistoryTurn[] {
  return text.split(' ').flatMap((word) => (word ? [{ id: word, agent: word.slice(0, 1) }] : []));
}

const ids = (history: readonly HistoryTurn[]) => history.map(({ id }) => id).join(' ');

describe('the slice that an agent sees', () => {
  it.each([
    ['', 'A', ''],
    ['A1', 'A', 'A1'],
    ['A1 A2', 'A', 'A1 A2'],
    ['A1 B2', 'A', ''],
    ['A1 B2', 'B', 'B2'],
    ['A1 B2 A3 A4', 'A', 'A3 A4'],
    ['A1 B2 A3 A4', 'B', ''],
    ['A1 B2 C3 B4', 'B', 'B4'],
    ['A1', 'C', ''],
  ])('[CNV-2.5] of %j for %s is %j', (history, agent, expected) => {
    expect(ids(visibleSlice(turns(history), agent))).toBe(expected);
  });
});

describe('whose view an edit changes', () => {
  it.each([
    ['the last turn of the only agent', 'A1 A2', 'A1', ['A']],
    ['everything', 'A1 A2', '', ['A']],
    ['nothing', 'A1 B2', 'A1 B2', []],
    ['a turn that another agent has left behind', 'A1 B2 A3', 'A1 B2', ['A', 'B']],
    ['the own turn after one of another agent', 'B1 A2 A3', 'B1 A2', ['A']],
    ['of three agents only the one that spoke last', 'C1 B2 A3 A4', 'C1 B2 A3', ['A']],
  ])('[CNV-2.2] cutting %s', (_what, before, after, expected) => {
    expect(agentsAffected(turns(before), turns(after))).toEqual(expected);
  });

  it.each([
    ['with what followed it', 'B1 A2 A3', '', ['A']],
    ['as the last turn, so that the other agent is the newest again', 'A1 B2', 'A1', ['A', 'B']],
    ['and what is sent again comes from the same agent', 'B1 A2', 'B9', ['B', 'A']],
  ])('[CNV-2.3] a turn at the boundary, %s', (_what, before, after, expected) => {
    expect(agentsAffected(turns(before), turns(after))).toEqual(expected);
  });
});
