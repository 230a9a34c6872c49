/**
 * One attempt from its claim to its result, which is on disk when this is over.
 *
 * In order: 1. folders and command, 2. the process and all that it started, 3. the runner's own
 * checks, 4. what the agent left in files, 5. the result.
 */

import { type Agent, type Command, CommandError } from '@/lib/agents/agent';
import { logger } from '@/lib/platform/logger';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { RecalledCheckpoint } from '@/lib/protocol/checkpoint';
import { resultFor } from '@/lib/protocol/checks/revision';
import type { AuthorizeCommandRequest, AuthorizeCommandResponse } from '@/lib/protocol/commands';
import type { CheckResultEvent } from '@/lib/protocol/events';
import {
  type AttemptResult,
  attemptResultSchema,
  NOTHING_RAN,
  type StopCause,
} from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type AgentSocket, type AnswerAgent, openAgentSocket } from '../agent-socket/server';
import { keepNotes } from '../checkpoints/session-notes';
import type { AttemptCgroup } from '../process/cgroup';
import { gitCeilings } from '../process/limits';
import { type StartError, startErrorOf } from '../process/start-error';
import type { SandboxStart } from '../sandbox/sandbox-start';
import type { AttemptSpool } from '../spool/attempt-spool';
import { type AgentEnd, type AgentProcess, runAgentProcess } from './agent-process';
import type { AgentHost } from './agents';
import { collectAnswerParts } from './answer-parts';
import { type AttemptLog, createAttemptLog } from './attempt-log';
import { commandEvent, compareWithHost, hasTranscript, readTranscript } from './compare-with-host';
import { type ConfinedAttempt, confineAttempt, decideIsolation } from './confined-attempt';
import { takeHandoffFile } from './handoff-file';
import { type AttemptHost, type AttemptPaths, hostLayout, makeAttemptFolders } from './host-layout';
import { createQuestions, type Questions } from './questions';
import { answerChecks, needsFinalChecks, runFinalChecks } from './requested-checks';
import { createStderrLog } from './stderr-log';
import { followStream } from './stream-follower';

/** Programs that export traces continue the chain's by it, and git looks for no repository above. */
function withVariables(command: Command, workDir: string, { traceparent }: AttemptSpec): Command {
  const env: Command['env'] = { ...command.env, ...gitCeilings(workDir) };
  if (traceparent !== undefined) env.TRACEPARENT = traceparent;
  return { ...command, env };
}

interface AttemptInput {
  runner: AttemptHost;
  spec: AttemptSpec;
  spool: AttemptSpool;
  paths: AttemptPaths;
  cgroup: AttemptCgroup | null;
  harness: Agent;
  /** The agent as it is on this host now, probed again if its program was replaced. */
  agent(): Promise<AgentHost>;
  /** Gets the conversation of another host, if the attempt continues one. Never rejects. */
  restore(): Promise<StartError | null>;
  /** Whether no other attempt uses the project's folders now. */
  isAlone(): boolean;
  /** Whether the attempt is still this runner's. */
  isLeaseValid(): boolean;
  authorizeCommand(command: AuthorizeCommandRequest): Promise<AuthorizeCommandResponse>;
  /** What sessions before this one have kept, newest first. */
  recall(limit: number): Promise<RecalledCheckpoint[]>;
  secrets: string[];
  /** Something new is in the spool. */
  onAdded(): void;
  /** The agent has printed its result; usually its process ends next. */
  onAgentResult(): void;
}

export interface AttemptRun {
  /** The first cause counts; later ones change nothing. */
  stop(cause: StopCause): void;
  /** Writes a checkpoint, once per request. */
  checkpoint(requestedAt: string): void;
  /** Hands a person's answers to the agent, once per question. */
  answer: Questions['answer'];
  /** Resolves when the result is in the spool. Never rejects. */
  ended: Promise<void>;
}

