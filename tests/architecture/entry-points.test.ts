import { describe, expect, it } from 'vitest';
import { METHODS } from '@/lib/http/route-registry';
import { sourceFiles } from './source-files';

const app = sourceFiles('app');
const routes = app.filter((file) => file.path.endsWith('/route.ts'));
const actions = app.filter((file) => file.text.startsWith("'use server'"));

/** next-auth answers these itself; they are how one signs in. */
const NEXT_AUTH = 'app/api/auth/[...nextauth]/route.ts';

/** Everything that anyone may call. An addition here is a decision about safety. */
const PUBLIC_ROUTES = ['GET /healthz', 'GET /readyz'];
const PUBLIC_ACTIONS = ['app/(auth)/actions.ts signIn', 'app/(auth)/actions.ts signUp'];

interface Declared {
  name: string;
  /** From `export const` to the next one. */
  text: string;
}

function exportsOf(text: string): Declared[] {
  return text
    .split(/\n(?=export )/)
    .slice(1)
    .map((part) => ({
      name: /^export (?:const|async function|function) (\w+)/.exec(part)?.[1] ?? part,
      text: part,
    }));
}

/** `/api/v1/projects/{projectId}` for `app/api/v1/projects/[projectId]/route.ts`. */
function pathOf(file: string): string {
  const parts = file
    .replace(/^app\//, '')
    .replace(/\/?route\.ts$/, '')
    .split('/')
    .filter((part) => !/^\(.*\)$/.test(part));
  return `/${parts.join('/')}`.replace(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}');
}

function handlersOf(text: string): Declared[] {
  return exportsOf(text).filter(({ name }) => (METHODS as readonly string[]).includes(name));
}

describe('every route', () => {
  const ours = routes.filter((file) => file.path !== NEXT_AUTH);

  it.each(ours.map((file) => [file.path, file] as const))(
    '%s is made by route()',
    (_path, file) => {
      const handlers = handlersOf(file.text);
      expect(handlers.length, 'Export a method: export const GET = route({ … }).').toBeGreaterThan(
        0,
      );
      for (const { name, text } of handlers) {
        expect(text, 'Only route() knows who asks, parses and maps errors.').toMatch(
          new RegExp(`^export const ${name} = route\\(`),
        );
        expect(text, `Say method: '${name}' in it.`).toContain(`method: '${name}'`);
        expect(text, 'Say the path where the file lies.').toContain(`path: '${pathOf(file.path)}'`);
      }
    },
  );

  it('that anyone may call is on the list', () => {
    const open = ours.flatMap((file) =>
      handlersOf(file.text)
        .filter(({ text }) => /auth: 'public'/.test(text))
        .map(({ name }) => `${name} ${pathOf(file.path)}`),
    );
    expect(open.sort(), 'Is it meant to be public? Then add it to PUBLIC_ROUTES.').toEqual(
      [...PUBLIC_ROUTES].sort(),
    );
  });
});

describe('every server action', () => {
  it('lies in an actions.ts', () => {
    const found = actions.map((file) => file.path).filter((path) => !path.endsWith('/actions.ts'));
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
