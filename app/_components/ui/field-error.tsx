import { CircleX } from 'lucide-react';

/** Stands at the control it is about. */
export function FieldError({ id, errors }: { id: string; errors: readonly string[] }) {
  return (
    <div id={id} className="flex items-start gap-1.5 text-bad-fg text-ui">
      <CircleX aria-hidden className="mt-px size-4 shrink-0 text-bad-mark" />
      <div>
        {errors.map((error) => (
          <p key={error}>{error}</p>
        ))}
      </div>
    </div>
  );
}