export function runAttempt(input: AttemptInput): AttemptRun {
  const { runner, spec, spool, paths, cgroup, harness } = input;
  const { start } = spec;
  const { marker } = spool.record;
  const kept = { configDir: paths.configDir, conversations: [harness.conversations] };
  const redactor = createRedactor({ secrets: input.secrets });
  let stopCause: StopCause | null = null;
  let agent: AgentProcess | null = null;
  /** Known once the agent's process has ended. */
  let ended: AgentEnd | null = null;
  let confined: ConfinedAttempt | null = null;
  let ownSocket: AgentSocket | null = null;
  /** What the agent has said last. */
  let lastWords = '';

  function stop(cause: StopCause): void {
    if (stopCause !== null || spool.result !== null) return;
    stopCause = cause;
    logger.info({ label: spec.label, cause }, 'attempt stopped');
    questions.cancel();
    agent?.stop();
  }

  const log: AttemptLog = createAttemptLog({
    redactor,
    spool,
    onKept(event) {
      notes.observe(event);
      if (event.kind === 'text') lastWords = event.text;
    },
    onAdded: input.onAdded,
    onDiskFull: () => stop('disk_full'),
  });
  const notes = keepNotes({
    spec,
    workDir: paths.workDir,
    write: log.add,
    log: log.add,
    redact: redactor.text,
    recall: input.recall,
  });
  const addCheck = (check: CheckResultEvent) => log.add(resultFor(spec.checkRevision, check));
  const runCheckCommand = runner.checkCommands?.of(spec.checkCommands ?? null);
  const checks = answerChecks(spec, addCheck, runCheckCommand);
  const answerAsk: AnswerAgent = async (ask) =>
    ask.kind === 'check' ? checks.answer(ask.service) : notes.answer(ask);
  const leaveSocket = runner.socket.serve(marker, answerAsk);
  const stderr = createStderrLog(redactor.text, (text) => log.add({ kind: 'stderr', text }));
  const parser = harness.createParser({ reportsParts: start.purpose === 'ask' });
  const questions = createQuestions({
    waitSeconds: start.questionWaitSeconds,
    requests: parser.requests ?? { answer: () => null, decline: () => null },
    send: (line) => agent?.writeLine(line) ?? false,
    log,
  });
  const stream = followStream({
    start,
    parser,
    surplusTools: harness.surplusTools,
    log,
    parts: collectAnswerParts(redactor, log.add),
    onSurplus: () => stop('surplus_tools'),
    questions,
    onReply: (line) => void agent?.writeLine(line),
    onResult() {
      agent?.endInput();
      input.onAgentResult();
    },
  });

  /** @returns null for an agent of an open project */
  async function confine(host: AgentHost): Promise<ConfinedAttempt | StartError | null> {
    const { confinement, program } = runner.sandboxHost;
    const decision = decideIsolation(start.isolation, confinement, host.provider);
    if (decision.kind === 'refused') return { code: 'not_confined', message: decision.why };
    if (decision.kind === 'open') return null;
    if (program === null) return { code: 'not_confined', message: 'There is no bubblewrap.' };
    // Its own, so that no agent can keep those of others waiting.
    ownSocket = await openAgentSocket(paths.attemptDir);
    ownSocket.serve(marker, answerAsk);
    return confineAttempt({
      ...{ runner, spec, paths, host, agent: harness, program, cgroup, marker, redactor },
      socketPath: ownSocket.path,
      isLeaseValid: input.isLeaseValid,
      authorize: ({ argv, ...command }) =>
        input.authorizeCommand({
          ...command,
          fence: spec.fence,
          argv: argv.map((arg) => redactor.text(arg)),
        }),
      reason: () => lastWords,
      onUnheld: () => stop('approval'),
      onMetered: (request) => void log.add({ kind: 'metered', ...request }),
      onBudgetUsed: () => stop('max_budget'),
      onRefused: (message) => log.notice('warning', 'MODEL_REQUEST_REFUSED', message),
      add: (event) => void log.add(event),
      sync: () => spool.sync(),
      onManyRefused() {
        const message =
          'The agent has asked for more commands that no rule allows. They were refused, too, and are not listed.';
        log.notice('warning', 'COMMANDS_REFUSED', message);
      },
    });
  }

  async function prepare(host: AgentHost): Promise<Prepared | StartError> {
    try {
      makeAttemptFolders(runner.dir, paths, spec, input.isAlone());
      const restoring = await input.restore();
      const within = await confine(host);
      if (within !== null && 'code' in within) return within;
      confined = within;
      const layout = hostLayout({
        places: confined?.places ?? { ...paths, socket: runner.socket.path },
        host: confined?.host ?? host,
        keepsNotes: start.checkpoints !== null,
        marker,
        root: runner.root,
      });
      const asStarted = confined?.start ?? start;
      const command = withVariables(harness.command(asStarted, layout), layout.workDir, spec);
      const { verified, error } = compareWithHost(start, paths.workDir, kept, host);
      log.add(
        commandEvent({
          command,
          paths,
          start: asStarted,
          host,
          passEnv: runner.passEnv,
          verified,
          confinement: confined ? runner.sandboxHost.confinement.state : 'none',
        }),
      );
      const problem = host.startError ?? restoring ?? error;
      if (problem) return problem;
      return {
        command: confined?.commandOnHost(command) ?? command,
        sandbox: confined?.sandbox(command) ?? null,
      };
    } catch (error) {
      if (error instanceof CommandError) return { code: error.code, message: error.message };
      return startErrorOf(error, host.binary.file);
    }
  }

  async function runAgent(): Promise<AgentEnd> {
    const prepared = await prepare(await input.agent());
    if ('code' in prepared) return { isStarted: false, startError: prepared };
    if (stopCause !== null) return { isStarted: false, startError: null };
    const { limits } = start;
    const parts = { ...prepared, paths, marker, cgroup, limits, log, stream, stderr };
    agent = runAgentProcess({ ...parts, onExpired: stop });
    notes.begun();
    return agent.ended;
  }

  async function runOwnChecks(): Promise<void> {
    if (isHurried(stopCause) || !needsFinalChecks(start.tier, checks.hasRun)) return;
    for (const check of await runFinalChecks(spec.services, runCheckCommand)) addCheck(check);
  }

  /** All commands and requests of the agent have ended, and its conversation is where others are. */
  async function leaveSandbox(): Promise<void> {
    await confined?.close();
    leaveSocket();
    ownSocket?.close();
    try {
      confined?.keepConversation();
    } catch (error) {
      const message = `The conversation can’t be continued, since its file couldn’t be kept: ${String(error)}`;
      log.notice('warning', 'CONVERSATION_NOT_KEPT', message);
    }
  }

  async function run(): Promise<void> {
    const end = await runAgent();
    ended = end;
    await leaveSandbox();
    stream.end();
    questions.cancel();
    if (end.isStarted) await runOwnChecks();
    notes.end(end.isStarted);
    setResult({ ...resultOf(end), handoffFile: handoffFile(end) });
    input.onAdded();
  }

  function setResult(result: AttemptResult): void {
    spool.setResult(attemptResultSchema.parse(redactor.value(result)));
  }

  function resultOf(end: AgentEnd): AttemptResult {
    const cliSessionId = stream.cliSessionId ?? start.cliSessionId;
    const { isStarted: _, ...ended } = end;
    return {
      ...NOTHING_RAN,
      ...ended,
      fence: spec.fence,
      lastSeq: spool.lastSeq,
      endedAt: new Date().toISOString(),
      stopCause,
      transcriptSeen: hasTranscript(kept, cliSessionId),
      transcript: readTranscript(kept, cliSessionId),
    };
  }

  function handoffFile(end: AgentEnd): AttemptResult['handoffFile'] {
    if (!start.writesHandoffFile) return { state: 'not_expected' };
    const exit = end.isStarted ? end.exit : null;
    const { lastResult } = stream;
    return takeHandoffFile(paths.handoffFile, { exit, stopCause, lastResult });
  }

  /** Something of ours broke: the agent must not run on unseen, and the attempt must end. */
  async function giveUp(error: unknown): Promise<void> {
    logger.error({ error: String(error), label: spec.label }, 'attempt failed unexpectedly');
    agent?.stop();
    await agent?.ended.catch(() => {});
    await leaveSandbox().catch(() => {});
    stream.end();
    questions.cancel();
    notes.end(true);
    setResult(resultOf(ended ?? { isStarted: false, startError: null }));
    input.onAdded();
  }

  return {
    stop,
    checkpoint: notes.checkpoint,
    answer: questions.answer,
    ended: run().catch(giveUp),
  };
}

interface Prepared {
  command: Command;
  sandbox: SandboxStart | null;
}

/** The host is shutting down, or another process owns the attempt: skip further checks. */
function isHurried(cause: StopCause | null): boolean {
  return cause === 'runner_shutdown' || cause === 'fenced' || cause === 'disk_full';
}
