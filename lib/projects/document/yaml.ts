import {
  Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import { unknownKeys } from '@/lib/platform/unknown-keys';
import { AGENT_NAMES } from '@/lib/protocol/agent-names';
import { type ProjectDocument, projectDocumentSchema } from './schema';

export interface YamlProblem {
  /** From 1 on; null where it concerns the whole file. */
  line: number | null;
  /** `tiers.1.maxTurns`; empty for the whole file. */
  path: string;
  message: string;
}

type ReadDocument =
  | { ok: true; document: ProjectDocument; lineOf: (path: string) => number | null }
  | { ok: false; problems: YamlProblem[] };

/** Far more than the largest project takes. */
export const LONGEST_YAML = 1_000_000;

/** A project's document from YAML or JSON, or everything that is wrong with it, by line. */
export function readYaml(text: string): ReadDocument {
  if (text.length > LONGEST_YAML) {
    return refuse([{ line: null, path: '', message: 'The file has more than 1 MB.' }]);
  }
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = yaml.errors.map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    path: '',
    message: `It is not YAML: ${error.message}.`,
  }));
  if (broken.length > 0) return refuse(broken);
  const lineAt = (path: readonly (string | number)[]) => lineOfPath(yaml, lines, path);
  const value: unknown = yaml.toJS();
  const unknown = unknownKeys(projectDocumentSchema, value).map(({ path, message }) => ({
    line: lineAt(path),
    path: path.join('.'),
    message,
  }));
  if (unknown.length > 0) return refuse(unknown);
  const parsed = projectDocumentSchema.safeParse(value);
  if (!parsed.success) {
    return refuse(
      parsed.error.issues.map((issue) => {
        const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
        return { line: lineAt(path), path: path.join('.'), message: issue.message };
      }),
    );
  }
  const lineOf = (path: string) => lineAt(path.split('.'));
  return { ok: true, document: parsed.data, lineOf };
}

/** `line 12, tiers.1.maxTurns: Turn limit must be 1 to 500.` */
export function problemText({ line, path, message }: YamlProblem): string {
  const where = [line === null ? '' : `line ${line}`, path].filter((part) => part !== '');
  return where.length > 0 ? `${where.join(', ')}: ${message}` : message;
}

function refuse(problems: YamlProblem[]): ReadDocument {
  return { ok: false, problems };
}

/** Where a value, or the nearest thing around it that is there, begins. */
function lineOfPath(
  yaml: Document,
  lines: LineCounter,
  path: readonly (string | number)[],
): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const parts = path.slice(0, length).map((part) => {
      return typeof part === 'string' && /^\d+$/.test(part) ? Number(part) : part;
    });
    const node = yaml.getIn(parts, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}

const HEADER = [
  ' A project of Tierwatch. Compare with: tierwatch project diff <file>; change with: project apply.',
  ' Objects merge with what is there, lists are replaced; a key that is left out stays as it is.',
].join('\n');

/** The document as YAML, with comments that explain units and choices. */
export function writeYaml(document: ProjectDocument): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  yaml.commentBefore = HEADER;
  visit(yaml, { Pair: (_, pair) => comment(pair as Pair<Scalar<string>>, BEHIND) });
  if (isMap<Scalar<string>>(yaml.contents)) {
    for (const pair of yaml.contents.items) {
      const text = ABOVE[pair.key.value];
      pair.key.spaceBefore = text !== undefined;
      if (text) pair.key.commentBefore = text.replaceAll(/^/gm, ' ');
    }
  }
  return yaml.toString({ lineWidth: 0 });
}

function comment(pair: Pair<Scalar<string>>, texts: Record<string, string>): void {
  const text = isScalar(pair.key) ? texts[pair.key.value] : undefined;
  // A comment behind a text of several lines would stand inside of it.
  if (text && isScalar(pair.value) && !String(pair.value.value).includes('\n')) {
    pair.value.comment = ` ${text}`;
  }
}

/** What stands beside the keys of an exported file: units, choices, and what an empty value means. */

const AGENTS = AGENT_NAMES.join(' or ');

/** Above a key of the top level. */
const ABOVE: Record<string, string> = {
  harness: `The agent: ${AGENTS}.`,
  services:
    'What is watched. Types of checks: http (URL), dns (host name), tcp (host:port),\ncontainer, process and service (a name), database (URL; a password is never sent).',
  schedule:
    'interval (everySeconds), cron (expression with five fields), or manual.\nTimes of cron lines are of the time zone; intervals are counted from the epoch.',
  tiers:
    'One policy per tier: 1 observes, 2 remediates safely, 3 remediates fully.\nallowedTools is what runs without asking; all else is denied.',
  maxTier: 'The highest tier that may start: 1, 2 or 3.',
  dryRun: 'true: tier 1 observes, nothing escalates.',
  contextThreshold: 'Share of the model’s context window above which a hop hands off; 0.8 is 80%.',
  maxRereadTokens:
    'Tokens that resuming may read again, above which a hop hands off. null is no limit.',
  continuation: 'How the next tier begins: resume, or handoff.',
  unprovenModels:
    'resume, or handoff, where one model has not been shown to continue what another said.',
  cooldowns: 'How often one service may be restarted or redeployed within a time.',
  budgets: 'US dollars; null is no limit. A day and a month are of UTC.',
  maintenance:
    'Times in which trouble is expected. effect: no_cycles, or observe_only.\nOnce: when {kind: once, startsAt, endsAt}, as clocks of the time zone show them.\nRepeatedly: when {kind: recurring, expression (cron), durationSeconds}.',
  checkpoints:
    'What a session knows is written down, so that the next start can read it.\nWritten after so many prompts and tool results, and by the clock.',
  askAgents: `Whom operators may ask: name, harness (${AGENTS}) and model.\nNone: the agent of the chains, with the model of tier 1.`,
  instructions: 'Goes to the agent as the operators’ own words.',
  runnerPool: 'The pool of runners that works for this project.',
  secrets: 'Names of files on the runner, and the tiers that get them. Never their contents.',
};

/** Behind a value, wherever the key stands. */
const BEHIND: Record<string, string> = {
  everySeconds: 'seconds',
  timeoutSeconds: 'seconds',
  stallSeconds: 'seconds without any sign of life',
  windowSeconds: 'seconds',
  durationSeconds: 'seconds',
  maxTurns: 'requests to the model, per process',
  maxBudgetUsd: 'US dollars per process; null is no limit of its own',
  contextWindow: 'tokens; null is what the CLI reports for the model',
  prompt: 'null is the prompt that ships with Tierwatch',
  expectStatus: 'HTTP status; without it 200 to 399',
  promptInterval: 'prompts and tool results',
  timeIntervalMs: 'milliseconds',
  retentionDays: 'days',
  recoveryBudgetChars: 'characters that a start gets to read',
  chainUsd: 'US dollars',
  dayUsd: 'US dollars',
  monthUsd: 'US dollars',
};
