import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { foldLines, hasFoldedMatch, outputLines, parseAnsi } from './output';
import { OutputBlock } from './output-block';

const lines = Array.from({ length: 214 }, (_, index) => `line ${index + 1}.`).join('\n');

function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, ' ');
}

it('[SAS-4.2] shows the first 3 and last 12 lines of an output and offers the rest', () => {
  const text = textOf(
    renderToStaticMarkup(createElement(OutputBlock, { text: lines, stream: 'stdout' })),
  );
  expect(text).toContain('line 3.');
  expect(text).not.toContain('line 4.');
  expect(text).not.toContain('line 202.');
  expect(text).toContain('line 203.');
  expect(text.replace(/\s+/g, ' ')).toContain('Show all 214 lines');
});

it('[CKP-5.1] shows a redaction by its kind', () => {
  const html = renderToStaticMarkup(
    createElement(OutputBlock, { text: 'key=[redacted: GitHub token]', stream: 'stdout' }),
  );
  expect(html).not.toContain('[redacted');
  expect(textOf(html)).toMatch(/redacted:\s+GitHub token/);
});

it('takes markup of systems as text', () => {
  const hostile = '<img src=x onerror=alert(1)> ![x](http://a.example) [y](https://a.example)';
  const html = renderToStaticMarkup(
    createElement(OutputBlock, { text: hostile, stream: 'stdout' }),
  );
  expect(html).not.toContain('<img');
  expect(html).not.toContain('<a ');
  expect(html).toContain('&lt;img');
});

const ESC = '\u001b';

describe('terminal colours', () => {
  it.each([
    ['31', 'bad'],
    ['32', 'ok'],
    ['33', 'wait'],
    ['34', 'run'],
    ['35', 'tier'],
    ['36', 'link'],
    ['90', 'grey'],
    ['91', 'bad'],
    ['37', null],
  ])('code %s is %s', (code, color) => {
    expect(parseAnsi(`${ESC}[${code}mword`)).toEqual([{ text: 'word', color, isBold: false }]);
  });

  it('takes bold and colour together and resets both', () => {
    expect(parseAnsi(`a${ESC}[1;31mb${ESC}[mc`)).toEqual([
      { text: 'a', color: null, isBold: false },
      { text: 'b', color: 'bad', isBold: true },
      { text: 'c', color: null, isBold: false },
    ]);
  });

  it('does not read the numbers of a 256-colour code as colours', () => {
    expect(parseAnsi(`${ESC}[38;5;31mx${ESC}[48;2;31;32;33my`)).toEqual([
      { text: 'x', color: null, isBold: false },
      { text: 'y', color: null, isBold: false },
    ]);
  });

  it('leaves codes that move the cursor in the text', () => {
    expect(parseAnsi(`${ESC}[2Kx`)[0]?.text).toBe(`${ESC}[2Kx`);
  });
});

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe('folding output', () => {
  it.each([
    [1, 1, 0, 0],
    [16, 16, 0, 0],
    [17, 3, 2, 12],
    [214, 3, 199, 12],
  ])('%i lines show %i, hide %i, show %i', (total, head, hidden, tail) => {
    const folded = foldLines(linesOf(total));
    expect([folded.head.length, folded.hiddenCount, folded.tail.length]).toEqual([
      head,
      hidden,
      tail,
    ]);
  });

  it('shows the very first and the very last lines', () => {
    const folded = foldLines(linesOf(214));
    expect(folded.head[0]).toBe('line 1');
    expect(folded.tail.at(-1)).toBe('line 214');
  });

  it('does not count the newline at the end as a line', () => {
    expect(outputLines('a\r\nb\n')).toEqual(['a', 'b']);
    expect(outputLines('')).toEqual([]);
  });
});

describe('a match in folded output', () => {
  it.each([
    ['in a folded line', linesOf(40), 'line 20', true],
    ['with other capitals', linesOf(40), ' LINE 20 ', true],
    ['in a line that is shown', linesOf(40), 'line 40', false],
    ['in no line', linesOf(40), 'line 41', false],
    ['without words', linesOf(40), ' ', false],
    ['in output that is whole', linesOf(16), 'line 5', false],
  ])('%s', (_what, output, words, isFolded) => {
    expect(hasFoldedMatch(output, words)).toBe(isFolded);
  });
});
