/** The adapter of the third agent CLI, as a folder of lib/agents would hold it. */
import type { Agent } from '@/lib/agents/agent';
import type { AttemptEndFacts, NamedEnd } from '@/lib/agents/attempt-end';
import { type BookedLine, requestsIn } from '@/lib/agents/booking';
import { endTextsOf } from '@/lib/agents/end-texts';
import { estimateCost, type PriceTable } from '@/lib/agents/prices';
import { classifyRunnerEnd, ownPointer } from '@/lib/agents/runner-ends';
import type { HarnessEvent, RunnerEvent } from '@/lib/protocol/events';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import { PARROT } from './parrot-name';

const VERSION = /\(build (\S+),/;
const TESTED = ['7.4.1'];
const WINDOW = 50_000;
/** Its names of tools, and ours. */
const TOOLS: Record<string, string> = { shell: 'Bash', look: 'Read', scribble: 'Write' };

const PARROT_PRICES: PriceTable = {
  measuredOn: '2026-02-03',
  models: [['macaw', { input: 100, output: 1_000, cacheRead: 0, cacheWrite: 0 }]],
  unknownModel: { input: 200, output: 2_000, cacheRead: 0, cacheWrite: 0 },
};

const texts = endTextsOf({
  label: 'Parrot CLI',
  programVariable: 'PARROT_BIN',
  keyVariable: 'PARROT_KEY',
  addressVariable: 'PARROT_URL',
});

export const parrotAgent: Agent = {
  name: PARROT,
  label: 'Parrot CLI',
  hasModel: true,
  canBeProven: false,
  needs: 'Parrot CLI needs PARROT_KEY on the runner’s host.',
  uses: 'Parrot CLI uses the host’s PARROT_KEY and the parrot on its PATH.',
  models: ['macaw', 'budgie'],
  tierModels: ['budgie', 'macaw', 'macaw'],
  program: {
    shownName: 'parrot',
    settings: ({ env }) => ({
      binary: { file: env.PARROT_BIN || 'parrot', args: [] },
      searchFirst: null,
      apiKey: env.PARROT_KEY || null,
      account: env.PARROT_KEY ? [env.PARROT_KEY] : null,
      provider: { kind: 'none' },
      obstacle: env.PARROT_KEY ? null : 'This runner has no PARROT_KEY.',
    }),
    passedVariables: ['PARROT_URL'],
    probeEnv: (home) => ({ PARROT_HOME: home }),
    readVersion: (printed) => VERSION.exec(printed)?.[1] ?? null,
    canResume: (flags) => flags.has('--carry-on'),
    hasDenylist: false,
    installAdvice: 'Install Parrot CLI for the runner’s user, or name it in PARROT_BIN.',
    untestedVersion: (version) =>
      TESTED.includes(version) ? null : `Nobody has heard Parrot CLI ${version} yet.`,
    unsafeVersion: (version) =>
      version.startsWith('6.') ? `Parrot CLI ${version} repeats every secret it hears.` : null,
  },
  command: (spec, host) => ({
    file: host.binary.file,
    args: [
      ...host.binary.args,
      ...['--perch', String(spec.tier), '--as', spec.cliSessionId, '--voice', spec.model],
      ...(spec.continuation.mode === 'resume'
        ? ['--carry-on', spec.continuation.parentCliSessionId]
        : []),
    ],
    env: {
      ...host.passThrough,
      PARROT_HOME: host.configDir,
      [MARKER_VARIABLE]: host.marker,
    },
    stdin: `${spec.systemPrompt}\n${spec.prompt}`,
    stdinStaysOpen: false,
    files: [],
  }),
  createParser: createParrotParser,
  toolNames: {
    report: 'recite',
    check: 'tierwatch.check',
    ask: null,
    notes: { digest: 'tierwatch.sum', remember: 'tierwatch.keep', recall: 'tierwatch.tell' },
  },
  surplusTools: (spec, init) => init.tools.filter((tool) => !spec.tools.includes(tool)).sort(),
  conversations: { file: 'nest/{id}.song', folders: [] },
  classifyEnd: (facts) => ({
    ...namedEnd(facts),
    isCallInterrupted: facts.results.some(({ terminalReason }) => terminalReason === 'ruffled'),
  }),
  book,
  prices: PARROT_PRICES,
  contextWindow: (events) => (events.some(({ kind }) => kind === 'init') ? WINDOW : null),
  provenEdges: [['budgie', 'macaw']],
  smallestWindow: 32_000,
};

function createParrotParser() {
  let conversation: string | null = null;
  let model = '';
  let request = '';
  let said = '';

  function read([word, ...rest]: string[]): HarnessEvent | null {
    const [first = '', second = '', third = ''] = rest;
    switch (word) {
      case 'hello':
        conversation = first;
        model = third;
        return {
          kind: 'init',
          cliSessionId: first,
          cliVersion: second,
          model,
          tools: (rest[4] ?? '').split(',').map((tool) => TOOLS[tool] ?? tool),
          mcpServers: [],
          permissionMode: null,
          cwd: null,
        };
      case 'spent':
        request = first;
        return {
          kind: 'request_usage',
          messageId: first,
          model,
          inputTokens: Number(second),
          outputTokens: Number(third),
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          final: true,
        };
      case 'does':
        return {
          kind: 'tool_call',
          messageId: request,
          toolUseId: first,
          tool: TOOLS[third] ?? third,
          input: { command: second },
          parentToolUseId: null,
        };
      case 'did':
        return {
          kind: 'tool_result',
          toolUseId: first,
          isError: second !== '0',
          denied: false,
          content: JSON.parse(third),
          stdout: JSON.parse(third),
          stderr: null,
          exitCode: Number(second),
          cutBytes: 0,
        };
      case 'says':
        said = JSON.parse(first);
        return { kind: 'text', messageId: request, text: said, parentToolUseId: null };
      case 'bye':
        return bye(conversation, said, first, second, third || null);
      default:
        return null;
    }
  }

  return {
    push(line: string): HarnessEvent[] {
      const bytes = Buffer.byteLength(line);
      return [
        read(line.split('\t')) ?? { kind: 'unparsed', text: line, bytes, reason: 'unknown_type' },
      ];
    },
  };
}

function bye(
  cliSessionId: string | null,
  text: string,
  cents: string,
  report: string,
  terminalReason: string | null,
): HarnessEvent {
  return {
    kind: 'result',
    subtype: terminalReason ?? 'success',
    isError: terminalReason !== null,
    apiErrorStatus: null,
    terminalReason,
    stopReason: null,
    cliSessionId,
    numTurns: 1,
    durationMs: null,
    durationApiMs: null,
    totalCostUsd: cents === '-' ? null : Number(cents) / 100,
    modelUsage: {},
    text,
    errors: [],
    structuredOutput: JSON.parse(report),
    permissionDenials: [],
  };
}

/** What it doesn't say itself is priced by the table. */
function book(events: readonly RunnerEvent[]): BookedLine[] {
  const said = events.findLast((event) => event.kind === 'result')?.totalCostUsd ?? null;
  return [...requestsIn(events).values()].map(({ model, ...tokens }) => {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = tokens;
    return {
      model,
      ...{ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
      costUsd: said ?? estimateCost(PARROT_PRICES, model, tokens),
      source: said === null ? 'estimated' : 'reported',
      isEstimate: said === null,
      claimed: null,
    };
  });
}

function namedEnd(facts: AttemptEndFacts): NamedEnd {
  const caused = classifyRunnerEnd(facts, texts);
  if (caused) return caused;
  const code = facts.exit?.code ?? null;
  if (code === 66) {
    const text = texts.resumeRejected(facts);
    return { end: 'resume_rejected', pointer: 'retired', retry: { kind: 'once' }, ...text };
  }
  if (code === 75) {
    const text = texts.rateLimited(facts);
    return { end: 'rate_limited', pointer: 'none', retry: { kind: 'after', seconds: 77 }, ...text };
  }
  const pointer = ownPointer(facts);
  if (facts.results.length === 0) {
    return { end: 'crashed', pointer, retry: { kind: 'once' }, ...texts.crashed(facts) };
  }
  if (facts.isReportRequired && !facts.hasValidReport) {
    const text = texts.reportMissing(facts);
    return { end: 'report_missing', pointer, retry: { kind: 'once' }, ...text };
  }
  return { end: 'completed', pointer, retry: { kind: 'none' }, ...texts.completed(facts) };
}
