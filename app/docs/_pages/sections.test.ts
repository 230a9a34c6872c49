import { describe, expect, it } from 'vitest';
import { anchorOf, docSections } from './sections';

describe('the sections of a page', () => {
  it('begin at its headings, and hold the words below them', () => {
    const markdown = [
      '# Title',
      'Intro with **bold** and [a link](a.md#b).',
      '## When `410`',
      '- one',
      '1. two',
      '| a | b \\| c |',
      '| --- | --- |',
      '```sh',
      '# a comment, no heading',
      '```',
      '### Last',
    ].join('\n');
    expect(docSections(markdown)).toEqual([
      { level: 1, heading: 'Title', anchor: 'title', text: 'Intro with bold and a link.' },
      {
        level: 2,
        heading: 'When 410',
        anchor: 'when-410',
        text: 'one two a b | c # a comment, no heading',
      },
      { level: 3, heading: 'Last', anchor: 'last', text: '' },
    ]);
  });

  it.each([
    ['When a receiver fails, 410', 'when-a-receiver-fails-410'],
    ['argv_0 & co.', 'argv_0--co'],
    ['“No runner online”', 'no-runner-online'],
  ])('%s has the anchor %s', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });
});
