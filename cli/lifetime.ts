import { CommandError, EXIT } from './exit-code';

/** Days of `90d`; null for `never`. Throws CommandError. */
export function lifetimeDays(text: string): number | null {
  if (text === 'never') return null;
  const days = Number(/^(\d{1,4})d$/.exec(text)?.[1]);
  if (days >= 1) return days;
  throw new CommandError(
    `--expires ${text} is not valid. Use days, such as 90d, or never.`,
    EXIT.usage,
  );
}
