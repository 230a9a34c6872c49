/**
 * The part of Markdown in which docs/ is written: headings, paragraphs, lists, tables, code. HTML
 * stays the characters that it is.
 */
import { type Inline, inlinesOf, plainText } from './inlines';

export type Block =
  | { type: 'heading'; level: number; id: string; content: Inline[] }
  | { type: 'paragraph'; content: Inline[] }
  | { type: 'list'; isOrdered: boolean; items: Block[][] }
  | { type: 'code'; language: string; text: string }
  | { type: 'table'; head: Inline[][]; rows: Inline[][][] };

const FENCE = /^(`{3,})\s*(\w*)\s*$/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(?:[-*]|(\d+)\.)\s+/;
const BREAKS_PARAGRAPH = /^(?:`{3}|#{1,6}\s|[-*]\s|\d+\.\s|\||\s*$)/;

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;

  /** Lines from here on while they fit; moves on behind them. */
  function takeWhile(fits: (line: string) => boolean): string[] {
    const end = lines.findIndex((line, index) => index >= at && !fits(line));
    const taken = lines.slice(at, end === -1 ? lines.length : end);
    at += taken.length;
    return taken;
  }

  while (at < lines.length) {
    const line = lines[at] ?? '';
    const [, fence, language = ''] = FENCE.exec(line) ?? [];
    const [, marks, title = ''] = HEADING.exec(line) ?? [];
    if (line.trim() === '') {
      at += 1;
    } else if (fence) {
      at += 1;
      blocks.push({ type: 'code', language, text: takeWhile((one) => one !== fence).join('\n') });
      at += 1;
    } else if (marks) {
      at += 1;
      const content = inlinesOf(title);
      blocks.push({ type: 'heading', level: marks.length, id: anchorOf(content), content });
    } else if (line.startsWith('|')) {
      blocks.push(tableOf(takeWhile((one) => one.startsWith('|'))));
    } else if (ITEM.test(line)) {
      blocks.push(listItem(line, takeItem()));
    } else {
      at += 1;
      const rest = takeWhile((one) => !BREAKS_PARAGRAPH.test(one));
      blocks.push({ type: 'paragraph', content: inlinesOf([line, ...rest].join(' ')) });
    }
  }
  return joinLists(blocks);

  /** An item goes on over indented lines, and over the rest of its first paragraph. */
  function takeItem(): string[] {
    const first = (lines[at] ?? '').replace(ITEM, '');
    at += 1;
    const text = takeWhile((one) => !BREAKS_PARAGRAPH.test(one.trimStart()));
    const inner = takeWhile((one) => one.trim() === '' || /^ {2,}/.test(one));
    return [first, ...text.map((one) => one.trim()), ...dedented(inner)];
  }
}

function listItem(line: string, item: string[]): Block {
  const isOrdered = ITEM.exec(line)?.[1] !== undefined;
  return { type: 'list', isOrdered, items: [blocksOf(item.join('\n'))] };
}

/** Items that follow each other are one list. */
function joinLists(blocks: Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.type === 'list' && last?.type === 'list' && last.isOrdered === block.isOrdered) {
      last.items.push(...block.items);
    } else {
      joined.push(block);
    }
  }
  return joined;
}

function dedented(lines: string[]): string[] {
  const depth = Math.min(...lines.filter(Boolean).map((line) => /^ */.exec(line)?.[0].length ?? 0));
  return lines.map((line) => line.slice(Number.isFinite(depth) ? depth : 0));
}

function tableOf([head = '', , ...rows]: string[]): Block {
  return { type: 'table', head: cellsOf(head), rows: rows.map(cellsOf) };
}

function cellsOf(row: string): Inline[][] {
  const inner = row.trim().replace(/^\||\|$/g, '');
  return inner.split(/(?<!\\)\|/).map((cell) => inlinesOf(cell.trim().replaceAll('\\|', '|')));
}

/** As GitHub makes them, so that links hold in both places. */
function anchorOf(content: readonly Inline[]): string {
  const words = plainText(content).toLowerCase();
  return words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}
