import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { DocLine, DocMarkdown } from './doc-markdown';

const page = (text: string) => renderToStaticMarkup(createElement(DocMarkdown, { text }));
const line = (text: string) => renderToStaticMarkup(createElement(DocLine, { text }));

describe('the Markdown of docs/', () => {
  it('keeps HTML as the characters that it is', () => {
    const html = page('<b>x</b>\n\nand <i>y</i>');
    expect(html).toContain('&lt;b&gt;x&lt;/b&gt;');
    expect(html).toContain('and &lt;i&gt;y&lt;/i&gt;');
  });

  it('draws a table, with a bar inside a cell', () => {
    const html = page('| a | b |\n| --- | --- |\n| `x` | y \\| z |').replace(/ class="[^"]*"/g, '');
    expect(html).toContain('<th scope="col">a</th>');
    expect(html).toContain('<td><code>x</code></td>');
    expect(html).toContain('<td>y | z</td>');
  });

  it.each([
    ['## When a receiver fails, `410`', 'h2', 'when-a-receiver-fails-410'],
    ['# Über **alle** [Stufen](a.md)', 'h1', 'über-alle-stufen'],
    ['### argv_0 & co.', 'h3', 'argv_0--co'],
  ])('gives %s the anchor that GitHub makes', (markdown, tag, anchor) => {
    expect(page(markdown)).toContain(`<${tag} id="${anchor}"`);
  });

  it('offers to copy a block of code', () => {
    expect(page('```sh\nnpm start\n```')).toContain('aria-label="Copy code"');
  });

  it('opens other sites in a tab of their own, and its own pages here', () => {
    expect(page('[a](https://a.example/)')).toContain('target="_blank"');
    expect(page('[b](api.md#tokens)')).toMatch(/<a(?![^>]*target)[^>]*href="\/docs\/api#tokens"/);
  });
});

describe('a description of one paragraph', () => {
  it.each([
    ...['- 1 means none.', '# of turns.', '1. of the month', '    indented'],
    ...['&gt; 0', '---', '| a | b |\n| - | - |'],
  ])('is no list, heading or table: %s', (text) => {
    expect(line(text)).toBe(text.trim());
  });

  it('holds code, bold and links', () => {
    const tags = [...line('**`a`** or [b](c.md)').matchAll(/<(\w+)/g)].map(([, tag]) => tag);
    expect(tags).toEqual(['strong', 'code', 'a']);
  });
});
