import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
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
