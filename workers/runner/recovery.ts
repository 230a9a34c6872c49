/** What a runner that was killed has left: processes to end, attempts to report, folders to remove. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { logger } from '@/lib/logger';
import { type AttemptResult, PROTOCOL_VERSION } from '@/lib/runner-protocol/schema';
import { hasTranscript, readTranscript } from './attempt/transcript-file';
import { attemptProcesses } from './process/attempt-processes';
import { openCgroup } from './process/cgroup';
import type { AttemptSpool } from './spool/attempt-spool';
import { openLeftSpools } from './spool/spool-folder';

const KILL_WITHIN_MS = 4_000;

/** The spools that are still to be delivered, each with a result. */
export async function recoverAttempts(dir: string): Promise<AttemptSpool[]> {
  const spools = openLeftSpools(path.join(dir, 'spool'));
  await Promise.all(spools.map(finish));
  rmSync(path.join(dir, 'attempts'), { recursive: true, force: true });
  return spools;
}

async function finish(spool: AttemptSpool): Promise<void> {
  const { attemptId, label, marker, cgroupDir, attemptDir } = spool.record;
  const cgroup = cgroupDir === null ? null : openCgroup(cgroupDir);
  const processes = attemptProcesses({ marker, mainPid: null, cgroup });
  const { killed } = await processes.clear({ graceMs: 0, withinMs: KILL_WITHIN_MS });
  cgroup?.remove();
  logger.warn({ attemptId, label, events: spool.lastSeq, killed }, 'left by an earlier runner');
  // The command is told before the process starts, so without events there was none.
  if (spool.result === null) spool.setResult(interrupted(spool, killed, spool.lastSeq > 0));
  rmSync(attemptDir, { recursive: true, force: true });
}

function interrupted(spool: AttemptSpool, killed: number, mayHaveRun: boolean): AttemptResult {
  const { record } = spool;
  if (mayHaveRun) {
    spool.append({
      kind: 'notice',
      level: 'warning',
      code: 'RUNNER_RESTARTED',
      message: 'The runner was killed while the agent worked. The agent was ended at its restart.',
    });
  }
  const message = 'The runner was killed before it started the agent.';
  return {
    protocol: PROTOCOL_VERSION,
    fence: record.fence,
    lastSeq: spool.lastSeq,
    startedAt: mayHaveRun ? record.claimedAt : null,
    endedAt: new Date().toISOString(),
    startError: mayHaveRun ? null : { code: 'runner_restarted', message },
    // Nobody was there to see how it ended.
    exit: null,
    stopCause: null,
    stderrTail: '',
    transcriptSeen: hasTranscript(record.configDir, record.cliSessionId),
    transcript: readTranscript(record.configDir, record.cliSessionId),
    handoffFile: record.writesHandoffFile
      ? { state: 'deleted_unread', why: 'The runner was killed while the agent worked.' }
      : { state: 'not_expected' },
    leftoversKilled: killed,
  };
}
