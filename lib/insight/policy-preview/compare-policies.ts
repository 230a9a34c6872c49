/**
 * What a policy changes about commands that agents ran: both versions are decided by the same code,
 * so what happened to a command at the time makes no difference.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type BrokeredTrial, brokeredJudge } from '@/lib/projects/rules/try-brokered';
import { commandJudge } from '@/lib/projects/rules/try-command';
import type { Tier } from '@/lib/protocol/spec';
import {
  CHANGE_KINDS,
  type ChangedCommand,
  type ChangeGroup,
  type ChangeKind,
  type CommandPolicyVersion,
  MAX_LISTED,
} from './schema';

/** The same command in the same tier, however often it was called. */
export interface RanCommand {
  tier: Tier;
  /**
   * line: what the agent gave its shell, in every attempt. argv: a program that the command broker was
   * asked for, in confined attempts alone.
   */
  form: { line: string } | { argv: readonly string[] };
  isConfined: boolean;
  count: number;
  newest: ChangedCommand['newest'];
}

type TierRules = CommandPolicyVersion['tiers'][number];

/** inside: it runs in the sandbox, where it changes nothing outside. */
interface Verdict {
  outcome: 'allowed' | 'asks' | 'refused' | 'inside';
  rule: string | null;
  why: string;
}

/** Returns the tiers whose decisions about commands may differ, lowest first. */
export function changedTiers(before: CommandPolicyVersion, after: CommandPolicyVersion): Tier[] {
  return before.tiers
    .map(({ tier }) => tier)
    .filter((tier) => decisive(before, tier) !== decisive(after, tier));
}

/** Everything that a decision depends on. Of a tier that is off, nothing else counts. */
function decisive(policy: CommandPolicyVersion, tier: Tier): string {
  if (!isOn(policy, tier)) return 'off';
  const { tools, allowedTools, disallowedTools, askFirstTools } = rulesOf(policy, tier);
  const lists = [allowedTools, disallowedTools, askFirstTools];
  const services = policy.services.map(({ name, checks }) => [
    name,
    checks.map(({ type, target }) => [type, target]),
  ]);
  return JSON.stringify([tools.includes('Bash'), policy.isolation, lists, services]);
}

interface Comparison {
  /** The tiers whose decisions may differ, with how many different commands were compared. */
  tiers: { tier: Tier; commands: number }[];
  /** What the second version decides differently, by kind and tier. */
  groups: ChangeGroup[];
}

/** Commands that are decided before other requests get a turn. */
const COMMANDS_PER_TURN = 100;

/** Decides commands by two versions of a policy. Other requests are served in between. */
export async function comparePolicies(
  commands: readonly RanCommand[],
  before: CommandPolicyVersion,
  after: CommandPolicyVersion,
): Promise<Comparison> {
  const tiers: { tier: Tier; commands: number; changes: Change[] }[] = [];
  for (const tier of changedTiers(before, after)) {
    const own = commands.filter((command) => command.tier === tier);
    const decided = await decideAll(own, tierJudge(before, tier), tierJudge(after, tier));
    const changes = [...decided.values()].flatMap(changeOf);
    const texts = new Set([...decided.values()].map(({ text }) => text));
    tiers.push({ tier, commands: texts.size, changes });
  }
  return {
    tiers: tiers.map(({ tier, commands }) => ({ tier, commands })),
    groups: CHANGE_KINDS.flatMap((kind) =>
      tiers.flatMap(({ tier, changes }) => groupOf(kind, tier, changes)),
    ),
  };
}

interface Change extends ChangedCommand {
  kind: ChangeKind;
}

function groupOf(kind: ChangeKind, tier: Tier, changes: readonly Change[]): ChangeGroup[] {
  const own = changes.filter((change) => change.kind === kind);
  if (own.length === 0) return [];
  const listed = own
    .toSorted((one, other) => other.count - one.count || compareNewest(other, one))
    .slice(0, MAX_LISTED)
    .map(({ kind: _kind, command, ...change }) => ({ ...change, command: shortened(command) }));
  const calls = own.reduce((sum, { count }) => sum + count, 0);
  return [{ kind, tier, commands: own.length, calls, listed }];
}

interface Decided {
  text: string;
  count: number;
  newest: ChangedCommand['newest'];
  before: Verdict;
  after: Verdict;
}

/** Returns each command once, by its text and what changes about it. */
async function decideAll(
  commands: readonly RanCommand[],
  before: TierJudge,
  after: TierJudge,
): Promise<Map<string, Decided>> {
  // What the broker was asked for counts once, not again in the line that asked for it.
  const asked = new Set(
    commands.flatMap(({ form }) => ('argv' in form ? [shellWords(form.argv)] : [])),
  );
  const decided = new Map<string, Decided>();
  for (const [at, command] of commands.entries()) {
    if (at > 0 && at % COMMANDS_PER_TURN === 0) await turn();
    for (const each of decide(command, before, after, asked)) {
      const key = `${changeKind(each.before, each.after)} ${each.text}`;
      const known = decided.get(key);
      decided.set(key, known ? merged(known, each) : each);
    }
  }
  return decided;
}

function changeOf({ text, count, newest, before, after }: Decided): Change[] {
  const kind = changeKind(before, after);
  return kind ? [{ kind, command: text, count, newest, rule: after.rule, why: after.why }] : [];
}

