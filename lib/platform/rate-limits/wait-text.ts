/** "4 min" or "45 s": how long to wait, rounded up. */
export function waitText(seconds: number): string {
  return seconds <= 60 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.ceil(seconds / 60)} min`;
}
