import { lineDifference } from '@/lib/format/line-difference';

interface TextDifferenceProps {
  label: string;
  before: string;
  after: string;
}

/** Two texts line by line; removed and added lines carry their sign, not only a colour. */
export function TextDifference({ label, before, after }: TextDifferenceProps) {
  const lines = lineDifference(before, after);
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-control border border-line bg-sunken py-2 font-mono text-code"
    >
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and the list is made anew
        <p key={index} className={STYLES[kind]}>
          <span aria-hidden className="inline-block w-4 select-none">
            {SIGNS[kind]}
          </span>
          {kind === 'same' ? null : <span className="sr-only">{kind}: </span>}
          {text || '\u00a0'}
        </p>
      ))}
    </section>
  );
}

const SIGNS = { same: '', removed: '−', added: '+' };
const STYLES = {
  same: 'whitespace-pre-wrap break-words px-3 text-text-2',
  removed: 'whitespace-pre-wrap break-words bg-bad-bg px-3 text-bad-fg',
  added: 'whitespace-pre-wrap break-words bg-ok-bg px-3 text-ok-fg',
};
