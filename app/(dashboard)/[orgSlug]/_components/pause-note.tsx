import { Time } from '@/app/_components/status/time';
import type { PauseDto } from '@/lib/identity/pauses';

/** Who paused it, since when, until when, and why. */
export function PauseNote({ pause }: { pause: PauseDto }) {
  return (
    <span className="block text-text-2">
      Paused by {pause.by} since <Time at={pause.at} form="day" />
      {pause.endsAt ? (
        <>
          {' '}
          until <Time at={pause.endsAt} form="day" />
        </>
      ) : null}
      {pause.reason ? `: ${pause.reason}` : '.'}
    </span>
  );
}
