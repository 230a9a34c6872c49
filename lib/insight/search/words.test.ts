import { describe, expect, it } from 'vitest';
import { containing, snippetOf, wordsOf } from './words';

describe('[PAG-1.4] the words of a query', () => {
  it.each([
    ['docker  restart', ['docker', 'restart']],
    ['  ', []],
    ['a b c d e f g h i j', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
    ["!& | ':*", ['!&', '|', "':*"]],
  ])('%j', (query, words) => {
    expect(wordsOf(query)).toEqual(words);
  });

  it.each([
    ['web', '%web%'],
    ['100%', '%100\\%%'],
    ['a_b', '%a\\_b%'],
    ['c:\\x', '%c:\\\\x%'],
  ])('%s is found as it stands', (word, pattern) => {
    expect(containing(word)).toBe(pattern);
  });
});

describe('[PAG-1.4] a snippet', () => {
  const textOf = (text: string, query: string) =>
    snippetOf(text, wordsOf(query))
      .map((part) => (part.isMatch ? `<${part.text}>` : part.text))
      .join('');

  it.each([
    ['marks every word', 'docker restart web', 'WEB docker', '<docker> restart <web>'],
    ['stays on one line', 'a\n  b\tc', 'b', 'a <b> c'],
    ['takes signs as they stand', 'curl a.b (c)', 'a.b (c)', 'curl <a.b> <(c)>'],
    ['has no mark without a match', 'nothing here', 'web', 'nothing here'],
  ])('%s', (_what, text, query, shown) => {
    expect(textOf(text, query)).toBe(shown);
  });

  it('begins shortly before the first match of a long text, and is cut', () => {
    const shown = textOf(`${'before '.repeat(50)}needle ${'after '.repeat(50)}`, 'needle');
    expect(shown).toMatch(/^…(?:before ){1,6}<needle> after .*…$/);
    expect(shown.length).toBeLessThan(150);
  });
});
