export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong'; content: Inline[] }
  | { type: 'link'; href: string; content: Inline[] };

/** Code first, so that what stands in it is left alone. */
const MARK = /`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^()\s]+)\)/;

/** Code, bold and links of a line of our own Markdown; everything else is text. */
export function inlinesOf(text: string): Inline[] {
  const match = MARK.exec(text);
  if (!match) return text === '' ? [] : [{ type: 'text', text }];
  const [whole, code, strong, label, href] = match;
  const before = text.slice(0, match.index);
  const rest = inlinesOf(text.slice(match.index + whole.length));
  return [...(before ? [{ type: 'text' as const, text: before }] : []), inlineOf(), ...rest];

  function inlineOf(): Inline {
    if (code !== undefined) return { type: 'code', text: code };
    if (strong !== undefined) return { type: 'strong', content: inlinesOf(strong) };
    return { type: 'link', href: href ?? '', content: inlinesOf(label ?? '') };
  }
}

/** The words alone. */
export function plainText(content: readonly Inline[]): string {
  return content.map((part) => ('text' in part ? part.text : plainText(part.content))).join('');
}
