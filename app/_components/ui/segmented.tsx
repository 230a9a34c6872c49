import { Link } from '@/app/_components/ui/link';
import { cn } from './cn';
import { Radio } from './input';

interface Segment {
  href: string;
  label: string;
  count?: number;
}

interface SegmentedProps {
  label: string;
  segments: readonly Segment[];
  currentHref: string;
}

const frame =
  'inline-flex w-fit min-w-0 max-w-full flex-wrap self-start rounded-control border border-control/60 bg-surface p-0.5';
const segment =
  'inline-flex h-[calc(var(--control-height)-6px)] items-center gap-1.5 rounded-badge px-2.5 font-medium text-text-2 text-ui whitespace-nowrap hover:text-text';
const current = 'bg-ink text-on-ink hover:text-on-ink';

/** One of a few views, as links: the address keeps the choice. */
export function SegmentedLinks({ label, segments, currentHref }: SegmentedProps) {
  return (
    <nav aria-label={label} className={frame}>
      {segments.map((item) => (
        <Link
          key={item.href}
          href={item.href}
          aria-current={item.href === currentHref ? 'true' : undefined}
          className={cn(segment, item.href === currentHref && current)}
        >
          {item.label}
          {item.count === undefined ? null : <span className="tabular-nums">{item.count}</span>}
        </Link>
      ))}
    </nav>
  );
}

interface SegmentedChoiceProps<Value extends string> {
  label: string;
  name: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange?: (value: Value) => void;
  className?: string;
}

/** The same look for a form: native radio buttons, so arrow keys and submission work. */
export function SegmentedChoice<Value extends string>(props: SegmentedChoiceProps<Value>) {
  return (
    <fieldset className={cn(frame, props.className)}>
      <legend className="sr-only">{props.label}</legend>
      {props.choices.map((choice) => (
        <label
          key={choice.value}
          className={cn(
            segment,
            'cursor-pointer has-checked:bg-ink has-checked:text-on-ink has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2',
          )}
        >
          <Radio
            name={props.name}
            value={choice.value}
            className="sr-only"
            checked={props.value === choice.value}
            onChange={props.onChange ? () => props.onChange?.(choice.value) : undefined}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
