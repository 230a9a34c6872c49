import { expect, it } from 'vitest';
import { type Inline, proseBlocks } from './prose-blocks';

const words = (content: Inline[]) =>
  content
    .map((part) => (part.type === 'text' ? part.text : `<${part.type} ${part.text}>`))
    .join('');

function shown(text: string): string[] {
  return proseBlocks(text).map((block) => {
    if (block.type === 'code') return `code(${block.text})`;
    if (block.type === 'list') {
      return `${block.isOrdered ? 'ol' : 'ul'}(${block.items.map(words).join('|')})`;
    }
    return `${block.type}(${words(block.content)})`;
  });
}

it.each([
  ['one\ntwo\n\nthree', ['paragraph(one\ntwo)', 'paragraph(three)']],
  ['## Result\nall well', ['heading(Result)', 'paragraph(all well)']],
  ['- a\n- b\n1. c', ['ul(a|b)', 'ol(c)']],
  ['- a\n  goes on', ['ul(a goes on)']],
  ['restart `api` **now**', ['paragraph(restart <code api> <strong now>)']],
  ['```sh\nls **x**\n\npwd\n```\nend', ['code(ls **x**\n\npwd)', 'paragraph(end)']],
  ['```\nnever closed', ['code(never closed)']],
  ['![x](http://a.example/b) <img src=x>', ['paragraph(![x](http://a.example/b) <img src=x>)']],
  ['[here](javascript:alert(1))', ['paragraph([here](javascript:alert(1)))']],
  ['2 * 3 ** 4 ** 5', ['paragraph(2 * 3 ** 4 ** 5)']],
])('%j', (text, blocks) => {
  expect(shown(text)).toEqual(blocks);
});
