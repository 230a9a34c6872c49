import type { VoiceRule } from './rules';

/** One text of a file: a literal, a piece of JSX, a comment, or a paragraph of Markdown. */
export interface FoundText {
  kind: 'shown' | 'comment';
  /** Line breaks and comment marks are single spaces; `${…}` is `…`. */
  text: string;
  /** Where it starts in the file. */
  at: number;
}

// In order: comments, template literals, string literals. Regular expressions with quotes are rare
// enough that the worst outcome is a text too many.
const TOKENS =
  /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*|`(?:\\[\s\S]|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
const JSX_TEXT = /(?<=[>}])[^<>{}=;]+(?=[<{])/g;

/** Returns the texts of a source in TypeScript or JavaScript. */
export function textsOfSource(source: string): FoundText[] {
  const texts: FoundText[] = [];
  let code = '';
  let end = 0;
  for (const match of source.matchAll(TOKENS)) {
    code += source.slice(end, match.index) + blank(match[0]);
    end = match.index + match[0].length;
    const kind = match[0].startsWith('/') ? 'comment' : 'shown';
    const text = kind === 'comment' ? uncommented(match[0]) : unquoted(match[0]);
    texts.push({ kind, text, at: match.index });
  }
  code += source.slice(end);
  for (const match of code.matchAll(JSX_TEXT)) {
    if (/[a-z]/i.test(match[0]))
      texts.push({ kind: 'shown', text: collapsed(match[0]), at: match.index });
  }
  return texts;
}

/** Returns the paragraphs of a Markdown file, without its code blocks. */
export function textsOfMarkdown(source: string): FoundText[] {
  const prose = source.replace(/^```[\s\S]*?^```/gm, (block) => blank(block));
  return [...prose.matchAll(/(?:^[^\n]*\S[^\n]*\n?)+/gm)].map((match) => ({
    kind: 'shown',
    text: collapsed(match[0]),
    at: match.index,
  }));
}

/** Returns the rules that a text breaks. */
export function brokenRules({ kind, text }: FoundText, rules: readonly VoiceRule[]): VoiceRule[] {
  // A single lowercase word is a value of the code, such as a status.
  const isValue = /^[a-z][\w.:-]*$/.test(text);
  const lowercase = text.toLowerCase();
  return rules.filter((rule) => {
    if (rule.in !== 'everywhere' && (kind === 'comment' || isValue)) return false;
    return rule.phrase.test(rule.in === 'label' ? text : lowercase);
  });
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function uncommented(comment: string): string {
  return collapsed(comment.replace(/^\/\*+|\*+\/$/g, '').replace(/^\s*(?:\*|\/\/)/gm, ' '));
}

function unquoted(literal: string): string {
  return collapsed(
    literal
      .slice(1, -1)
      .replace(/\$\{[^}]*\}/g, '…')
      .replace(/\\n/g, ' ')
      .replaceAll("\\'", "'"),
  ).replaceAll('’', "'");
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
