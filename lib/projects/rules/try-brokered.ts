/** Whether commands of a confined agent would run, decided by the command broker's own code. */
import { type CommandRules, decideCommand } from '@/lib/commands/decide';
import { brokeredPrograms } from '@/lib/commands/inside';
import { parseCommandRule } from '@/lib/commands/rule';
import { startedPrograms } from '@/lib/commands/started-programs';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { commandPolicy } from './command-policy';

export interface BrokeredTrial {
  /** Its program and arguments, as far as they can be read from the line. */
  argv: readonly string[];
  /** inside: it runs in the sandbox, where it changes nothing. */
  verdict: 'allowed' | 'refused' | 'inside';
  /** The rule that decided, as written; null where none did. */
  rule: string | null;
  /** A sentence. */
  why: string;
  /** Whether it may change something outside the sandbox. */
  changes: boolean;
  /** Whether a person has to approve it first. */
  needsApproval: boolean;
}

interface TriedRules {
  tools: readonly string[];
  allowedTools: readonly string[];
  disallowedTools: readonly string[];
  askFirstTools: readonly string[];
}

/** What the shell itself reads, where a program could be. */
const SHELL_WORDS = ['for', 'select', 'case', 'esac', 'done', 'fi', 'function', '{', '}'];

/** Where the agent is in its sandbox. */
const WORK_DIR = '/project';

/** The command broker's decisions for one set of rules. */
export interface BrokeredJudge {
  /**
   * Returns what becomes of each program that a line starts, in order. The agent's shell runs the
   * line itself; what its variables and substitutions stand for is known only then.
   */
  ofLine(line: string): BrokeredTrial[];
  /** Returns what becomes of a program with exactly these arguments, without a path in its name. */
  ofArgv(argv: readonly string[]): BrokeredTrial;
}

/** Parses the rules once, for many commands. */
export function brokeredJudge(
  { allowedTools, disallowedTools, askFirstTools }: TriedRules,
  services: readonly ServiceSpec[],
): BrokeredJudge {
  const policy = commandPolicy(
    { allowed: allowedTools, denied: disallowedTools, askFirst: askFirstTools },
    services,
  );
  const rules = {
    allowed: parsed(policy.allowed),
    denied: parsed(policy.denied),
    askFirst: parsed(policy.askFirst),
  };
  const brokered = new Set(brokeredPrograms(rules));
  // Files can't be looked at here, so a link counts as what it is called.
  const place = { cwd: WORK_DIR, workDir: WORK_DIR, realPath: (file: string) => file };

  function decide(argv: readonly string[], hasUnknownArgs: boolean): BrokeredTrial {
    if (!brokered.has(argv[0] ?? '')) {
      const why =
        'No rule names it, so it runs in the sandbox, where it can change nothing outside.';
      return { argv, verdict: 'inside', rule: null, why, changes: false, needsApproval: false };
    }
    const decision = decideCommand(rules, argv, { known: policy.values, place });
    const unknown = hasUnknownArgs ? ' Its last arguments are known only when the line runs.' : '';
    if (decision.verdict === 'refused') {
      const why = `${decision.message}${unknown}`;
      const { rule } = decision;
      return { argv, verdict: 'refused', rule, why, changes: false, needsApproval: false };
    }
    const { rule, changes, needsApproval } = decision;
    const when = needsApproval ? ' once a person has approved it' : '';
    const why = `${rule} allows it outside the sandbox${when}.${unknown}`;
    return { argv, verdict: 'allowed', rule, why, changes, needsApproval };
  }

  return {
    ofLine: (line) =>
      startedPrograms(line)
        .filter(({ program }) => !SHELL_WORDS.includes(program))
        .map(({ program, args, hasUnknownArgs }) => decide([program, ...args], hasUnknownArgs)),
    ofArgv: (argv) => decide(argv, false),
  };
}

/** Returns what becomes of each program that a line starts, in order. */
export function tryBrokered(
  rules: TriedRules,
  line: string,
  services: readonly ServiceSpec[],
): BrokeredTrial[] {
  return brokeredJudge(rules, services).ofLine(line);
}

function parsed(rules: readonly string[]): CommandRules['allowed'] {
  return rules.flatMap((text) => {
    const result = parseCommandRule(text);
    return result.ok ? [result.rule] : [];
  });
}
