/** What a runner that was killed has left: processes to end, attempts to report, folders to remove. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { KeptConversations } from '@/lib/agents/agent';
import { logger } from '@/lib/platform/logger';
import { type AttemptResult, NOTHING_RAN } from '@/lib/protocol/schema';
import { hasTranscript, readTranscript } from './attempt/compare-with-host';
import { bringConversationHome, type ConfigFolder } from './conversations/kept-files';
import { attemptProcesses, markerPrefix } from './process/attempt-processes';
import { openCgroup } from './process/cgroup';
import { emptyTrash } from './process/discard';
import { currentBootId } from './process/process-table';
import type { AttemptSpool } from './spool/attempt-spool';
import { openLeftSpools, setUnreadableAside } from './spool/spool-folder';

const KILL_WITHIN_MS = 4_000;

/** The spools that are still to be delivered, each with a result. */
export async function recoverAttempts(
  dir: string,
  conversations: readonly KeptConversations[],
): Promise<AttemptSpool[]> {
  const root = path.join(dir, 'spool');
  const { spools, unreadable } = openLeftSpools(root);
  await Promise.all([
    ...spools.map((spool) => finish(spool, conversations)),
    ...unreadable.map((name) => endUnreadable(root, name, path.join(dir, 'refused'))),
  ]);
  emptyTrash(dir);
  return spools;
}

/**
 * Ends the processes of an attempt whose record was lost to a power cut or a full disk. Without its
 * fence nothing can be reported: its lease expires, and the control plane decides what follows.
 */
async function endUnreadable(root: string, name: string, refusedDir: string): Promise<void> {
  const processes = attemptProcesses({ marker: markerPrefix(name), mainPid: null, cgroup: null });
  const { killed } = await processes.clear({ graceMs: 0, withinMs: KILL_WITHIN_MS });
  logger.error(
    { attemptId: name, killed },
    'The record of an attempt can’t be read. Its processes were ended, and its lease expires.',
  );
  setUnreadableAside(root, name, refusedDir);
}

async function finish(
  spool: AttemptSpool,
  conversations: readonly KeptConversations[],
): Promise<void> {
  const { attemptId, label, marker, cgroupDir, copyFile } = spool.record;
  const cgroup = cgroupDir === null ? null : openCgroup(cgroupDir);
  const processes = attemptProcesses({ marker, mainPid: null, cgroup });
  const { killed } = await processes.clear({ graceMs: 0, withinMs: KILL_WITHIN_MS });
  cgroup?.remove();
  logger.warn(
    { attemptId, label, events: spool.lastSeq, killed },
    'attempt left by an earlier runner process',
  );
  bringHome(spool, conversations);
  if (spool.result === null) {
    const kept = { configDir: spool.record.configDir, conversations };
    spool.setResult(interrupted(spool, kept, killed, mayHaveRun(spool)));
  }
  if (copyFile !== null) rmSync(copyFile, { force: true });
}

function bringHome(
  { record: { privateConfigDir, configDir, workDir, cliSessionId } }: AttemptSpool,
  conversations: readonly KeptConversations[],
): void {
  if (privateConfigDir === null || workDir === null) return;
  try {
    for (const kept of conversations) {
      bringConversationHome(privateConfigDir, { configDir, workDir }, kept, cliSessionId);
    }
  } catch (error) {
    logger.warn({ error: String(error) }, 'conversation not kept');
  }
}

/**
 * The first event is written before the process starts, so an empty spool means that there was
 * none. After a crash of the host it proves nothing: events are not forced to the disk.
 */
function mayHaveRun({ lastSeq, record }: AttemptSpool): boolean {
  return lastSeq > 0 || record.bootId === null || record.bootId !== currentBootId();
}

function interrupted(
  spool: AttemptSpool,
  kept: ConfigFolder,
  killed: number,
  hasRun: boolean,
): AttemptResult {
  const { record } = spool;
  if (hasRun) {
    spool.append({
      kind: 'notice',
      level: 'warning',
      code: 'RUNNER_RESTARTED',
      message:
        'The runner was killed while the agent was running. The agent was ended when the runner restarted.',
    });
  }
  const message = 'The runner was killed before it started the agent.';
  return {
    // Nobody was there to see how it ended.
    ...NOTHING_RAN,
    fence: record.fence,
    lastSeq: spool.lastSeq,
    startedAt: hasRun ? record.claimedAt : null,
    endedAt: new Date().toISOString(),
    startError: hasRun ? null : { code: 'runner_restarted', message },
    transcriptSeen: hasTranscript(kept, record.cliSessionId),
    transcript: readTranscript(kept, record.cliSessionId),
    handoffFile: record.writesHandoffFile
      ? { state: 'deleted_unread', why: 'The runner was killed while the agent was working.' }
      : { state: 'not_expected' },
    leftoversKilled: killed,
  };
}
