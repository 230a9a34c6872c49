/**
 * Ends that mean that the resumed conversation can't be continued, each with the reason of the
 * start without it that follows. The pointer is retired with the same reason.
 */
export const FALLBACK_REASONS = {
  resume_rejected: 'RESUME_REJECTED',
  context_exhausted: 'CONTEXT_EXHAUSTED',
  history_unreplayable: 'HISTORY_UNREPLAYABLE',
  work_dir_changed: 'WORKDIR_CHANGED',
  transcript_changed: 'TAMPERED',
} as const;

export type FallbackEnd = keyof typeof FALLBACK_REASONS;
export type FallbackReason = (typeof FALLBACK_REASONS)[FallbackEnd];

export function isFallbackEnd(end: string): end is FallbackEnd {
  return Object.hasOwn(FALLBACK_REASONS, end);
}