/**
 * The broker decides about programs, the agent's CLI about whole lines. Where either version leaves
 * it to the CLI, the line is compared, including programs that went to the broker.
 */
function decide(
  command: RanCommand,
  before: TierJudge,
  after: TierJudge,
  asked: ReadonlySet<string>,
): Decided[] {
  const { form, isConfined, count, newest } = command;
  const areBrokered = before.isBrokered && after.isBrokered;
  const of = (text: string, verdictOf: (judge: TierJudge) => Verdict): Decided => ({
    ...{ text, count, newest },
    before: verdictOf(before),
    after: verdictOf(after),
  });
  const ofArgv = (argv: readonly string[]) => of(shellWords(argv), (judge) => judge.ofArgv(argv));
  if ('argv' in form) return areBrokered ? [ofArgv(form.argv)] : [];
  const { line } = form;
  if (isConfined && areBrokered) {
    const inside = before.insideOf(line).filter((argv) => !asked.has(shellWords(argv)));
    return inside.map(ofArgv);
  }
  return [of(line.trim(), (judge) => judge.ofLine(line, judge.isBrokered))];
}

/** Null: it is decided as before. */
function changeKind(before: Verdict, after: Verdict): ChangeKind | null {
  if (before.outcome === after.outcome) return null;
  switch (after.outcome) {
    case 'allowed':
      return before.outcome === 'asks' ? 'no_longer_asking' : 'newly_allowed';
    case 'asks':
      return 'newly_asking';
    case 'refused':
      return 'newly_refused';
    case 'inside':
      return 'newly_inside';
  }
}

/** The decisions of one version about the commands of a tier. */
interface TierJudge {
  /** Whether the command broker decides, instead of the agent's CLI. */
  isBrokered: boolean;
  ofArgv(argv: readonly string[]): Verdict;
  ofLine(line: string, isBrokered: boolean): Verdict;
  /** Programs of a line that no rule names. */
  insideOf(line: string): (readonly string[])[];
}

function tierJudge(policy: CommandPolicyVersion, tier: Tier): TierJudge {
  const rules = rulesOf(policy, tier);
  const broker = brokeredJudge(rules, policy.services);
  const cli = commandJudge(rules, policy.services);
  const none = refusesAll(policy, rules);
  return {
    isBrokered: policy.isolation === 'confined',
    ofArgv: (argv) => none ?? toVerdict(broker.ofArgv(argv)),
    ofLine(line, isBrokered) {
      if (none) return none;
      if (isBrokered) return ofPrograms(broker.ofLine(line));
      const { verdict, rules: deciding, why } = cli(line);
      const rule = deciding.length > 0 ? deciding.join(', ') : null;
      return { outcome: verdict === 'allowed' ? 'allowed' : 'refused', rule, why };
    },
    insideOf: (line) =>
      broker.ofLine(line).flatMap(({ verdict, argv }) => (verdict === 'inside' ? [argv] : [])),
  };
}

/** Why a tier runs no command at all; null if it runs some. */
function refusesAll(policy: CommandPolicyVersion, { tier, tools }: TierRules): Verdict | null {
  const refusal = (why: string): Verdict => ({ outcome: 'refused', rule: null, why });
  if (!isOn(policy, tier)) return refusal(`Tier ${tier} is off, so it runs no command.`);
  if (tools.includes('Bash')) return null;
  return refusal('Bash is not among the tools of this tier, so no command runs.');
}

/** A line does what its most restricted program does. */
function ofPrograms(trials: readonly BrokeredTrial[]): Verdict {
  const verdicts = trials.map(toVerdict);
  const first = (outcome: Verdict['outcome']) =>
    verdicts.find((verdict) => verdict.outcome === outcome);
  return (
    first('refused') ??
    first('asks') ??
    first('allowed') ??
    first('inside') ?? { outcome: 'inside', rule: null, why: 'It starts no program.' }
  );
}

function toVerdict({ verdict, needsApproval, rule, why }: BrokeredTrial): Verdict {
  return { outcome: verdict === 'allowed' && needsApproval ? 'asks' : verdict, rule, why };
}

function isOn({ tiers, maxTier }: CommandPolicyVersion, tier: Tier): boolean {
  return tier <= maxTier && tiers.some((each) => each.tier === tier && each.isEnabled);
}

function rulesOf({ tiers }: CommandPolicyVersion, tier: Tier): TierRules {
  const rules = tiers.find((each) => each.tier === tier);
  if (!rules) throw new Error(`Tier ${tier} has no policy.`);
  return rules;
}

function merged(one: Decided, other: Decided): Decided {
  const newer = compareNewest(one, other) < 0 ? other : one;
  return { ...one, newest: newer.newest, count: one.count + other.count };
}

type WithNewest = Pick<ChangedCommand, 'newest'>;

function compareNewest({ newest: one }: WithNewest, { newest: other }: WithNewest): number {
  return one.sessionNumber - other.sessionNumber || one.seq - other.seq;
}

/** As a shell would take it; quotes only where a word needs them. */
function shellWords(argv: readonly string[]): string {
  const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return argv.map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : quoted(word))).join(' ');
}

const SHOWN_CHARACTERS = 1_000;

function shortened(command: string): string {
  return command.length > SHOWN_CHARACTERS ? `${command.slice(0, SHOWN_CHARACTERS - 1)}…` : command;
}
