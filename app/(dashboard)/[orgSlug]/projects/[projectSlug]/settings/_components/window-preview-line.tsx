import { Time } from '@/app/_components/status/time';
import type { WindowPreview } from '@/lib/projects/maintenance/validate';

/** The window in words, and its next times in the reader's zone. */
export function WindowPreviewLine({ preview }: { preview: WindowPreview | null }) {
  const isSound = preview !== null && Object.keys(preview.problems).length === 0;
  return (
    <p className="min-h-5 text-text-2 text-ui">
      {isSound ? (
        <>
          {preview.words}.{' '}
          {preview.next.length === 0 ? (
            'It is over and never opens again.'
          ) : (
            <>
              Next:{' '}
              {preview.next.map(({ startsAt, endsAt }, index) => (
                <span key={startsAt}>
                  {index > 0 ? ', ' : null}
                  <Time at={startsAt} form="day" isPlain /> to{' '}
                  <Time at={endsAt} form="day" isPlain />
                </span>
              ))}
              .
            </>
          )}
        </>
      ) : null}
    </p>
  );
}
