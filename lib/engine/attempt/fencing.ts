/** True while what comes under this fencing number is the attempt's living run. */
export function isCurrentRun(attempt: { status: string; fence: number }, fence: number): boolean {
  return attempt.status !== 'ended' && attempt.fence === fence;
}
