import {
  compareVersions,
  FIRST_WITHOUT_FILE_READS,
  printsAnyFile,
} from '@/lib/agents/claude/versions';
import { type Posture, RUNNER_VERSION } from '@/lib/protocol/schema';
import { type DeniedVersions, denialWords, runnerDenial } from './denied-versions';
import type { RunnerDto, RunnerProblem } from './schema';

/** Certificates and tokens of the provider begin to be refused beyond it. */
export const MOST_SKEW_MS = 30_000;

const WITHOUT_CLI =
  'Install Claude Code for the runner’s user, or name it in CLAUDE_BIN. Until then only the demo agent runs here.';

interface RunnerFacts {
  status: RunnerDto['status'];
  posture: Posture | null;
  clockSkewMs: number | null;
  denied: DeniedVersions;
}

/** What is wrong with a runner, and what to check on its host; the worst first. */
export function runnerProblems(runner: RunnerFacts): RunnerProblem[] {
  const { status, posture, clockSkewMs } = runner;
  if (status === 'revoked') return [];
  if (status === 'never') {
    return [
      {
        code: 'never_connected',
        message:
          'It was enrolled and has not called since. Run its command again on the host: the key is stored there. Check that the host reaches this address.',
      },
    ];
  }
  const problems: RunnerProblem[] = [];
  if (status === 'offline') {
    problems.push({
      code: 'offline',
      message:
        'It has stopped calling. Check that its host is up, that the process runs (npm run tierwatch -- runner start), and that the host reaches this address. What it had in hand is settled by its lease.',
    });
  }
  if (!posture) return problems;
  const claude = posture.harnesses.find((harness) => harness.name === 'claude');
  if (claude?.problem) {
    problems.push({
      code: claude.isUsable ? 'cli_untested' : 'cli_unusable',
      message: claude.version === null ? `${claude.problem} ${WITHOUT_CLI}` : claude.problem,
    });
  }
  const denial = runnerDenial(posture, 'claude', runner.denied);
  if (claude?.version && denial) {
    problems.push({
      code: 'cli_denied',
      message: `It has Claude Code ${claude.version}, which ${denialWords(denial)}, so Claude Code doesn't start here. Install another version on this host.`,
    });
  }
  if (claude?.version && printsAnyFile(claude.version)) {
    problems.push({
      code: 'cli_reads_files',
      message: `Claude Code ${claude.version} lets an agent print any file that the runner's account can read, for example with \`cat < FILE\`, whatever the rules of its tier say. Install ${FIRST_WITHOUT_FILE_READS} or later on this host.`,
    });
  }
  if (compareVersions(posture.runnerVersion, RUNNER_VERSION) < 0) {
    problems.push({
      code: 'outdated',
      message: `It runs version ${posture.runnerVersion}; the current one is ${RUNNER_VERSION}. Drain it, update its checkout (git pull, npm ci) and start it again.`,
    });
  }
  if (clockSkewMs !== null && Math.abs(clockSkewMs) > MOST_SKEW_MS) {
    const seconds = Math.round(Math.abs(clockSkewMs) / 1_000);
    problems.push({
      code: 'clock_skew',
      message: `Its clock is ${seconds} s ${clockSkewMs > 0 ? 'ahead' : 'behind'}. Times in its logs are off by as much. Check its time service (timedatectl).`,
    });
  }
  return problems;
}
