/** Whether a command does what another one would have done, however it is spelled. */
import { containsInOrder, isComparable, isMeant, isOfSameVerb } from './compare';
import { onlyReads } from './reading';
import type { CommandRule } from './rule';
import { type CommandForm, commandForm, ruleForm } from './spelling';

type Argv = readonly string[];

/**
 * Whether a person who refused one command has refused the other: the same program and verb, and the same
 * target. In doubt they are the same, except that what only shows something isn't what changes it.
 *
 *     docker exec -it web sh    is the same as    docker container exec web /bin/sh
 *     docker restart cache      isn't             docker restart proxy
 *
 * @param isSameTarget whether both name the same service
 */
export function isSameCommand(refused: Argv, argv: Argv, isSameTarget: boolean): boolean {
  if (isEqual(refused, argv)) return true;
  const [before, now] = [ruleForm(asRule(refused)), formOf(argv)];
  if (before.program !== now.program || !hasSameVerb(before, now)) return false;
  if (isMeant(before, now)) return true;
  const isShown = onlyShows(argv);
  if (isShown && !onlyShows(refused)) return false;
  const isPart =
    containsInOrder(now.operands, before.operands) ||
    containsInOrder(before.operands, now.operands);
  if (isPart || isShown) return isPart;
  if (isSameTarget) return true;
  return !(isComparable(before) && isComparable(now));
}

/** Whether a command may do what the other one does: the program and the verb are the same. */
export function mayBeSameCommand(refused: Argv, argv: Argv): boolean {
  const [before, now] = [ruleForm(asRule(refused)), formOf(argv)];
  return isEqual(refused, argv) || (before.program === now.program && hasSameVerb(before, now));
}

function hasSameVerb(before: CommandForm, now: CommandForm): boolean {
  if (now.entry) return isOfSameVerb(before, now);
  const [first, other] = [before.operands[0], now.operands[0]];
  return first === undefined || other === undefined || first === other;
}

/** Whether the catalog knows that it changes nothing, by its verb, its options and its operands. */
function onlyShows(argv: Argv): boolean {
  const { entry, verb, operands, options } = formOf(argv);
  if (!entry) return argv.every((arg) => PLAIN.test(arg)) && onlyReads(argv.join(' '));
  if (!verb || verb.changes) return false;
  const { closedOptions = [], valueOptions = [] } = entry;
  const isHarmless = options.every(
    ({ given, known }) =>
      known !== null && (!closedOptions.includes(known) || valueOptions.includes(given)),
  );
  const words = operands.flatMap((operand) => operand ?? []).slice(verb.words.length);
  const given = options.map(({ given: option, values }) => ({ option, value: values[0] ?? null }));
  return isHarmless && (verb.refuses?.(words, given, []) ?? null) === null;
}

const PLAIN = /^[\w@%+=:,./-]+$/;

function formOf([program = '', ...args]: Argv): CommandForm {
  return commandForm(program, args);
}

function asRule([program = '', ...args]: Argv): CommandRule {
  const words = args.map((text) => [{ text }]);
  return { text: '', program, words, options: [], isOpen: false };
}

function isEqual(one: Argv, other: Argv): boolean {
  return one.length === other.length && one.every((arg, at) => arg === other[at]);
}
