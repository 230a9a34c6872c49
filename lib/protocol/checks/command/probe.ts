/**
 * A program of the runner's host whose exit code is the result. It isn't started here: whoever runs the
 * check decides whether it may, and runs it.
 */
import type { CheckOf } from '../check-kind';
import {
  type CommandEnd,
  degraded,
  down,
  healthy,
  type Probe,
  type ProbeResult,
  unknown,
} from '../outcome';
import { parseArgv } from './argv';
import type { command } from './kind';

/** A program that prints more is ended, in bytes. */
export const MAX_COMMAND_BYTES = 1_000_000;
/** Of its output, what is kept for people, in characters. */
export const MAX_KEPT_OUTPUT = 1_000;

export const probeCommand: Probe<typeof command.fields> = async (
  check,
  { signal, whenTimeIsUp, runCommand },
) => {
  const parsed = parseArgv(check.target);
  if (!parsed.ok) return unknown(parsed.problem);
  if (!runCommand) return unknown('Nothing here decides which commands may run, so none does.');
  whenTimeIsUp(down(`The command did not end within ${check.timeoutSeconds} s.`));
  const end = await runCommand(check, parsed.argv, signal);
  return 'refusal' in end ? unknown(`Not run: ${end.refusal}`) : judgeEnd(check, end);
};

/** Judges a program that has ended: an exit code is a result, and everything else isn't. */
export function judgeEnd(
  {
    target,
    exitCodes = [0],
    expectText,
  }: Pick<CheckOf<typeof command.fields>, 'target' | 'exitCodes' | 'expectText'>,
  { exitCode, signal, startError, output, isCut }: CommandEnd,
): ProbeResult {
  const program = target.trim().split(/\s/)[0];
  if (startError !== null) {
    return unknown(
      startError === 'ENOENT'
        ? `There is no ${program} on this runner.`
        : `The runner could not start ${program} (${startError}).`,
    );
  }
  if (isCut)
    return unknown(`${program} printed more than ${MAX_COMMAND_BYTES} bytes and was ended.`);
  if (exitCode === null) return unknown(`${program} was ended by ${signal ?? 'a signal'}.`);
  const facts = { exitCode, output };
  if (!exitCodes.includes(exitCode)) {
    const said = output.trim().split('\n')[0]?.trim().slice(0, 200);
    const why = said ? `: ${said}` : '.';
    return { ...down(`Exit code ${exitCode}, expected ${exitCodes.join(' or ')}${why}`), facts };
  }
  if (expectText && !output.includes(expectText)) {
    return { ...degraded(`The output does not contain "${expectText}".`), facts };
  }
  return { ...healthy, facts };
}
