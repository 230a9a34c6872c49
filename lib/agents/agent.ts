/**
 * Everything that differs between agent CLIs. An adapter is pure: it says how a process is
 * started and what its output means; the runner does the starting and reading.
 */
import type { HarnessEvent, InitEvent, QuestionAnswers, RunnerEvent } from '@/lib/protocol/events';
import type { HarnessName, JsonObject, StartSpec } from '@/lib/protocol/spec';
import type { AttemptEndFacts, ClassifiedEnd } from './attempt-end';
import type { BookedLine, ResumedParent, StartedWith } from './booking';
import type { PriceTable } from './prices';

/** Where the runner has put things on its host. All paths are absolute. */
export interface HostLayout {
  /** The program, and arguments that stand before the CLI's own (a script for an interpreter). */
  binary: { file: string; args: string[] };
  /** As the program prints it, from the runner's capabilities: some flags exist from a version on. */
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
  /** The CLI's own settings for this start: its rules, and hooks where it has any. */
  settingsFile: string;
  /**
   * Shell line that passes a hook's input on to the runner, in the form of `hookInputSchema` of
   * the runner's socket; null: no hooks. An agent without hooks leaves it out.
   */
  hookCommand: string | null;
  /** Value of MARKER_VARIABLE: which attempt a process belongs to. */
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

/** Returns an argv as people read it: with the settings in place of their file, which CLIs take as well. */
export function shownArgv({ file, args, files }: Command): string[] {
  const shown = args.map((arg, at) =>
    args[at - 1] === '--settings' ? (files.find(({ path }) => path === arg)?.content ?? arg) : arg,
  );
  return [file, ...shown];
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

/** What a process has requested and waits for. Lines for its stdin come without the newline. */
export interface ProcessRequests {
  /**
   * Lines that answer requests that need no person, each returned once. The agent waits until they
   * are sent.
   */
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

/** How a confined agent reaches its model: it has no network, and no key of its own. */
export type ModelProvider =
  | { kind: 'none' }
  /** The runner forwards its requests. */
  | {
      kind: 'forwarded';
      /** The provider's address. */
      url: string;
      /** Added to each request outside the sandbox, in the place of those of the same name. */
      headers: Readonly<Record<string, string>>;
      /** The variable that gets the address of the runner's gateway. */
      addressVariable: string;
      /** Variables that only say which kind of key is used. */
      placeholders: Readonly<Record<string, string>>;
    }
  /** Its requests can't be forwarded, so it can't be confined. `why` is a whole sentence. */
  | { kind: 'direct'; why: string };

/** What a runner's environment says of an agent's program. */
export interface ProgramSettings {
  /** `file`: a path, or a name that the runner looks for on its PATH. */
  binary: HostLayout['binary'];
  /** A folder that the agent's own commands are looked for in before the PATH. */
  searchFirst: string | null;
  /** Handed over by file descriptor, and redacted from everything that is sent. */
  apiKey: string | null;
  /**
   * Values that decide which account of the provider is billed, and by which route it is reached;
   * the runner reports a hash of them. Null: it has no account.
   */
  account: readonly (string | null)[] | null;
  provider: ModelProvider;
  /** Why starts would fail although the program is there, such as a missing key; null: nothing known. */
  obstacle: string | null;
}

/** How the runner finds out what its host offers. */
export interface AgentProgram {
  /** What previews call it. */
  shownName: string;
  /**
   * @param runner.env the runner's whole environment
   * @param runner.passed variables the agent may see
   * @param runner.root the repository's root folder
   */
  settings(runner: {
    env: Readonly<Record<string, string | undefined>>;
    passed: Readonly<Record<string, string>>;
    root: string;
  }): ProgramSettings;
  /** Additional variables of the runner's environment that the agent may see. */
  passedVariables: readonly string[];
  /** Environment of a process that only prints its version or its help; `home` may be written to. */
  probeEnv(home: string): Record<string, string>;
  /** The version in what `--version` printed; null: this is another program. */
  readVersion(printed: string): string | null;
  /** Whether it can continue a conversation and leave the original as it was, by the flags of its help. */
  canResume(flags: ReadonlySet<string>): boolean;
  /** What to do where the program isn't found; a whole sentence. */
  installAdvice: string;
  /**
   * Whether the lists of denied versions are about this program. Their entries are bare versions, so
   * they can be about one program only: Claude Code.
   */
  hasDenylist: boolean;
  /** Returns a warning about a version that hasn't been tested with this adapter. */
  untestedVersion(version: string): string | null;
  /** A warning about a version that lets an agent do what its rules forbid. */
  unsafeVersion(version: string): string | null;
}

/** Names of the tools that Tierwatch adds to those of the project's rules, as model and events use them. */
export interface ToolNames {
  /** Takes the report and ends the process. */
  report: string;
  /** Runs the checks of a service. */
  check: string;
  /** Asks a person and waits for the answer; null where it can't. */
  ask: string | null;
  /** Offered where checkpoints are kept. */
  notes: { digest: string; remember: string; recall: string };
}

/**
 * Where an agent keeps its conversations, as paths below its config folder. `*` stands for one
 * folder of any name and `{id}` for the conversation's id.
 */
export interface KeptConversations {
  file: string;
  /** Folders that belong to the conversation as well. */
  folders: readonly string[];
  /**
   * Returns what replaces `*` in `file` for a work folder, given without symbolic links. Not needed
   * if `file` has no `*`; otherwise, an agent without it can't continue another host's conversations.
   */
  folderOf?(workDir: string): string;
}

/**
 * One agent CLI. Tools in its events have the names that projects use in their rules (`Bash`,
 * `Read`, `Edit`, …): by them commands are read, changes noticed and calls shown. The `result` of a
 * process that finished its work has the subtype `success`.
 */
export interface Agent {
  name: HarnessName;
  /** Shown wherever an agent's work is shown. */
  label: string;
  /** False: no model writes the answers, which every page says. */
  hasModel: boolean;
  /**
   * Whether a stand-in for Anthropic's API can play its model. Then a runner proves that it refuses what
   * no rule allows before a tier above 1 starts; other agents start without that proof.
   */
  canBeProven: boolean;
  /** What a host needs so that this agent works there; empty for nothing. A whole sentence. */
  needs: string;
  /** Where the agent finds its program and key on the host; empty if it needs nothing. */
  uses: string;
  /** Models that people are offered first; others can be typed. */
  models: readonly string[];
  /** Of tiers 1, 2 and 3 of a project that names none. */
  tierModels: readonly [string, string, string];
  program: AgentProgram;
  /** @throws CommandError for a spec that no process can be started from */
  command(spec: StartSpec, host: HostLayout): Command;
  /** `reportsParts`: also emit answers while they are being written. */
  createParser(options?: { reportsParts: boolean }): StreamParser;
  /** Prompts name them. A tool to ask with needs the parser's `requests`. */
  toolNames: ToolNames;
  /** What the program says at its start that it offers although the spec does not; sorted. */
  surplusTools(spec: OfferedBy, init: Pick<InitEvent, 'tools' | 'mcpServers'>): string[];
  conversations: KeptConversations;
  classifyEnd(facts: AttemptEndFacts): ClassifiedEnd;
  /**
   * The ledger lines of one attempt, from all of its events. `parent` is null for an attempt that
   * resumed nothing, and `started` where its start is not known.
   */
  book(
    events: readonly RunnerEvent[],
    parent: ResumedParent | null,
    started: StartedWith | null,
  ): BookedLine[];
  prices: PriceTable;
  /** Context window of the model that ran, in tokens, if its events report it. */
  contextWindow(events: readonly RunnerEvent[]): number | null;
  /**
   * Pairs of models (from, to), as aliases or names, of which it has been shown that the second one
   * continues a conversation of the first.
   */
  provenEdges: readonly (readonly [string, string])[];
  /** Assumed while no window is known. */
  smallestWindow: number;
}
