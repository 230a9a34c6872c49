/** The OpenAPI document as people read it: by resource, one operation after the other. */

import type { JsonSchema } from '../document/field-docs';
import type { OpenApiDocument } from '../document/openapi';
import { type FieldRow, fieldRows } from './field-rows';

export interface Operation {
  /** Also its anchor: `getProjects`. */
  id: string;
  method: string;
  path: string;
  summary: string;
  /** A token needs one of them; empty for what anyone may ask. */
  scopes: string[];
  parameters: (FieldRow & { place: string })[];
  body: FieldRow[];
  answer: { status: number; fields: FieldRow[] };
  refusals: { status: number; when: string }[];
  /** A request that works once its ids are real. */
  curl: string;
}

export interface Resource {
  /** `webhook-endpoints`, as in the paths. */
  name: string;
  /** `Webhook endpoints`. */
  title: string;
  operations: Operation[];
}

interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  security: { token?: string[] }[];
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: JsonSchema;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Partial<Content> }>;
}
interface Content {
  'application/json': { schema: JsonSchema; example?: unknown };
}

const METHODS = ['get', 'post', 'patch', 'delete'];

/** Returns resources in alphabetical order, with operations by path, reads before writes. */
export function apiReference(document: OpenApiDocument): Resource[] {
  const serverUrl = document.servers[0]?.url ?? '';
  const resources = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const described = methods[method] as Described | undefined;
      const tag = described?.tags[0];
      if (!described || !tag) continue;
      const operation = operationOf(described, method.toUpperCase(), path, serverUrl);
      resources.set(tag, [...(resources.get(tag) ?? []), operation]);
    }
  }
  return [...resources]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, operations]) => ({ name, title: titleOf(name), operations }));
}

function titleOf(name: string): string {
  if (name === 'openapi.json') return 'This document';
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function operationOf(
  described: Described,
  method: string,
  path: string,
  serverUrl: string,
): Operation {
  const body = described.requestBody?.content['application/json'];
  const answers = Object.entries(described.responses).filter(([status]) => status !== 'default');
  const done = answers.find(([status]) => status.startsWith('2'));
  const schema = done?.[1].content?.['application/json']?.schema;
  return {
    id: described.operationId,
    method,
    path,
    summary: described.summary,
    scopes: described.security.flatMap(({ token }) => token ?? []),
    parameters: (described.parameters ?? []).map((parameter) => {
      const [row] = fieldRows({ properties: { [parameter.name]: parameter.schema } });
      const { name, in: place, required, description = '' } = parameter;
      return { path: name, type: row?.type ?? '', isRequired: required, doc: description, place };
    }),
    body: body ? fieldRows(body.schema) : [],
    answer: { status: Number(done?.[0] ?? 200), fields: schema ? fieldRows(schema) : [] },
    refusals: answers
      .filter((answer) => answer !== done)
      .map(([status, { description }]) => ({ status: Number(status), when: description })),
    curl: curlOf(method, `${serverUrl}${path}`, described.security.length > 0, body),
  };
}

function curlOf(
  method: string,
  url: string,
  needsToken: boolean,
  body: Content['application/json'] | undefined,
): string {
  const address = url.includes('{') ? `'${url}'` : url;
  const lines = [
    method === 'GET' ? `curl ${address}` : `curl -X ${method} ${address}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TIERWATCH_TOKEN"'] : []),
    ...(method === 'POST' ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body
      ? [
          `-H 'Content-Type: application/json'`,
          `-d '${quoted(JSON.stringify(body.example ?? {}))}'`,
        ]
      : []),
  ];
  return lines.join(' \\\n  ');
}

/** Inside of single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`);
}
