/** At most so many characters, with `…` where something was left out; never half a character. */
export function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
