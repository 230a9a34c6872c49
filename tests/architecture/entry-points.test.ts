import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { METHODS, type RouteDescription } from '@/lib/http/route-registry';
import { ROOT, sourceFiles } from './source-files';

const app = sourceFiles('app');
const actions = app.filter((file) => file.text.startsWith("'use server'"));

/** next-auth answers these itself; they are how one signs in. */
const NEXT_AUTH = 'app/api/auth/[...nextauth]/route.ts';
const routeFiles = app
  .map((file) => file.path)
  .filter((file) => file.endsWith('/route.ts') && file !== NEXT_AUTH);

/** Everything that anyone may call. An addition here is a decision about safety. */
const PUBLIC_ROUTES = [
  'GET /api/v1/openapi.json',
  'GET /healthz',
  'GET /readyz',
  // Takes an enrolment token in its body, which decides about everything.
  'POST /api/runner/v1/enrol',
];
const PUBLIC_ACTIONS = [
  'app/(auth)/actions.ts signIn',
  'app/(auth)/actions.ts signUp',
  // The link decides: it was made for one address, and works once.
  'app/(auth)/invite/[token]/actions.ts joinWithNewAccount',
  // Signs out whoever is there.
  'app/(auth)/invite/[token]/actions.ts switchAccount',
  'app/(auth)/reset/actions.ts requestReset',
  // The link decides.
  'app/(auth)/reset/actions.ts setPassword',
];

/** `/api/v1/projects/{projectId}` for `app/api/v1/projects/[projectId]/route.ts`. */
function pathOf(file: string): string {
  const parts = file
    .replace(/^app\//, '')
    .replace(/\/?route\.ts$/, '')
    .split('/')
    .filter((part) => !/^\(.*\)$/.test(part));
  return `/${parts.join('/')}`.replace(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}');
}

/** What each exported method of a route file says about itself; null when route() did not make it. */
async function describedMethods(file: string): Promise<[string, RouteDescription | null][]> {
  const loaded: Record<string, unknown> = await import(path.join(ROOT, file));
  return METHODS.filter((method) => method in loaded).map((method) => {
    const handler = loaded[method];
    const isDescribed = typeof handler === 'function' && 'description' in handler;
    return [method, isDescribed ? (handler.description as RouteDescription) : null];
  });
}

describe('every route', () => {
  const described = new Map<string, [string, RouteDescription | null][]>();

  beforeAll(async () => {
    for (const file of routeFiles) described.set(file, await describedMethods(file));
  }, 60_000);

  it.each(routeFiles)('%s is made by route() and says where it lies', (file) => {
    const methods = described.get(file) ?? [];
    expect(methods.length, 'Export a method: export const GET = route({ … }).').toBeGreaterThan(0);
    for (const [method, description] of methods) {
      expect(description, 'Only route() knows who asks, parses and maps errors.').not.toBeNull();
      expect(description, 'Let method and path say what the file says.').toMatchObject({
        method,
        path: pathOf(file),
      });
    }
  });

  it('that anyone may call is on the list', () => {
    const open = [...described.values()]
      .flat()
      .filter(([, description]) => description?.auth === 'public')
      .map(([method, description]) => `${method} ${description?.path}`);
    expect(open.sort(), 'Is it meant to be public? Then add it to PUBLIC_ROUTES.').toEqual(
      [...PUBLIC_ROUTES].sort(),
    );
  });

  it('for tokens names the scope it needs', () => {
    const open = [...described.values()]
      .flat()
      .filter(([, description]) => description?.auth === 'apiKey' && !description.scopes.length)
      .map(([method, description]) => `${method} ${description?.path}`);
    expect(open, "Add scopes: ['<resource>:read'] or what it needs.").toEqual([]);
  });
});

describe('every server action', () => {
  it('lies in an actions.ts', () => {
    const found = actions.map((file) => file.path).filter((file) => !file.endsWith('/actions.ts'));
    expect(found, "Move what says 'use server' into the segment's actions.ts.").toEqual([]);
  });

  it('is made by action()', () => {
    const found = actions.flatMap((file) =>
      exportsOf(file.text)
        .filter(({ text }) => !/^export const \w+ = (?:action|leavingAction)\(/.test(text))
        .map(({ name }) => `${file.path} ${name}`),
    );
    expect(found, 'Write export const x = action(schema, handler).').toEqual([]);
  });

  it('that anyone may call is on the list', () => {
    const open = actions.flatMap((file) =>
      exportsOf(file.text)
        .filter(({ text }) => /auth: 'public'/.test(text))
        .map(({ name }) => `${file.path} ${name}`),
    );
    expect(open.sort(), 'Is it meant to be public? Then add it to PUBLIC_ACTIONS.').toEqual(
      [...PUBLIC_ACTIONS].sort(),
    );
  });
});

/** The exports of a source, each with its text up to the next one. */
function exportsOf(text: string): { name: string; text: string }[] {
  const parts = text.split(/\n(?=export )/).slice(1);
  return parts.map((part) => {
    const name = /^export (?:const|async function|function) (\w+)/.exec(part)?.[1] ?? part;
    return { name, text: part };
  });
}
