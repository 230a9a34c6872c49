/** Returns whether this fencing number belongs to the current claim of a live attempt. */
export function isCurrentRun(attempt: { status: string; fence: number }, fence: number): boolean {
  return attempt.status !== 'ended' && attempt.fence === fence;
}
