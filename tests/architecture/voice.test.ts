import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-files';
import { VOICE_RULES, type VoiceRule } from './voice/rules';
import { REVIEWED_TEXTS } from './voice/samples';
import { brokenRules, type FoundText, textsOfMarkdown, textsOfSource } from './voice/texts';

const PLACES = [
  'app',
  'lib',
  'cli',
  'workers',
  'scripts',
  'prompts',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
];
const TEXT = /\.(?:tsx?|mts|mjs|md)$/;

function filesBelow(place: string): string[] {
  if (TEXT.test(place)) return [place];
  return readdirSync(path.join(ROOT, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(ROOT, path.join(parentPath, name)))
    .map((file) => file.split(path.sep).join('/'))
    .filter(
      (name) =>
        TEXT.test(name) && !/\/(?:generated|fixtures|architecture\/voice)(?:\/|\.)/.test(name),
    )
    .sort();
}

function textsOf(file: string, source: string): FoundText[] {
  return file.endsWith('.md') ? textsOfMarkdown(source) : textsOfSource(source);
}

function violations(places: readonly string[], rules: readonly VoiceRule[]): string[] {
  return places.flatMap(filesBelow).flatMap((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8');
    return textsOf(file, source).flatMap((text) =>
      brokenRules(text, rules).map(({ instead }) => {
        const line = source.slice(0, text.at).split('\n').length;
        return `${file}:${line} ${text.text.slice(0, 120)}  Write: ${instead}.`;
      }),
    );
  });
}

describe('[PAG-3.1] voice', () => {
  it.each(PLACES)('no text or comment of %s uses a phrase that reads as translated', (place) => {
    expect(violations([place], VOICE_RULES)).toEqual([]);
  });

  it('test titles and comments follow the same rules, except those for shown texts', () => {
    const rules = VOICE_RULES.filter((rule) => rule.in === 'everywhere');
    expect(violations(['tests'], rules)).toEqual([]);
  });

  it.each(REVIEWED_TEXTS)(
    'finds the texts of number %i of the wording review',
    (_number, texts) => {
      const missed = texts.filter((text) => {
        const found = textsOfSource(`const text = ${JSON.stringify(text)};`);
        return !found.some((each) => brokenRules(each, VOICE_RULES).length > 0);
      });
      expect(missed).toEqual([]);
    },
  );

  it('no name in code uses a word that engineers have another term for', () => {
    const declared = /\b(?:const|let|function|interface|type|class) (#?\w+)/g;
    const forbidden =
      /(?:^|[a-z])(?:[tT]old|[hH]eard|[wW]ish|[dD]oorbell|[pP]ostures?|InForce|WhatGoes)(?:[A-Z]|$)|^tells?[A-Z]|^(?:MOST|LEAST)_/;
    const found = ['app', 'lib', 'cli', 'workers'].flatMap(filesBelow).flatMap((file) => {
      if (file.endsWith('.md') || file.includes('.test.')) return [];
      const names = readFileSync(path.join(ROOT, file), 'utf8').matchAll(declared);
      return [...names].flatMap(([, name = '']) => (forbidden.test(name) ? `${file} ${name}` : []));
    });
    expect(found, 'Write notified, reported, received, requested, or signal.').toEqual([]);
  });

  it('reads strings, templates, JSX, comments and Markdown, also over line breaks', () => {
    const source = [
      '// It ends',
      '// by itself.',
      `const a = 'told of \\'it\\''; const b = \`at \${when} by`,
      '  hand`;',
      'const c = <p title="x">nobody is',
      '  told {name}</p>;',
    ].join('\n');
    const found = textsOfSource(source).map(({ kind, text }) => `${kind}: ${text}`);
    expect(found).toContain('comment: It ends by itself.');
    expect(found).toContain("shown: told of 'it'");
    expect(found).toContain('shown: at … by hand');
    expect(found).toContain('shown: nobody is told');
    expect(textsOfMarkdown('a\nb\n\n```\nby hand\n```\n').map(({ text }) => text)).toEqual(['a b']);
  });
});
