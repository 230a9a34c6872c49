import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Answer } from './answer';

const draw = (markdown: string) => renderToStaticMarkup(createElement(Answer, { markdown }));

describe('an answer of the agent', () => {
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
  ])('makes no link of %s', (markdown) => {
    expect(draw(markdown)).not.toMatch(/href|javascript:alert\(1\)"/i);
  });

  it('loads no pictures', () => {
    const html = draw('![state](https://evil.example/p.png?secret=1)');
    expect(html).not.toMatch(/<img|evil\.example/);
    expect(html).toContain('state');
  });

  it('says where a link leads', () => {
    const html = draw('[the guide](https://docs.example/restart)');
    expect(html).toContain('href="https://docs.example/restart"');
    expect(html).toContain('rel="noopener noreferrer nofollow"');
    expect(html).toContain('(docs.example)');
    expect(draw('<https://docs.example/restart>')).not.toContain('(docs.example)');
  });

  it('shows what hides in a text', () => {
    expect(draw('safe\u202Etxt.exe')).not.toContain('\u202E');
  });
});
