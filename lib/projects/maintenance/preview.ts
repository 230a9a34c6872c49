import type { MaintenanceWindow } from './schema';
import { maintenanceProblems } from './validate';
import { nextWindows } from './window';
import { windowWords } from './words';

export interface WindowPreview {
  /** `At 22:00, only on Saturday (Europe/Berlin), for 4h` */
  words: string;
  /** The next three times, ISO 8601; none for a window that is over. */
  next: { startsAt: string; endsAt: string }[];
  /** By field of the window: `when.endsAt`. */
  problems: Record<string, string>;
}

const SHOWN = 3;

/** When a window opens, in words and as the next times; or what is wrong with it. */
export function previewWindow(window: MaintenanceWindow, now: Date): WindowPreview {
  // One that is over is only said to be: whether it may be saved depends on what was there before.
  const found = maintenanceProblems([window], [window], now);
  const problems = Object.fromEntries(
    Object.entries(found).map(([path, error]) => [path.replace('maintenance.0.', ''), error]),
  );
  const isSound = Object.keys(problems).length === 0;
  return {
    words: isSound ? windowWords(window) : '',
    next: isSound
      ? nextWindows(window, now, SHOWN).map(({ startsAt, endsAt }) => ({
          startsAt: startsAt.toISOString(),
          endsAt: endsAt.toISOString(),
        }))
      : [],
    problems,
  };
}
