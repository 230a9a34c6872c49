/** The Markdown of docs/ and of the API's descriptions. HTML stays the characters that it is. */
import type { PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { toString as textOf } from 'mdast-util-to-string';
import { gfmTable } from 'micromark-extension-gfm-table';

const HTML = ['htmlFlow', 'htmlText'];
const BLOCKS = [
  ...['blockQuote', 'codeFenced', 'codeIndented', 'definition', 'headingAtx'],
  ...['list', 'setextUnderline', 'thematicBreak'],
];

/** What a page consists of, from its top to its end. */
export function blocksOf(markdown: string): RootContent[] {
  return fromMarkdown(markdown, {
    extensions: [gfmTable(), { disable: { null: HTML } }],
    mdastExtensions: [gfmTableFromMarkdown()],
  }).children;
}

/** A text of one paragraph: whatever it begins with, it is no list and no heading. */
export function inlinesOf(text: string): PhrasingContent[] {
  const { children } = fromMarkdown(text, {
    extensions: [{ disable: { null: [...HTML, ...BLOCKS] } }],
  });
  return children.flatMap((block) => (block.type === 'paragraph' ? block.children : []));
}

/** The anchor of a heading as GitHub makes it, so that links hold in both places. */
export function anchorOf(heading: RootContent): string {
  const words = textOf(heading).toLowerCase();
  return words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}
