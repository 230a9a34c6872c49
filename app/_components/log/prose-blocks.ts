export type Inline =
  | { type: 'text'; text: string }
  | { type: 'strong'; text: string }
  | { type: 'code'; text: string };

export type ProseBlock =
  | { type: 'paragraph'; content: Inline[] }
  | { type: 'heading'; content: Inline[] }
  | { type: 'list'; isOrdered: boolean; items: Inline[][] }
  | { type: 'code'; text: string };

/**
 * The part of Markdown that an agent's prose may have: paragraphs, headings, flat lists, bold,
 * code. Links, images and HTML stay the characters that they are.
 */
export function proseBlocks(text: string): ProseBlock[] {
  const blocks: ProseBlock[] = [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let isNew = true;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      const end = lines.findIndex((other, at) => at > index && other.trim().startsWith(fence));
      const last = end === -1 ? lines.length : end;
      blocks.push({ type: 'code', text: lines.slice(index + 1, last).join('\n') });
      index = last;
      isNew = true;
    } else if (line.trim() === '') {
      isNew = true;
    } else {
      addLine(blocks, line, isNew);
      isNew = false;
    }
  }
  return blocks;
}

function addLine(blocks: ProseBlock[], line: string, isNew: boolean) {
  const heading = /^#{1,6}\s+(.*)$/.exec(line);
  const item = /^\s*(?:([-*+])|\d{1,3}[.)])\s+(.*)$/.exec(line);
  const last = blocks.at(-1);
  if (heading) {
    blocks.push({ type: 'heading', content: inlines(heading[1] ?? '') });
  } else if (item) {
    const isOrdered = item[1] === undefined;
    const content = inlines(item[2] ?? '');
    if (last?.type === 'list' && last.isOrdered === isOrdered) last.items.push(content);
    else blocks.push({ type: 'list', isOrdered, items: [content] });
  } else if (!isNew && last?.type === 'paragraph') {
    last.content.push(...inlines(`\n${line}`));
  } else if (!isNew && last?.type === 'list') {
    last.items.at(-1)?.push(...inlines(` ${line.trim()}`));
  } else {
    blocks.push({ type: 'paragraph', content: inlines(line) });
  }
}

function inlines(text: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(/`([^`\n]+)`|\*\*(\S(?:[^*\n]*\S)?)\*\*/g)) {
    if (match.index > from) parts.push({ type: 'text', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    if (match[1] !== undefined) parts.push({ type: 'code', text: match[1] });
    else parts.push({ type: 'strong', text: match[2] ?? '' });
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) });
  return parts;
}
