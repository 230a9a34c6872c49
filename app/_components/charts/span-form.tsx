import { type FormEvent, useState } from 'react';
import { MAX_WEEKS } from '@/lib/insight/analytics/buckets';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { useShowSpan } from './use-show-span';

const DAY_MS = 86_400_000;

interface SpanFormProps {
  span: { from: Date; to: Date } | null;
  zone: string;
  onDone: () => void;
}

/** Two moments, typed on the clocks of the reader's zone. */
export function SpanForm({ span, zone, onDone }: SpanFormProps) {
  const showSpan = useShowSpan();
  const [from, setFrom] = useState(() =>
    fieldValue(span?.from ?? new Date(Date.now() - DAY_MS), zone),
  );
  const [to, setTo] = useState(() => fieldValue(span?.to ?? new Date(), zone));
  const [error, setError] = useState<string | null>(null);

  function show(event: FormEvent) {
    event.preventDefault();
    const [start, end] = [momentOf(from, zone), momentOf(to, zone)];
    if (!start || !end) return setError('Enter a date and a time in both fields.');
    if (start >= end) return setError('From must be before To.');
    if (end.getTime() - start.getTime() > MAX_WEEKS * 7 * DAY_MS) {
      return setError(`A range has at most ${MAX_WEEKS} weeks. Choose a later start.`);
    }
    showSpan(start.toISOString(), end.toISOString());
    onDone();
  }

  return (
    <form onSubmit={show} className="flex flex-col gap-3" noValidate>
      <Field id="span-from" label="From" error={error}>
        <Input
          type="datetime-local"
          value={from}
          onChange={(event) => {
            setFrom(event.target.value);
            setError(null);
          }}
        />
      </Field>
      <Field id="span-to" label="To" hint={`In ${zone}. The plots show whole columns.`}>
        <Input
          type="datetime-local"
          value={to}
          onChange={(event) => {
            setTo(event.target.value);
            setError(null);
          }}
        />
      </Field>
      <Button type="submit" look="primary" className="self-start">
        Show range
      </Button>
    </form>
  );
}

/** As the field wants it: `2026-11-21T14:00` on the clocks of the zone. */
function fieldValue(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(at).replace(' ', 'T');
}

/** Null for what is no time. The zone is UTC or the browser's own. */
function momentOf(value: string, zone: string): Date | null {
  const at = new Date(zone === 'UTC' ? `${value}Z` : value);
  return Number.isNaN(at.getTime()) ? null : at;
}
