/**
 * What a kind of check is made of. No zod here: the settings page loads every kind at once, and the
 * schemas, which `field-schema.ts` makes from these, only when something is edited.
 */

export type JsonCondition = {
  /** `$.status`, `$.items[0].name`, `$['a.b']`, `$.nodes[*].up`: see `http/json-path.ts`. */
  path: string;
  exists?: boolean;
  equals?: JsonScalar;
  oneOf?: JsonScalar[];
  /** Numbers, both included. */
  atLeast?: number;
  atMost?: number;
};
export type JsonScalar = string | number | boolean | null;

export type Header = { name: string; value: string };

/** How a field looks in the form of a check. */
interface Looks {
  label: string;
  /** In differences between versions; the label if absent. */
  name?: string;
  hint?: string;
  placeholder?: string;
  /** Width of its control. */
  size?: 's' | 'm' | 'l' | 'fill';
  /** Beside the target, in a row of its own, or among the options that are collapsed (default). */
  place?: 'main' | 'row';
  /** The first revision whose runners know the field; 2 if absent. See `revision.ts`. */
  since?: number;
}

interface NumberLimits {
  min?: number;
  max?: number;
  /** It needn't be a whole number. */
  isFractional?: boolean;
  /** In "Enter a whole number of days." */
  unit?: string;
  /** The error for what is no number, where there is no unit. */
  missing?: string;
  /** The error outside the limits. */
  range?: string;
}

interface TextLimits {
  min?: number;
  max: number;
  /** The error for a text that is too short. */
  missing?: string;
}

interface ListLimits {
  /** Characters of a value. */
  maxLength: number;
  /** Values; an empty list is valid where `min` is absent. */
  min?: number;
  max: number;
}

type Control =
  | ({ control: 'number' } & NumberLimits)
  | ({ control: 'text' } & TextLimits)
  | { control: 'choice'; choices: readonly string[]; otherwise: string }
  | ({ control: 'list' } & ListLimits)
  | { control: 'exitCodes' }
  | { control: 'headers' }
  | { control: 'json' }
  | { control: 'flag' };

/** A field whose value has the type `Value`; `otherwise` of a choice is what holds if nothing is chosen. */
export type Field<Value = unknown> = Looks & Control & { readonly value?: Value };
export type Fields = Readonly<Record<string, Field>>;

export const numberField = (field: Looks & NumberLimits): Field<number> => ({
  control: 'number',
  ...field,
});
export const textField = (field: Looks & TextLimits): Field<string> => ({
  control: 'text',
  ...field,
});
export const choiceField = <const Choice extends string>(
  field: Looks & { choices: readonly Choice[]; otherwise: string },
): Field<Choice> => ({ control: 'choice', ...field });
export const listField = (field: Looks & ListLimits): Field<string[]> => ({
  control: 'list',
  ...field,
});
export const exitCodesField = (field: Looks): Field<number[]> => ({
  control: 'exitCodes',
  ...field,
});
export const headersField = (field: Looks): Field<Header[]> => ({ control: 'headers', ...field });
export const jsonField = (field: Looks): Field<JsonCondition> => ({ control: 'json', ...field });
export const flagField = (field: Looks): Field<boolean> => ({ control: 'flag', ...field });

export type ValuesOf<Own extends Fields> = {
  -readonly [Name in keyof Own]?: Own[Name] extends Field<infer Value> ? Value : never;
};

/** A check of a kind with these fields. */
export type CheckOf<Own extends Fields> = {
  target: string;
  timeoutSeconds: number;
} & ValuesOf<Own>;

/** Of the last request; null where a phase didn't take place. Milliseconds. */
export interface Phases {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
}

interface FactShapes {
  text: string;
  texts: string[];
  integer: number;
  /** Not negative. */
  count: number;
  number: number;
  phases: Phases;
}

/** Something that a check measures; a kind, or one execution, may not get that far. */
export type Fact = {
  [Shape in keyof FactShapes]: {
    shape: Shape;
    /** In a few words for people; empty, or absent, if it isn't shown. */
    words?(value: FactShapes[Shape]): string;
  };
}[keyof FactShapes] & {
  /** Texts of a list. */
  max?: number;
};
export type Facts = Readonly<Record<string, Fact>>;
export type FactValues<Own extends Facts> = {
  -readonly [Name in keyof Own]?: FactShapes[Own[Name]['shape']];
};

