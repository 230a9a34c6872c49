import type { Agent } from '@/lib/agents/agent';
import { AGENTS, findAgent } from '@/lib/agents/registry';
import { compareVersions } from '@/lib/platform/version-list';
import { type Capabilities, RUNNER_VERSION } from '@/lib/protocol/schema';
import { type DeniedVersions, denialWords, runnerDenial } from './denied-versions';
import type { RunnerDto, RunnerProblem, RunnerUpdate } from './schema';

/** Larger differences make the provider refuse certificates and tokens, in milliseconds. */
export const MAX_SKEW_MS = 30_000;

const KEY_SHARED: RunnerProblem = {
  code: 'key_shared',
  message:
    'A second process used this runner’s key in the last hour and was refused. Find the host that has a copy of the key or of the runner’s folder. Give it a key of its own with Add runner, or stop it. If you don’t know the host, rotate the key.',
};

interface RunnerFacts {
  status: RunnerDto['status'];
  capabilities: Capabilities | null;
  clockSkewMs: number | null;
  update: RunnerUpdate;
  /** Whether a second process used its key in the last hour. */
  isKeyShared: boolean;
  denied: DeniedVersions;
}

/** Returns the problems of a runner and what to check on its host, worst first. */
export function runnerProblems(runner: RunnerFacts): RunnerProblem[] {
  const { status, capabilities, clockSkewMs } = runner;
  if (status === 'revoked') return [];
  if (status === 'never') {
    return [
      {
        code: 'never_connected',
        message:
          'The runner was enrolled but has never connected. Run its command again on the host: the key is stored there. Check that the host can reach this address.',
      },
    ];
  }
  const problems: RunnerProblem[] = [];
  if (status === 'offline') {
    problems.push({
      code: 'offline',
      message:
        'The runner has stopped responding. Check that its host is up, that the runner’s process runs, and that the host can reach this address. Its attempts are marked lost when their leases expire, and are repeated only where that is safe.',
    });
  }
  if (runner.isKeyShared) problems.push(KEY_SHARED);
  if (!capabilities) return problems;
  const { denied } = runner;
  problems.push(
    ...capabilities.harnesses.flatMap((agent) => agentProblems(agent, capabilities, denied)),
  );
  const { update } = runner;
  if (update.state === 'failed') {
    problems.push({
      code: 'update_failed',
      message: `The update failed, and the runner continues with its previous version. ${update.failure} Choose Update to try again.`,
    });
  } else if (update.isAvailable && update.state === 'none') {
    problems.push({
      code: 'outdated',
      message: `The runner has another version (${capabilities.runnerVersion}) than this installation (${RUNNER_VERSION}). Choose Update.${missingOf(capabilities)}`,
    });
  } else if (update.obstacle && compareVersions(capabilities.runnerVersion, RUNNER_VERSION) < 0) {
    problems.push({
      code: 'outdated',
      message: `The runner has version ${capabilities.runnerVersion}; the current version is ${RUNNER_VERSION}. ${adviceOutdated(capabilities)}${missingOf(capabilities)}`,
    });
  }
  if (clockSkewMs !== null && Math.abs(clockSkewMs) > MAX_SKEW_MS) {
    const seconds = Math.round(Math.abs(clockSkewMs) / 1_000);
    problems.push({
      code: 'clock_skew',
      message: `The host’s clock is ${seconds} s ${clockSkewMs > 0 ? 'ahead' : 'behind'}, so times in its logs are off by that much. Check its time service (timedatectl).`,
    });
  }
  return problems;
}

function adviceOutdated({ program }: Capabilities): string {
  return program?.kind === 'container'
    ? 'Drain it, build the new image and start it.'
    : 'Drain it, update its checkout (git pull, npm ci) and start it again.';
}

/** Says what doesn't work until the runner is updated; empty if everything does. */
function missingOf({ canHoldCommands, harnesses }: Capabilities): string {
  const isUntested = harnesses.some(
    ({ name, canaries }) => findAgent(name)?.hasModel && canaries === undefined,
  );
  const missing = [
    ...(canHoldCommands ? [] : ['commands that ask first are denied there']),
    ...(isUntested ? ['no tier above 1 starts there with a model'] : []),
  ];
  return missing.length === 0 ? '' : ` Until then, ${missing.join(', and ')}.`;
}

type ReportedAgent = Capabilities['harnesses'][number];

function agentProblems(
  reported: ReportedAgent,
  capabilities: Capabilities,
  denied: DeniedVersions,
): RunnerProblem[] {
  const { name, version, isUsable, problem } = reported;
  const agent = findAgent(name);
  const problems: RunnerProblem[] = [];
  if (problem && !isMissingByChoice(reported, capabilities)) {
    const advice = version === null && agent ? adviceWithout(agent) : '';
    problems.push({
      code: isUsable ? 'cli_untested' : 'cli_unusable',
      message: `${problem}${advice}`,
    });
  }
  const denial = version === null ? null : runnerDenial(capabilities, name, denied);
  if (agent && denial) {
    const { label } = agent;
    problems.push({
      code: 'cli_denied',
      message: `The host has ${label} ${version}, which ${denialWords(denial)}, so ${label} doesn't start here. Install another version on this host.`,
    });
  }
  const danger = version === null ? null : agent?.program.unsafeVersion(version);
  if (danger) problems.push({ code: 'cli_reads_files', message: danger });
  return problems;
}

/** A host needs one agent with a model: without a program, others aren't offered there. */
function isMissingByChoice({ name, version }: ReportedAgent, { harnesses }: Capabilities): boolean {
  const others = harnesses.filter((other) => other.name !== name && other.isUsable);
  return version === null && others.some((other) => findAgent(other.name)?.hasModel);
}

function adviceWithout({ hasModel, program }: Agent): string {
  const standIn = hasModel && Object.values(AGENTS).find((agent) => !agent.hasModel);
  const left = standIn ? ` Until then only the ${standIn.label.toLowerCase()} runs here.` : '';
  return ` ${program.installAdvice}${left}`;
}
