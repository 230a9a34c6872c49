import {
  Document,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  Scalar,
  visit,
} from 'yaml';
import { escapeHidden, hasHidden } from '@/lib/platform/format/visible-text';
import { unknownKeys } from '@/lib/platform/unknown-keys';
import { SETTING_COMMENTS } from '../settings';
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

/** Far more than the largest project needs. */
export const LONGEST_YAML = 1_000_000;

/** Reads a project's document from YAML or JSON; returns all errors by line if it is not valid. */
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

/** `line 12, tiers.1.maxTurns: Enter 1 to 500 turns.` */
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

/** Returns the document as YAML, with comments that explain units, choices and empty values. */
export function writeYaml(document: ProjectDocument): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  yaml.commentBefore = HEADER;
  visit(yaml, {
    Scalar: (_, scalar) => {
      // Only a quoted string can hold an escape.
      if (hasHidden(String(scalar.value))) scalar.type = Scalar.QUOTE_DOUBLE;
    },
    Pair: (_, pair, around) => {
      const keys = [...around, pair].flatMap((each) => (isPair(each) ? [String(each.key)] : []));
      comment(pair as Pair<Scalar<string>>, keys);
    },
  });
  return escapeHidden(yaml.toString({ lineWidth: 0 }));
}

/** Above a key of the top level; behind any other. */
function comment(pair: Pair<Scalar<string>>, keys: readonly string[]): void {
  const text = SETTING_COMMENTS[keys.join('.')];
  if (!text) return;
  if (keys.length === 1) {
    pair.key.spaceBefore = true;
    pair.key.commentBefore = text.replaceAll(/^/gm, ' ');
    return;
  }
  // A comment after a multi-line text would become part of it.
  if (isScalar(pair.value) && !String(pair.value.value).includes('\n')) {
    pair.value.comment = ` ${text}`;
  }
}