/** What the settings pages need of a kind of check. */
export interface CheckKind<Own extends Fields = Fields> {
  word: string;
  target: { label: string; example: string };
  /** In the order of stored checks. */
  fields: Own;
  /** The first revision whose runners perform it. See `revision.ts`. */
  since: number;
  /** It looks at the runner's own host, so it needs no network. */
  isLocal?: boolean;
  /** It starts or reads processes of the host, which costs more than a socket that waits. */
  startsProgram?: boolean;
  /** The control plane receives it from what it watches; no runner performs it. */
  isReceived?: boolean;
  /** The host that it connects to, for `{host}` in rules. */
  host?(target: string): string | null;
}

export function checkKind<Own extends Fields>(kind: CheckKind<Own>): CheckKind<Own> {
  return kind;
}

/** What is wrong with a check, by field. */
export type Problems = Record<string, string>;

/** What each setting means: in the API's documentation, and in an exported file as a comment. */
export interface FieldTexts {
  doc: string;
  comment?: string;
}

/** The rest. Apart from `CheckKind`, so that no browser loads it. */
export interface CheckRules<Own extends Fields = Fields> {
  /** What the target is: `a URL`. */
  target: string;
  /** What it measures, in the order in which it is shown. */
  facts: Facts;
  /** What makes another check of the same target: `MX`, `up == 1`. */
  identity?(check: ValuesOf<Own>): (string | undefined)[];
  /** Of its own fields and their parts, such as `headers.name`; of shared ones, what they are about. */
  texts: Readonly<
    { [Name in Exclude<keyof Own & string, keyof typeof SHARED_FIELDS>]: FieldTexts } & {
      [Name in Extract<keyof Own & string, 'expectText'>]: string;
    } & Partial<Record<`${keyof Own & string}.${string}`, FieldTexts>>
  >;
  /** @param harmOf why the catalog of commands doesn't list a command line as harmless; null if it does */
  problems?(
    check: { target: string } & ValuesOf<Own>,
    harmOf: (commandLine: string) => string | null,
  ): Problems;
}

export function problem(field: string, isFine: boolean, text: string): Problems {
  return isFine ? {} : { [field]: text };
}

/** Fields of several kinds. */
export const SHARED_FIELDS = {
  /** Text that what answers must contain. */
  expectText: textField({
    label: 'Must contain',
    name: 'expected text',
    size: 'm',
    place: 'main',
    max: 200,
  }),
  family: choiceField({
    label: 'IP version',
    name: 'IP version',
    choices: ['auto', 'ipv4', 'ipv6'],
    otherwise: 'auto',
  }),
  /** A slower answer is degraded. Milliseconds. */
  maxResponseMs: numberField({
    label: 'Slowest response (ms)',
    min: 1,
    max: 60_000,
    unit: 'milliseconds',
    range: 'The slowest response must be 1 to 60,000 ms.',
  }),
};
export const { expectText, family, maxResponseMs } = SHARED_FIELDS;

/** How often a check runs that doesn't say so itself, in seconds. */
export const DEFAULT_CHECK_SECONDS = 60;

/** Of every kind that runners perform. */
export const everySeconds = numberField({
  label: 'Interval (s)',
  placeholder: String(DEFAULT_CHECK_SECONDS),
  min: 30,
  max: 86_400,
  unit: 'seconds',
  range: 'The interval must be 30s to 1d (30 to 86,400 seconds).',
});

/** IP address that answered. */
export const addressFact = {
  shape: 'text',
  words: (address) => `from ${address}`,
} as const satisfies Fact;
/** Automatic restarts that a supervisor counted. */
export const restartsFact = {
  shape: 'count',
  words: (count) => (count > 0 ? `${count} restarts` : ''),
} as const satisfies Fact;
/** ISO 8601. */
export const startedAtFact = {
  shape: 'text',
  words: (time) => `started ${time.slice(0, 19)}Z`,
} as const satisfies Fact;
/** In the words of Docker or systemd, such as `running (healthy)`. */
export const stateFact = { shape: 'text', words: (state) => state } as const satisfies Fact;
/** Another value is another start of the target. */
export const instanceFact = { shape: 'text' } as const satisfies Fact;
