import { expect, it } from 'vitest';
import { visibleParts } from './safe-text';

function shown(text: string): string {
  return visibleParts(text)
    .map((part) =>
      part.type === 'text' ? part.text : part.type === 'mark' ? `<${part.mark}>` : `{${part.what}}`,
    )
    .join('');
}

it.each([
  ['plain\ttext', 'plain\ttext'],
  ['\u001b[2Kx', '<␛>[2Kx'],
  ['a\u0007b', 'a<␇>b'],
  ['a\rb', 'a<␍>b'],
  ['user\u202etxt.exe', 'user<U+202E>txt.exe'],
  ['pay\u200bments', 'pay<U+200B>ments'],
  ['\u007f\u0085', '<␡><U+0085>'],
  ['token [redacted: GitHub token] end', 'token {GitHub token} end'],
  ['[redacted: ]', '[redacted: ]'],
  ['שלום', 'שלום'],
])('%j is shown as %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});
