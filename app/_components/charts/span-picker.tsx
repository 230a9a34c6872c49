'use client';

import { CalendarRange } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { spanParam } from '../lists/list-params';
import { loadPart } from '../reach/load-part';
import { displayTimeZone } from '../shell/preferences';
import { usePreferences } from '../shell/preferences-context';
import { Button } from '../ui/button';
import { Popover } from '../ui/popover';

const SpanForm = dynamic(async () => (await loadPart(() => import('./span-form'))).SpanForm, {
  // Without it the whole page would stand still until the code is here.
  loading: () => null,
});

/** Any span for the plots of the page, typed: what dragging over a plot does without a mouse. */
export function SpanPicker() {
  const span = spanParam(Object.fromEntries(useSearchParams()));
  const zone = displayTimeZone(usePreferences().preferences);
  const [isOpen, setOpen] = useState(false);
  const words = span ? `${dayAndTime(span.from, zone)} – ${dayAndTime(span.to, zone)}` : null;
  return (
    <Popover
      label="Custom range"
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button aria-current={span ? 'true' : undefined}>
          <CalendarRange aria-hidden />
          <span className="tabular-nums">{words ?? 'Custom range'}</span>
        </Button>
      }
    >
      <SpanForm span={span} zone={zone} onDone={() => setOpen(false)} />
    </Popover>
  );
}

function dayAndTime(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return format.format(at).replace('Sept', 'Sep').replace(',', '');
}
