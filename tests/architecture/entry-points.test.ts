import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as attemptRoutes from '@/app/api/runner/v1/attempt-routes';
import * as hostRoutes from '@/app/api/runner/v1/host-routes';
import { METHODS, type RouteDescription } from '@/lib/api/route-description';
import { DESCRIPTIONS, OPERATIONS } from '@/lib/operations/registry';
import { ROOT, sourceFiles } from './source-files';

const app = sourceFiles('app');
const actions = app.filter((file) => file.text.startsWith("'use server'"));

/** next-auth answers these itself; they are how one signs in. */
const NEXT_AUTH = 'app/api/auth/[...nextauth]/route.ts';
/** Answers 404 for every address that no other route has: it reads and gives nothing. */
const UNKNOWN = 'app/api/[...unknown]/route.ts';
/** Hands each request to an operation. */
const OPERATIONS_ROUTE = 'app/api/v1/[...path]/route.ts';
/** Hands each request to one of RUNNER_ROUTES. */
const RUNNER_ROUTE = 'app/api/runner/v1/[...path]/route.ts';
const RUNNER_ROUTES = [...Object.values(attemptRoutes), ...Object.values(hostRoutes)].map(
  ({ description }) => description,
);
const NOT_MADE_BY_ROUTE = [NEXT_AUTH, UNKNOWN, OPERATIONS_ROUTE, RUNNER_ROUTE];
const routeFiles = app
  .map((file) => file.path)
  .filter((file) => file.endsWith('/route.ts') && !NOT_MADE_BY_ROUTE.includes(file));

/** Everything that anyone may call. An addition here is a decision about safety. */
const PUBLIC_ROUTES = [
  'GET /api/v1/openapi.json',
  // The manual is open to everyone who reaches the installation.
  'GET /docs/images/{name}',
  'GET /docs/search.json',
  // Answer 405 to everyone: the MCP server has no streams and no sessions.
  'DELETE /api/mcp',
  'GET /api/mcp',
  // Anyone learns whether there are problems; which ones, only the operator.
  'GET /api/health',
  'GET /healthz',
  // By its own token, or from this machine alone.
  'GET /metrics',
  'GET /readyz',
  // The runner's program and its checksum, for hosts that aren't enrolled yet. It holds no secret.
  'GET /runner.mjs',
  'GET /runner.mjs.sha256',
  // Alert sources, by their own token or signature.
  'POST /api/signals/{sourceId}',
  'PUT /api/signals/{sourceId}',
  // Jobs that ping, by the token in the URL.
  'GET /api/heartbeats/{token}',
  'GET /api/heartbeats/{token}/{signal}',
  'POST /api/heartbeats/{token}',
  'POST /api/heartbeats/{token}/{signal}',
  // Takes an enrolment token in its body, which decides about everything.
  'POST /api/runner/v1/enrol',
];
/** Fields of runners' bodies that are not redacted, since only their hashes are compared. */
const CREDENTIALS = ['POST /api/runner/v1/enrol token', 'POST /api/runner/v1/key/confirm key'];
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
  'app/(auth)/sign-in/second-step/actions.ts finishPasskey',
  'app/(auth)/sign-in/second-step/actions.ts finishSignIn',
  'app/(auth)/sign-in/second-step/actions.ts startPasskeySignIn',
  'app/(auth)/sign-in/second-step/actions.ts startPasskeyStep',
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
  }, 300_000);

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
    const all = [...described.values()].flat().map(([, description]) => description);
    const open = [...all, ...RUNNER_ROUTES]
      .filter((description) => description?.auth === 'public')
      .map((description) => `${description?.method} ${description?.path}`);
    expect(open.sort(), 'Is it meant to be public? Then add it to PUBLIC_ROUTES.').toEqual(
      [...PUBLIC_ROUTES].sort(),
    );
  });
});

describe('every operation', () => {
  const names = DESCRIPTIONS.map(({ method, path }) => `${method} ${path}`);

  it('names the scope that a token needs', () => {
    const open = DESCRIPTIONS.filter(({ scopes }) => scopes.length === 0);
    expect(
      open.map(({ path }) => path),
      "Add scopes: ['<resource>:read'].",
    ).toEqual([]);
  });

  it('has an address of its own below /api/v1', () => {
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    expect(names.filter((name) => !/^[A-Z]+ \/api\/v1\//.test(name))).toEqual([]);
  });

  it('[SAS-6.2] is in the registry, with the other files of its folder', async () => {
    const files = sourceFiles('lib/operations').map(({ path: file }) => path.join(ROOT, file));
    const defined: unknown[] = [];
    for (const file of files) {
      const exported = Object.values<unknown>(await import(file));
      defined.push(...exported.filter((each) => isOperation(each)));
    }
    expect(OPERATIONS.length).toBe(new Set(defined).size);
  });
});

function isOperation(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'act' in value && 'handler' in value;
}

describe('every route for runners', () => {
  let described: RouteDescription[] = [];

  beforeAll(async () => {
    const all = await Promise.all(routeFiles.map(describedMethods));
    described = [...RUNNER_ROUTES, ...all.flat().flatMap(([, description]) => description ?? [])];
  }, 300_000);

  const isForRunners = ({ path, auth }: RouteDescription) =>
    auth === 'runner' || path.startsWith('/api/runner/');
  const nameOf = ({ method, path }: RouteDescription) => `${method} ${path}`;

  it('has an address of its own below /api/runner/v1', () => {
    const names = RUNNER_ROUTES.map(nameOf);
    expect(names).toHaveLength(new Set(names).size);
    expect(names.filter((name) => !/^[A-Z]+ \/api\/runner\/v1\//.test(name))).toEqual([]);
  });

  it('[SEC-2.1] gets a body that was redacted', () => {
    const runnerRoutes = described.filter(isForRunners);
    expect(runnerRoutes.length).toBeGreaterThanOrEqual(RUNNER_ROUTES.length);
    expect(runnerRoutes.filter(({ isRedacted }) => !isRedacted).map(nameOf)).toEqual([]);
  });

  it('[SEC-2.1] leaves only the credentials on the list as they are', () => {
    const credentials = described
      .filter((description) => description.credentials.length > 0)
      .map((description) => `${nameOf(description)} ${description.credentials.join(' ')}`);
    expect(
      credentials.sort(),
      'Is it hashed, and never stored or shown? Then add it to CREDENTIALS.',
    ).toEqual([...CREDENTIALS].sort());
  });

  it('[SEC-2.1] names in its path and query nothing that is stored', () => {
    const texts = described.filter(isForRunners).flatMap(({ method, path, query }) => {
      const fields = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
      return fields.map((field) => `${method} ${path} ${field}`);
    });
    expect(texts.sort(), 'Paths and queries are not redacted. Put text into the body.').toEqual([
      'GET /api/runner/v1/attempts/{attemptId}/checkpoints limit',
      'GET /api/runner/v1/directives seen',
    ]);
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
        .filter(({ text }) => !/^export const \w+ = (?:action|actionOf|leavingAction)\(/.test(text))
        .map(({ name }) => `${file.path} ${name}`),
    );
    expect(
      found,
      'Write export const x = actionOf(resource.operation), or action(schema, handler).',
    ).toEqual([]);
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
