import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, it } from 'vitest';
import { code, inline, link } from './markdown';

interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
}

/** What a renderer of GitHub's dialect makes of a document. */
function parse(markdown: string): Node[] {
  const nodes: Node[] = [];
  const visit = (node: Node) => {
    nodes.push(node);
    node.children?.forEach(visit);
  };
  const capture = () => (tree: Node) => visit(tree);
  renderToStaticMarkup(
    // The plugin's types are those of a tree that this test only reads.
    createElement(Markdown, { remarkPlugins: [remarkGfm, capture as never] }, markdown),
  );
  return nodes;
}

/** Kinds of nodes that don't only show text. */
const kindsBesides = (allowed: readonly string[], markdown: string) =>
  parse(markdown)
    .map(({ type }) => type)
    .filter((type) => !allowed.includes(type));
const textOf = (markdown: string) =>
  parse(markdown)
    .filter(({ type }) => type === 'text' || type === 'inlineCode')
    .map(({ value }) => value ?? '')
    .join('');

const ATTACKS = [
  '[click me](https://evil.example)',
  '![pixel](https://evil.example/p.png)',
  '[ref]: https://evil.example',
  '[x][ref] [ref]',
  '<https://evil.example>',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '</li></ul><h1>Owned</h1>',
  '<!-- swallow the rest',
  'https://evil.example/path?a=b',
  'http://evil.example.',
  '(https://evil.example)',
  'xhttps://evil.example',
  'www.evil.example',
  'see:www.evil.example',
  'ops@evil.example',
  'mailto:ops@evil.example',
  'javascript:alert(1)',
  '[a](javascript:alert(1))',
  'ping @everyone and #1',
  '# Heading',
  '## Resolution',
  '- item',
  '+ item',
  '* item',
  '1. item',
  '2) item',
  '> quote',
  '---',
  '***',
  '===',
  '```\ncode\n```',
  '~~~ x',
  '    indented code',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  'first\n\n# Second block',
  'first\r\n- second',
  'line\u2028# after a separator',
  'a  \nhard break',
  'a\\\nhard break',
  '**bold** _em_ ~~gone~~ `code`',
  'unbalanced ` backtick and `` two',
  'ends with a backslash\\',
  '\\[escaped](https://evil.example)',
  '&lt;b&gt; &#60;img&#62; &amp;',
  'text[^1]\n\n[^1]: note',
  '- [x] task',
  '$$x$$ :smile: ==mark==',
  'right \u202eto left',
  '`[a](b)`https://evil.example`',
  '[[[[[[',
  ']]]]](',
  '![',
  '<',
  '&',
  '|',
  '*',
  '_',
];

const TEXT = ['root', 'paragraph', 'text', 'inlineCode'];

describe('[INC-3.3] text of other systems stays text', () => {
  it.each(ATTACKS)('as prose at the beginning of a line: %j', (attack) => {
    expect(kindsBesides(TEXT, inline(attack))).toEqual([]);
  });

  it.each(ATTACKS)('as prose within a line of a list, and as a code span: %j', (attack) => {
    const lines = `- 03:02: ${inline(attack)} end\n- ${code(attack)}\n- after`;
    expect(kindsBesides([...TEXT, 'list', 'listItem'], lines)).toEqual([]);
    expect(parse(lines).filter(({ type }) => type === 'listItem')).toHaveLength(3);
    expect(
      parse(`- x\n- ${code(attack)}`).filter(({ type }) => type === 'inlineCode'),
    ).toHaveLength(1);
  });

  it.each(ATTACKS)('as the label of a link: %j', (attack) => {
    const nodes = parse(`see ${link(attack, 'https://own.example/a')} end`);
    expect(nodes.filter(({ type }) => type === 'link').map(({ url }) => url)).toEqual([
      'https://own.example/a',
    ]);
    expect(nodes.some(({ type }) => type === 'image' || type === 'html')).toBe(false);
  });

  it.each([
    'web is down. Connection refused.',
    'Got 503 (expected 200) for /health, 3.5 s; 2 of 3 tries - it’s “slow”.',
    'a*b_c [d] <e> & f | g ~ h # i \\ j',
    'Get https://api.example/x: EOF',
  ])('reads as it was written: %j', (text) => {
    expect(textOf(inline(text))).toBe(text);
  });

  it.each([
    ['two\n lines', '`two lines`'],
    ['a`b', '``a`b``'],
    ['`a`', '`` `a` ``'],
    ['', '` `'],
  ])('code: %j', (text, span) => {
    expect(code(text)).toBe(span);
  });

  it('cuts what is too long', () => {
    expect(textOf(inline('x'.repeat(5_000)))).toHaveLength(1_001);
    expect(textOf(code('x'.repeat(5_000)))).toHaveLength(501);
  });

  it.each([
    ['https://own.example/a_(b)', 'https://own.example/a_%28b%29'],
    ['https://own.example/a b', 'https://own.example/a%20b'],
    ['https://own.example/a>b<c', 'https://own.example/a%3Eb%3Cc'],
  ])('the address %s can’t end its link', (url, shown) => {
    const links = parse(link('x', url)).filter(({ type }) => type === 'link');
    expect(links.map((node) => node.url)).toEqual([shown]);
  });
});
