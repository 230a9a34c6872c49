import {
  choiceParam,
  type Params,
  type Range,
  rangeParam,
  sinceOf,
  spanParam,
  textParam,
} from '@/app/_components/lists/list-params';
import {
  AUDIT_ACTION_WORDS,
  AUDIT_ACTIONS,
  AUDIT_KIND_WORDS,
  AUDIT_KINDS,
  type AuditKind,
} from '@/lib/identity/audit/actions';
import {
  AUDIT_FORMATS,
  type AuditEntryDto,
  type AuditFilter,
  type AuditFormat,
} from '@/lib/identity/audit/schema';

/** What the address of the audit page asks for. Anything unknown in it counts as not said. */
export interface AuditView {
  filter: AuditFilter;
  range: Range;
  span: { from: Date; to: Date } | null;
  isFiltered: boolean;
  /** Sequence numbers. */
  before: number | undefined;
  after: number | undefined;
  /** The file whose link was opened without a recent confirmation. */
  wantedFile: AuditFormat | undefined;
}

export function auditViewOf(params: Params, now: Date): AuditView {
  const range = rangeParam(params, 'all');
  const span = spanParam(params);
  const filter: AuditFilter = {
    actor: textParam(params, 'actor'),
    action: choiceParam(params, 'action', [...AUDIT_KINDS, ...AUDIT_ACTIONS]),
    project: textParam(params, 'project'),
    from: (span?.from ?? sinceOf(range, now))?.toISOString(),
    to: span?.to.toISOString(),
  };
  return {
    filter,
    range,
    span,
    isFiltered: Object.values(filter).some((value) => value !== undefined),
    before: seqParam(params, 'before'),
    after: seqParam(params, 'after'),
    wantedFile: choiceParam(params, 'export', [...AUDIT_FORMATS]),
  };
}

function seqParam(params: Params, name: string): number | undefined {
  const text = textParam(params, name);
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The same entries as a file. */
export function exportHref(orgSlug: string, filter: AuditFilter, format: AuditFormat): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  return `/${orgSlug}/audit/entries?${query}`;
}

/** The page with these entries, which asks for a confirmation and then downloads the file. */
export function pageToConfirm(
  orgSlug: string,
  { to, ...filter }: AuditFilter,
  format: AuditFormat,
  now: Date,
): string {
  const query = new URLSearchParams({ export: format });
  // The page takes a span from both of its ends.
  const end = to ?? (filter.from ? now.toISOString() : undefined);
  for (const [name, value] of Object.entries({ ...filter, to: end })) {
    if (value) query.set(name, value);
  }
  return `/${orgSlug}/audit?${query}`;
}

const KINDS: Record<string, string> = {
  api_token: 'token',
  runner: 'runner',
  system: 'system',
};

/** Who acted: a person by name; anything else says what it is: `runner eu-1`. */
export function entryActor({ actor, actorLabel }: Pick<AuditEntryDto, 'actor' | 'actorLabel'>) {
  const [kind = '', id = ''] = actor.split(':');
  const name = actorLabel || id;
  const word = KINDS[kind];
  return word && name !== word ? `${word} ${name}` : name;
}

/** "Runners", "Demo". */
export function kindTitle(kind: AuditKind): string {
  const words = AUDIT_KIND_WORDS[kind].replace(/^the /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What was done, as a sentence without its subject; an action of a newer version as its code. */
export function actionWords(action: string): string {
  return (AUDIT_ACTION_WORDS as Record<string, string>)[action] ?? action;
}
