import type { Element, ElementContent, Root as HtmlRoot, RootContent } from 'hast';
import type { Nodes } from 'mdast';
import type { Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { visibleParts } from '../ui/safe-text';

/** Constructs that stay the characters they are. */
const PLAIN = [
  ...['htmlFlow', 'htmlText'],
  // Only what the author made a link leads anywhere.
  ...['wwwAutolink', 'protocolAutolink', 'emailAutolink'],
  ...['gfmFootnoteCall', 'gfmPotentialFootnoteCall', 'gfmFootnoteDefinition', 'tasklistCheck'],
];

const BLOCKS = [
  ...['blockQuote', 'codeFenced', 'codeIndented', 'definition', 'headingAtx'],
  ...['list', 'setextUnderline', 'thematicBreak', 'table'],
];

type Plugins = NonNullable<Options['remarkPlugins']>;

interface ParserData {
  micromarkExtensions?: object[];
  fromMarkdownExtensions?: object[];
}

function disable(this: { data(): object }, constructs: readonly string[]): void {
  const data: ParserData = this.data();
  data.micromarkExtensions?.push({ disable: { null: constructs } });
  // Links are also made of addresses in finished text, by the only extension with a transform.
  data.fromMarkdownExtensions = data.fromMarkdownExtensions
    ?.flat()
    .filter((extension) => !Object.hasOwn(extension, 'transforms'));
}

/** Every list item holds paragraphs, whether or not blank lines stand between the items. */
function spreadLists() {
  return function spread(node: Nodes): void {
    if (node.type === 'list') node.spread = true;
    if ('children' in node) node.children.forEach(spread);
  };
}

const GFM: Plugins = [[remarkGfm, { singleTilde: false }], spreadLists];

/** GitHub's Markdown without HTML, footnotes, check boxes, and links that nobody wrote as links. */
export const TEXT_PLUGINS: Plugins = [...GFM, [disable, PLAIN]];

/** One paragraph: whatever it begins with, it's no list and no heading. */
export const LINE_PLUGINS: Plugins = [...GFM, [disable, [...PLAIN, ...BLOCKS]]];

/** Makes hidden characters `mark` elements and redactions `samp` elements, as SafeText shows them. */
export function showHidden() {
  return function show(parent: HtmlRoot | Element): void {
    parent.children = (parent.children as RootContent[]).flatMap((child) => {
      if (child.type === 'text') return visibleParts(child.value).map(visibleNode);
      if (child.type === 'element') show(child);
      return child as ElementContent;
    });
  };
}

function visibleNode(part: ReturnType<typeof visibleParts>[number]): ElementContent {
  if (part.type === 'text') return { type: 'text', value: part.text };
  const [tagName, text, properties] =
    part.type === 'redacted'
      ? (['samp', part.what, {}] as const)
      : (['mark', part.mark, { title: part.name }] as const);
  return { type: 'element', tagName, properties, children: [{ type: 'text', value: text }] };
}

/** The text of an element and everything in it. */
export function textOf(node: Element | undefined): string {
  const parts = node?.children ?? [];
  return parts
    .map((part) =>
      part.type === 'text' ? part.value : part.type === 'element' ? textOf(part) : '',
    )
    .join('');
}
