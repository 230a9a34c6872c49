import { EyeOff } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';

/** A run of plain text, a character made visible, or something that was redacted. */
type VisiblePart =
  | { type: 'text'; text: string }
  | { type: 'mark'; mark: string; name: string }
  | { type: 'redacted'; what: string };

const NAMES: Record<number, string> = {
  173: 'soft hyphen',
  1564: 'Arabic letter mark',
  6158: 'Mongolian vowel separator',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
  65279: 'byte order mark',
};

const HIDDEN =
  /\[redacted: ([^\]\n]{1,80})\]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * Splits text of a system or an agent so that nothing in it stays unseen: what would act on the
 * terminal or turn the reading direction becomes a mark, `[redacted: kind]` a part of its own.
 */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ type: 'text', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    parts.push(match[1] === undefined ? markOf(match[0]) : { type: 'redacted', what: match[1] });
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) });
  return parts;
}

function markOf(character: string): VisiblePart {
  const code = character.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code < 0x20) return { type: 'mark', mark: String.fromCodePoint(0x2400 + code), name: hex };
  if (code === 0x7f) return { type: 'mark', mark: '␡', name: hex };
  return { type: 'mark', mark: hex, name: NAMES[code] ?? 'control character' };
}

/** Text from systems and agents stays text: nothing in it acts, links or hides. */
export function SafeText({ text }: { text: string }) {
  return visibleParts(text).map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of one text never change places
    if (part.type === 'text') return <Fragment key={index}>{part.text}</Fragment>;
    if (part.type === 'redacted') return <RedactionChip key={index}>{part.what}</RedactionChip>;
    return (
      <HiddenMark key={index} name={part.name}>
        {part.mark}
      </HiddenMark>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
  });
}

/** Renders an invisible character as a visible mark. */
export function HiddenMark({ name, children }: { name?: string | undefined; children: ReactNode }) {
  return (
    <span title={name} className="mx-px rounded-[2px] bg-wait-bg px-0.5 text-wait-fg">
      {children}
    </span>
  );
}

/** A secret was here. It cannot be shown: it never left the host. */
export function RedactionChip({ children }: { children: ReactNode }) {
  return (
    <span className="mx-0.5 inline-flex items-center gap-1 rounded-badge border border-line bg-idle-bg px-1 align-baseline font-sans text-idle-fg text-meta whitespace-nowrap">
      <EyeOff aria-hidden className="size-3" />
      <span>
        <span className="sr-only">redacted: </span>
        {children}
      </span>
    </span>
  );
}
