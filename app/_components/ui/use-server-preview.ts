'use client';

import { useEffect, useState } from 'react';
import type { ServerAction } from '@/app/_actions/action';

const TYPING_MS = 300;

/**
 * What the server says of a draft, asked again when the typing pauses. Null before its first word;
 * the last good one stays while the draft does not parse, whose error stands at its field.
 *
 * `ask`: a server action, which stays the same from one drawing to the next.
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
