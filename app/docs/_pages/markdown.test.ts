import { describe, expect, it } from 'vitest';
import { anchorOf, blocksOf, inlinesOf } from './markdown';

describe('the Markdown of docs/', () => {
  it('keeps HTML as the characters that it is', () => {
    expect(blocksOf('<b>x</b>\n\nand <i>y</i>')).toMatchObject([
      { type: 'paragraph', children: [{ type: 'text', value: '<b>x</b>' }] },
      { type: 'paragraph', children: [{ type: 'text', value: 'and <i>y</i>' }] },
    ]);
  });

  it('reads a table, with a bar inside a cell', () => {
    const [table] = blocksOf('| a | b |\n| --- | --- |\n| `x` | y \\| z |');
    expect(table).toMatchObject({
      type: 'table',
      children: [
        { children: [{ children: [{ value: 'a' }] }, { children: [{ value: 'b' }] }] },
        { children: [{ children: [{ type: 'inlineCode' }] }, { children: [{ value: 'y | z' }] }] },
      ],
    });
  });

  it.each([
    ['## When a receiver fails, `410`', 'when-a-receiver-fails-410'],
    ['# Über **alle** [Stufen](a.md)', 'über-alle-stufen'],
    ['### argv_0 & co.', 'argv_0--co'],
  ])('gives %s the anchor that GitHub makes', (markdown, anchor) => {
    expect(blocksOf(markdown).map(anchorOf)).toEqual([anchor]);
  });
});

describe('a description of one paragraph', () => {
  it.each(['- 1 means none.', '# of turns.', '1. of the month', '    indented', '> 0', '---'])(
    'is no list and no heading: %s',
    (text) => {
      expect(inlinesOf(text)).toMatchObject([{ type: 'text', value: text.trim() }]);
    },
  );

  it('holds code, bold and links', () => {
    expect(inlinesOf('**`a`** or [b](c.md)').map(({ type }) => type)).toEqual([
      ...['strong', 'text', 'link'],
    ]);
  });
});
