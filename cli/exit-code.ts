/** What the command line ends with; scripts rely on it, so codes are only ever added. */
export const EXIT = {
  done: 0,
  /** Refused, unreachable, or an answer that makes no sense. */
  failed: 1,
  /** Unknown command, missing option, a file that cannot be read. */
  usage: 2,
  /** `project diff`: the file and the project differ. */
  different: 3,
  /** `chain run --wait`, `chain tail`: it ended otherwise than healthy or fixed. */
  chainNotWell: 4,
  /** `audit verify`: the log was changed. */
  auditBroken: 5,
  /** `ask`: the turn ended without an answer. */
  notAnswered: 6,
  /** `audit verify`: there is no anchor to compare the log with. */
  auditUnknown: 7,
} as const;

/** Ends the command with a message on stderr and a code of its own. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Returns the exit code for the outcome of an ended chain. */
export function exitCodeOfOutcome(outcome: string | null): number {
  return outcome === 'healthy' || outcome === 'fixed' ? EXIT.done : EXIT.chainNotWell;
}
