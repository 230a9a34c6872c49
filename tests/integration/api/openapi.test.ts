import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useTestDatabase } from '@/tests/support/database';
import { type Api, type FoundRoute, findRoutes, openApi } from './support/api';
import { makeOwnIds } from './support/own-ids';
import { makeTenant } from './support/tenant';

useTestDatabase();

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: { 'application/json': { schema: z.core.JSONSchema.JSONSchema } } };
  responses: Record<string, { content?: Record<string, { schema: z.core.JSONSchema.JSONSchema }> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Problem: z.core.JSONSchema.JSONSchema } };
}

let api: Api;
let routes: FoundRoute[];
let document: Document;
let token: string;
let ids: Record<string, string>;
beforeAll(async () => {
  api = await openApi();
  routes = await findRoutes();
  const tenant = await makeTenant();
  ids = await makeOwnIds(tenant);
  token = await tenant.token('all');
  document = await (await api('GET', 'openapi.json')).json();
});

function operationOf({ method, path }: FoundRoute): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in the document.`);
  return operation;
}

function fill(path: string): string {
  return path
    .replace('/api/v1/', '')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
}

/** The body once for each object in it, with a key too many there, and the path of that key. */
function misspelled(body: unknown, path = ''): [string, unknown][] {
  if (typeof body !== 'object' || body === null) return [];
  const inner = Object.entries(body).flatMap(([key, child]) =>
    misspelled(child, `${path}${key}.`).map(([at, changed]): [string, unknown] => [
      at,
      Array.isArray(body) ? body.with(Number(key), changed) : { ...body, [key]: changed },
    ]),
  );
  return Array.isArray(body) ? inner : [[`${path}mispelt`, { ...body, mispelt: 1 }], ...inner];
}

describe('the OpenAPI document', () => {
  it('is 3.1, names every operation once and every part of its paths', () => {
    expect(document.openapi).toBe('3.1.0');
    const operations = routes.map(operationOf);
    const names = operations.map((operation) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const route of routes) {
      const parts = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (operationOf(route).parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name);
      expect(described.toSorted(), route.path).toEqual(parts.toSorted());
    }
  });

  it('[SAS-6.2] describes what is really answered, by every route that reads', async () => {
    let checked = 0;
    for (const route of routes.filter((each) => each.method === 'GET')) {
      const schema = operationOf(route).responses['200']?.content?.['application/json']?.schema;
      if (!schema) continue;
      const answer = await (await api('GET', fill(route.path), { token })).json();
      const parsed = z.fromJSONSchema(schema).safeParse(answer);
      expect(parsed.error?.issues ?? [], route.path).toEqual([]);
      const wrong = z.fromJSONSchema(schema).safeParse({ ...answer, data: 7, id: 7, checked: 'x' });
      expect(wrong.success, `${route.path} would see a wrong answer`).toBe(false);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(12);
  });

  it('[SAS-6.2] says which keys a body takes, and every route refuses any other, by its path', async () => {
    let checked = 0;
    for (const route of routes) {
      const schema = operationOf(route).requestBody?.content['application/json'].schema;
      if (!schema) continue;
      const name = `${route.method} ${route.path}`;
      for (const [at, body] of misspelled(route.handler.description.example ?? {})) {
        expect(z.fromJSONSchema(schema).safeParse(body).success, `${name} ${at}`).toBe(false);
        const response = await api(route.method, fill(route.path), { token, body });
        expect(response.status, `${name} ${at}`).toBe(422);
        const { fields } = await response.json();
        expect(fields, `${name} ${at}`).toEqual({
          [at]: expect.stringMatching(/^Unknown field mispelt\./),
        });
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(30);
  });

  it('[SAS-6.2] has examples of bodies that are taken', () => {
    let checked = 0;
    for (const { method, path, handler } of routes) {
      const { example } = handler.description;
      if (example === undefined) continue;
      const parsed = handler.description.body?.safeParse(example);
      expect(parsed?.error?.issues ?? [], `${method} ${path}`).toEqual([]);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(30);
  });

  it('[SAS-6.2] describes what is really answered when it goes wrong', async () => {
    const problem = z.fromJSONSchema(document.components.schemas.Problem);
    const missing = await api('GET', 'projects/none', { token });
    expect(missing.headers.get('content-type')).toBe('application/problem+json');
    const bad = await api('POST', 'projects', { token, body: { nme: 'Shop' } });
    expect(bad.status).toBe(422);
    for (const response of [missing, bad]) {
      expect(problem.safeParse(await response.json()).error?.issues ?? []).toEqual([]);
    }
  });
});
