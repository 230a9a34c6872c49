/**
 * What an agent CLI adapter has to provide. An adapter is pure: it says how a process is
 * started and what its output means; the runner does the starting and reading.
 */
import type { HarnessEvent, InitEvent, QuestionAnswers } from '@/lib/protocol/events';
import type { JsonObject, StartSpec } from '@/lib/protocol/spec';

/** Where the runner has put things on its host. All paths are absolute. */
export interface HostLayout {
  /** The program, and arguments that stand before the CLI's own (a script for an interpreter). */
  binary: { file: string; args: string[] };
  /** As the program prints it, from the runner's posture: some flags exist from a version on. */
  cliVersion: string | null;
  /** Stable per project: the CLI finds a conversation by it. */
  workDir: string;
  /** The CLI's own state; one per organization and project, never the user's. */
  configDir: string;
  /** Private to one attempt and removed at its end; holds handoff.json in handoff mode. */
  stateDir: string;
  tmpDir: string;
  systemPromptFile: string;
  mcpConfigFile: string;
  /** The CLI's own settings for this start, where it gets any. */
  settingsFile: string;
  /** Shell line that passes a hook's input on to the runner; null: no hooks. */
  hookCommand: string | null;
  /** Proves which attempt a process belongs to; inherited by everything the CLI starts. */
  marker: string;
  /** Variables of the runner's own environment that the CLI may see, already filtered. */
  passThrough: Record<string, string>;
  /** Handed over by file descriptor 3, so that no child of the CLI can read it. */
  apiKey?: string;
  /** MCP server that offers `check`; null only in previews without one. */
  mcpServer: JsonObject | null;
}

/** One process to start, exactly. `env` is complete: nothing is inherited. */
export interface Command {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** Written to stdin first. */
  stdin: string;
  /** False: stdin is then ended. True: the process gets answers by it until its result came. */
  stdinStaysOpen: boolean;
  /** Written before the start with mode 0600. */
  files: { path: string; content: string }[];
  /**
   * Bytes for file descriptor 3, when the harness takes its key that way. It has to be the
   * descriptor of a file (opened, then unlinked): CLI 2.1.197 opens /dev/fd/3, and a pipe of
   * Node's is a socket, which cannot be opened so.
   */
  fd3?: string;
}

/** A spec that no process can be started from; `code` goes into the attempt's `startError`. */
export class CommandError extends Error {
  override name = 'CommandError';
  constructor(
    readonly code: 'argument_list' | 'other',
    message: string,
  ) {
    super(message);
  }
}

/** Turns the lines of one process's stdout into events. Holds state, so make one per process. */
export interface StreamParser {
  /** `line` without its newline; a line that was cut carries how many bytes are missing. */
  push(line: string, cutBytes?: number): HarnessEvent[];
  /** Where a process can ask for something and wait. */
  requests?: ProcessRequests;
}

/** What a process has asked for and waits for. Lines for its stdin are told without the newline. */
export interface ProcessRequests {
  /** Lines that answer what needs no person, each told once. Left unsent they hold the agent up. */
  takeReplies(): string[];
  /** The line that answers a `question`; null when none is open under this id. Then it is closed. */
  answer(requestId: string, answers: QuestionAnswers): string | null;
  /** The same when there is no answer: `reason` is what the agent reads. */
  decline(requestId: string, reason: string): string | null;
}

/** What of a start decides which tools it offers. */
export type OfferedBy = Pick<
  StartSpec,
  'tools' | 'writesHandoffFile' | 'checkpoints' | 'questionWaitSeconds'
>;

export interface Harness {
  name: StartSpec['harness'];
  /** Shown wherever an agent's work is shown. */
  label: string;
  command(spec: StartSpec, host: HostLayout): Command;
  /** `tellsParts`: answers are told while they are written, besides the whole messages. */
  createParser(options?: { tellsParts: boolean }): StreamParser;
  /** What the program says at its start that it offers although the spec does not; sorted. */
  surplusTools(spec: OfferedBy, init: Pick<InitEvent, 'tools' | 'mcpServers'>): string[];
}
