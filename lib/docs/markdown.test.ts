import { describe, expect, it } from 'vitest';
import { blocksOf } from './markdown';

const text = (words: string) => [{ type: 'text', text: words }];
const paragraph = (words: string) => ({ type: 'paragraph', content: text(words) });

describe('the Markdown of docs/', () => {
  it.each([
    ['two lines of one paragraph', 'one\ntwo\n\nthree', [paragraph('one two'), paragraph('three')]],
    [
      'a heading, with the anchor that GitHub makes',
      '## When a receiver fails, `410`\nso',
      [
        {
          type: 'heading',
          level: 2,
          id: 'when-a-receiver-fails-410',
          content: [
            { type: 'text', text: 'When a receiver fails, ' },
            { type: 'code', text: '410' },
          ],
        },
        paragraph('so'),
      ],
    ],
    [
      'code as it stands, marks and all',
      '```sh\n# no heading\n\n- **no** list\n```',
      [{ type: 'code', language: 'sh', text: '# no heading\n\n- **no** list' }],
    ],
    [
      'a list whose items go on, and hold code',
      '1. Run it\n   on the host:\n\n   ```sh\n   npm start\n     --x\n   ```\n\n2. Wait.\n\nAfter.',
      [
        {
          type: 'list',
          isOrdered: true,
          items: [
            [
              paragraph('Run it on the host:'),
              { type: 'code', language: 'sh', text: 'npm start\n  --x' },
            ],
            [paragraph('Wait.')],
          ],
        },
        paragraph('After.'),
      ],
    ],
    [
      'a table, with a bar inside a cell',
      '| a | b |\n| --- | --- |\n| `x` | y \\| z |',
      [
        {
          type: 'table',
          head: [text('a'), text('b')],
          rows: [[[{ type: 'code', text: 'x' }], text('y | z')]],
        },
      ],
    ],
    [
      'bold with code in it, and a link',
      '**POST with `Key`** is [done](api.md#once).',
      [
        {
          type: 'paragraph',
          content: [
            {
              type: 'strong',
              content: [
                { type: 'text', text: 'POST with ' },
                { type: 'code', text: 'Key' },
              ],
            },
            { type: 'text', text: ' is ' },
            { type: 'link', href: 'api.md#once', content: text('done') },
            { type: 'text', text: '.' },
          ],
        },
      ],
    ],
    ['HTML as text', '<b>x</b>', [paragraph('<b>x</b>')]],
  ])('reads %s', (_what, markdown, blocks) => {
    expect(blocksOf(markdown)).toEqual(blocks);
  });
});
