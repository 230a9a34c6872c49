'use client';

import { useEffect, useState } from 'react';
import type { WindowPreview } from '@/lib/projects/maintenance/preview';
import type { MaintenanceWindow } from '@/lib/projects/maintenance/schema';
import { previewWindow } from '../../../actions';

const TYPING_MS = 300;

/** What the server says of a window, asked again when the typing pauses. Null before its first word. */
export function useWindowPreview(
  organizationSlug: string,
  window: MaintenanceWindow,
): WindowPreview | null {
  const [preview, setPreview] = useState<WindowPreview | null>(null);
  const key = JSON.stringify(window);

  useEffect(() => {
    let isOutdated = false;
    const timer = setTimeout(async () => {
      const answer = await previewWindow({
        organizationSlug,
        window: JSON.parse(key) as MaintenanceWindow,
      });
      // A shape that does not parse yet has its error at the field already.
      if (!isOutdated && answer.ok) setPreview(answer.data);
    }, TYPING_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [organizationSlug, key]);

  return preview;
}
