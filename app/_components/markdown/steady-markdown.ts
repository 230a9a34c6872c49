/** Marks that make no text of their own: a bullet, the line below a heading, a fence. */
const MARKS_ALONE = /^[\s>|*+=#~`:-]*(?:\d{1,3}[.)])?\s*$/;

/** Of code, of bold and of struck words, and a single one where it stands at the edge of a word. */
const MARKS = /`+|\*\*|~~|(?<![\w*])[_*](?=\S)|(?<=[^\s*])[_*](?![\w*])/g;

/**
 * Markdown that is being written, as far as it will look the same when it is whole: what is bold,
 * slanted or code is so from its first word on, and a list, a heading or a table shows once it is one.
 */
export function steadyMarkdown(text: string): string {
  const fences = text.match(/^\s*(?:```|~~~)/gm) ?? [];
  // Within a block of code everything is text.
  if (fences.length % 2 === 1) return text;
  const at = text.search(/(?:^|\n)[^\n]*\s*$/);
  const lastLine = text.slice(at).trim();
  const rest = MARKS_ALONE.test(lastLine) ? text.slice(0, at) : text;
  const start = Math.max(0, rest.trimEnd().lastIndexOf('\n\n') + 2);
  const from = rest.trimEnd().includes('\n\n') ? start : 0;
  const block = rest.slice(from);
  return rest.slice(0, from) + (block.startsWith('|') ? wholeRows(block) : closed(block));
}

/** A header is a paragraph until a row stands below it. */
function wholeRows(table: string): string {
  const rows = table.split('\n').slice(0, -1);
  return rows.length < 3 ? '' : `${rows.join('\n')}\n`;
}

function closed(block: string): string {
  const line = block.slice(block.lastIndexOf('\n', block.length - 2) + 1);
  let open: string | null = null;
  for (const [mark] of line.matchAll(MARKS)) {
    if (open === mark) open = null;
    else if (open === null) open = mark;
  }
  if (open === null) return block;
  const trimmed = block.trimEnd();
  return trimmed.endsWith(open) ? trimmed.slice(0, -open.length) : `${trimmed}${open}`;
}
