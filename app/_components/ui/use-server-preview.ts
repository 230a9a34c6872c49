'use client';

import { useEffect, useState } from 'react';
import type { ServerAction } from '@/app/_actions/action';

const TYPING_MS = 300;

/**
 * Returns the server's preview of a draft, requested again when typing pauses. Null before the
 * first response; the last valid preview stays while the draft doesn't parse, and the error is
 * shown at its field.
 *
 * `ask`: a server action that is stable across renders.
 */
export function useServerPreview<Input, Data>(
  ask: ServerAction<'member', Input, Data>,
  input: Input & { organizationSlug: string },
): Data | null {
  const [preview, setPreview] = useState<Data | null>(null);
  const key = JSON.stringify(input);

  useEffect(() => {
    let isOutdated = false;
    const timer = setTimeout(async () => {
      const answer = await ask(JSON.parse(key) as typeof input);
      if (!isOutdated && answer.ok) setPreview(answer.data);
    }, TYPING_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [ask, key]);

  return preview;
}
