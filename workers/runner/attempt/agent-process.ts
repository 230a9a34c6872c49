/** The agent's process, from its start until every process it started has ended. */

import type { Command } from '@/lib/agents/agent';
import { within } from '@/lib/platform/within';
import type { Limits } from '@/lib/protocol/spec';
import { type AttemptProcesses, attemptProcesses } from '../process/attempt-processes';
import type { AttemptCgroup } from '../process/cgroup';
import { type Exit, type RunningProcess, startProcess } from '../process/start';
import type { StartError } from '../process/start-error';
import { startWatch } from '../process/watch';
import type { SandboxStart } from '../sandbox/sandbox-start';
import type { AttemptLog } from './attempt-log';
import type { AttemptPaths } from './host-layout';
import type { StderrLog } from './stderr-log';
import type { StreamFollower } from './stream-follower';

/** Tools of the agent that end with it are given this long before they count as left behind. */
const LEFTOVER_GRACE_MS = 150;
const LEFTOVER_KILL_MS = 4_000;
/** For output that is still in the pipe when the process is gone. */
const OUTPUT_END_MS = 2_000;

export type AgentEnd =
  | { isStarted: false; startError: StartError | null }
  | {
      isStarted: true;
      startedAt: string;
      exit: Exit;
      stderrTail: string;
      leftoversKilled: number;
    };

export interface AgentProcess {
  /** Also before the process is there: then it is not started, or ended at once. */
  stop(): void;
  /** False when the process no longer accepts input. */
  writeLine(line: string): boolean;
  /** Nothing more is to be asked or said: with its stdin ended, the process ends. */
  endInput(): void;
  ended: Promise<AgentEnd>;
}

export function runAgentProcess(options: {
  command: Command;
  paths: Pick<AttemptPaths, 'workDir' | 'attemptDir'>;
  sandbox: SandboxStart | null;
  marker: string;
  cgroup: AttemptCgroup | null;
  limits: Limits;
  log: AttemptLog;
  stream: StreamFollower;
  stderr: StderrLog;
  onExpired(cause: 'timed_out' | 'stalled'): void;
}): AgentProcess {
  const { command, paths, sandbox, marker, cgroup, log, stream, stderr } = options;
  let isStopped = false;
  let interrupt: (() => void) | null = null;
  let running: RunningProcess | null = null;

  async function run(): Promise<AgentEnd> {
    const started = await startProcess(command, {
      workDir: paths.workDir,
      keyDir: paths.attemptDir,
      sandbox,
      cgroupDirs: cgroup?.agentDirs ?? [],
      onLine: stream.line,
      onStderr: stderr.push,
    });
    if (!started.ok) return { isStarted: false, startError: started.error };
    const startedAt = new Date().toISOString();
    const { process } = started;
    running = process;
    const processes = attemptProcesses({ marker, mainPid: process.pid, cgroup });
    // A sandbox was started in it. Without one the process runs by then, and what it starts before it is
    // in the group is found by its marker.
    const joined = sandbox === null ? join(cgroup, process.pid) : Promise.resolve();
    log.add({ kind: 'process', phase: 'started', pid: process.pid, code: null, signal: null });
    interrupt = () => void stopProcess(process, processes);
    if (isStopped) interrupt();
    const watch = startWatch(options.limits, stream, options.onExpired);
    const exit = await process.exited;
    watch.close();
    await joined;
    const graceMs = isStopped ? 0 : LEFTOVER_GRACE_MS;
    const cleared = await processes.clear({ graceMs, withinMs: LEFTOVER_KILL_MS });
    await readToTheEnd(process);
    const stderrTail = stderr.end();
    log.add({ kind: 'process', phase: 'exited', pid: process.pid, ...exit });
    if (cleared.survivors.length > 0) {
      const pids = cleared.survivors.map((one) => one.pid).join(', ');
      const message = `Processes of this attempt could not be ended: ${pids}. End them on the runner's host.`;
      log.notice('critical', 'PROCESS_SURVIVED', message);
    }
    return { isStarted: true, startedAt, exit, stderrTail, leftoversKilled: cleared.killed };
  }

  return {
    stop() {
      if (isStopped) return;
      isStopped = true;
      interrupt?.();
    },
    writeLine: (line) => running?.writeLine(line) ?? false,
    endInput: () => running?.endInput(),
    ended: run(),
  };
}

async function join(cgroup: AttemptCgroup | null, pid: number): Promise<void> {
  try {
    await cgroup?.addAgent(pid);
  } catch {
    // It has ended already.
  }
}

async function readToTheEnd(process: RunningProcess): Promise<void> {
  await within(OUTPUT_END_MS, process.closed).catch(() => {});
  process.abandonOutput();
}

/** At SIGINT the CLI ends its tool calls and still says what the turn has cost. */
export const INTERRUPT_MS = 5_000;

/**
 * Asks a process to end, and kills it after five seconds. Resolves when it has ended; what it
 * started is cleared after every end, by the one who waits for the exit.
 */
async function stopProcess(running: RunningProcess, processes: AttemptProcesses): Promise<void> {
  // Looked at while parents still tell what belongs to them.
  processes.alive();
  running.signal('SIGINT');
  const hasEnded = within(INTERRUPT_MS, running.exited).then(() => true);
  if (await hasEnded.catch(() => false)) return;
  processes.alive();
  running.signal('SIGKILL');
  await running.exited;
}
