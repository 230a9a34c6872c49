import { type DiffLine, textDifference } from '@/lib/platform/format/text-difference';

interface TextDifferenceProps {
  label: string;
  before: string;
  after: string;
}

/**
 * Two texts line by line, and by words inside a changed line. Signs, a line through and a line
 * under say what was removed and added, not only a colour.
 */
export function TextDifference({ label, before, after }: TextDifferenceProps) {
  const lines = textDifference(before, after);
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-control border border-line bg-sunken py-2 font-mono text-code"
    >
      {lines.map((line, index) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and the list is rebuilt
          key={index}
          className={`whitespace-pre-wrap py-px pr-3 pl-7 -indent-4 [overflow-wrap:anywhere] ${GROUNDS[line.kind]}`}
        >
          <span aria-hidden className="inline-block w-4 select-none indent-0">
            {SIGNS[line.kind]}
          </span>
          {line.kind === 'same' ? null : <span className="sr-only">{line.kind}: </span>}
          <LineText line={line} />
        </p>
      ))}
    </section>
  );
}

function LineText({ line }: { line: DiffLine }) {
  const words = line.kind === 'changed' ? line.words : [line];
  return words.map(({ kind, text }, index) => {
    const key = `${index}${kind}`;
    if (kind === 'same') return <span key={key}>{text || '\u00a0'}</span>;
    const Tag = kind === 'removed' ? 'del' : 'ins';
    return (
      <Tag key={key} className={WORDS[kind]}>
        {text || '\u00a0'}
      </Tag>
    );
  });
}

const SIGNS = { same: '', removed: '−', added: '+', changed: '~' };
const GROUNDS = {
  same: 'text-text-2',
  removed: 'bg-bad-bg',
  added: 'bg-ok-bg',
  changed: 'bg-surface text-text',
};
const WORDS = {
  removed: 'bg-bad-bg text-bad-fg line-through decoration-bad-mark',
  added: 'bg-ok-bg text-ok-fg underline decoration-ok-mark underline-offset-2',
};
