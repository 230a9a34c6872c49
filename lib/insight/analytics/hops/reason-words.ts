import { RESUME_REASONS, type ResumeReason } from '@/lib/engine/continuation/reasons';

/** A reason in a few words, for counting: its sentence names one hop's numbers. */
const WORDS: Partial<Record<ResumeReason, string>> = {
  OK_RESUME: 'The conversation went on',
  FORCE_FRESH: 'A fresh conversation was asked for',
  RESUME_DISABLED: 'The project hands off at this step',
  CONTEXT_PRESSURE: 'The context was above its limit',
  CONTEXT_UNKNOWN: 'How full the context was is not known',
  CONTEXT_EXHAUSTED: 'The conversation was full',
  RESUME_REJECTED: 'The runner had no such conversation',
  NO_POINTER: 'No conversation id was recorded',
  POINTER_UNCONFIRMED: 'The conversation was never confirmed',
  POINTER_RETIRED: 'The conversation had been given up',
  HISTORY_UNREPLAYABLE: "The history couldn't be replayed",
  FALLBACK_KEPT: 'It had started from the handoff before',
  UNREACHABLE: "The runner that held it didn't answer",
  WORKDIR_CHANGED: 'Its work directory was another one',
  TAMPERED: 'The stored conversation had been changed',
  RUNTIME_CHANGED: "The agent's CLI had changed",
  CLI_DOWNGRADE: 'The host had an older CLI',
  AUTH_CHANGED: 'The account of the provider had changed',
  EPOCH_BASE: 'The configuration had changed',
  EXPIRED: 'The conversation had expired',
  FAILURE_CAP: 'Resuming it had failed repeatedly',
  DEPTH_CAP: 'It had been continued too many times',
  MODEL_EDGE_DENIED: 'Resuming with this model is off',
  MODEL_EDGE_UNPROVEN: 'Resuming with this model is not proven',
  TOO_LARGE: 'The conversation was too large',
  UNECONOMIC: 'Reading it again would cost too much',
};

/** The code itself in words where it is rare: `CLOCK_SKEW` is `Clock skew`. */
export function reasonWords(code: string): string {
  if (code === '') return 'No reason was recorded';
  const known = RESUME_REASONS.find((reason) => reason === code);
  const words = known && WORDS[known];
  if (words) return words;
  const plain = code.toLowerCase().replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
