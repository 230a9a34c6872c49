/** What a tool is. Each is one file in `tools/`, and one entry in `registry.ts`. */
import { z } from 'zod';
import type { TokenScope } from '@/lib/identity/token-scopes';
import type { TenantScope } from '@/lib/platform/db/scope';
import { storable } from '@/lib/platform/format/text';
import { parseInput } from '@/lib/platform/http/read-body';
import { fit, MAX_RESULT_CHARS, sizeOf } from './fit';
import type { Links } from './links';
import type { Place } from './references';
import { UNTRUSTED_NOTE } from './untrusted';

/** One call of a tool. */
export interface ToolCall {
  /** Of the token, with the client that calls. */
  scope: TenantScope;
  place: Place;
  links: Links;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/** Hints for clients. All four are set, since the defaults of the protocol assume the worst. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  /** Whether it reaches beyond Tierwatch: starts agents that work on hosts. */
  openWorldHint: boolean;
}

/** Of every tool that only reads. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Of a tool that lets agents work or people stop being notified, and undoes nothing. */
export const ACTS: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

interface ToolDefinition<In extends z.ZodObject, Out extends z.ZodObject> {
  /** Verb and noun, as the model sees it before anything else. */
  name: string;
  title: string;
  /** When to use it, then limits, then the formats of ids. */
  description: string;
  /** A token needs all of them. */
  scopes: readonly TokenScope[];
  annotations: Annotations;
  input: In;
  output: Out;
  /** Nulls in what it returns are left out, but for those of `KEPT_NULLS`. */
  run(call: ToolCall, input: z.output<In>): Promise<Nullable<z.input<Out>>>;
}

/** A field that may be missing in a result may be null in what a tool returns. */
export type Nullable<Value> = Value extends readonly (infer Item)[]
  ? Nullable<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Nullable<Value[Key]> | NullIfOptional<Value, Key> }
    : Value;
type NullIfOptional<Value, Key extends keyof Value> = undefined extends Value[Key] ? null : never;

export interface McpTool {
  name: string;
  title: string;
  description: string;
  scopes: readonly TokenScope[];
  annotations: Annotations;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  /**
   * Parses the arguments, runs, and returns the structured result within its size.
   *
   * @throws InvalidError for wrong arguments, and what the service throws
   */
  run(call: ToolCall, args: unknown): Promise<Record<string, unknown>>;
}

/** `started_at` of `startedAt`. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type Renamed<Dto> = { [Name in keyof Dto as SnakeCase<Name>]: Dto[Name] };

/** Returns the fields of a DTO that an output has, too, under its names. Texts from outside are still to be framed. */
export function fieldsFor<Output extends z.ZodObject, Dto extends object>(
  { shape }: Output,
  dto: Dto,
): Pick<Renamed<Dto>, keyof Renamed<Dto> & keyof Output['shape']> {
  const renamed = Object.entries(dto).map(([name, value]) => [
    name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(renamed.filter(([name]) => name in shape));
}

/** Their null says that a list has ended. */
const KEPT_NULLS = ['next_cursor', 'next_event'];

const notes = z.object({
  note: z.string().optional().meta({ description: 'How to treat texts in this result.' }),
  cut: z.string().optional().meta({ description: 'Present if texts or lists were shortened.' }),
});

/** Derives the JSON schemas of a tool, and limits its results. */
export function defineTool<In extends z.ZodObject, Out extends z.ZodObject>(
  tool: ToolDefinition<In, Out>,
): McpTool {
  const { name, title, description, scopes, annotations } = tool;
  const output = tool.output.extend(notes.shape);
  return {
    name,
    title,
    description,
    scopes,
    annotations,
    inputSchema: z.toJSONSchema(tool.input, { io: 'input' }),
    outputSchema: z.toJSONSchema(output, { io: 'output' }),
    run: async (call, args) => {
      const input = parseInput(tool.input, storable(args ?? {}));
      const result = output.parse(withoutNulls(await tool.run(call, input)));
      return finish(result as Record<string, unknown>);
    },
  };
}

const CUT_NOTE = 'Texts or lists were shortened to fit. Ask for less, or follow the URLs.';

function finish(result: Record<string, unknown>): Record<string, unknown> {
  const isFramed = JSON.stringify(result).includes('"untrusted_text"');
  const noted = isFramed ? { note: UNTRUSTED_NOTE, ...result } : result;
  if (sizeOf(noted) <= MAX_RESULT_CHARS) return noted;
  return fit({ ...noted, cut: CUT_NOTE }) as Record<string, unknown>;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      if (child === undefined || (child === null && !KEPT_NULLS.includes(key))) return [];
      return [[key, withoutNulls(child)]];
    }),
  );
}
