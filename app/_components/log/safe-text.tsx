import { EyeOff } from 'lucide-react';
import { Fragment } from 'react';
import { visibleParts } from './visible-text';

/** Text from systems and agents stays text: nothing in it acts, links or hides. */
export function SafeText({ text }: { text: string }) {
  return visibleParts(text).map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of one text never change places
    if (part.type === 'text') return <Fragment key={index}>{part.text}</Fragment>;
    if (part.type === 'redacted') return <RedactionChip key={index} what={part.what} />;
    return (
      <span
        key={index}
        title={part.name}
        className="mx-px rounded-[2px] bg-wait-bg px-0.5 text-wait-fg"
      >
        {part.mark}
      </span>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
  });
}

/** A secret was here. It cannot be shown: it never left the host. */
export function RedactionChip({ what }: { what: string }) {
  return (
    <span className="mx-0.5 inline-flex items-center gap-1 rounded-badge border border-line bg-idle-bg px-1 align-baseline font-sans text-idle-fg text-meta whitespace-nowrap">
      <EyeOff aria-hidden className="size-3" />
      <span>
        <span className="sr-only">redacted: </span>
        {what}
      </span>
    </span>
  );
}
