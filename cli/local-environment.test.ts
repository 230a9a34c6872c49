import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandError } from './exit-code';
import { localEnvironment } from './local-environment';

const secretKey = 'k'.repeat(40);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tierwatch-local-'));
  const settings = { id: 'x', superuserPassword: 's', ownerPassword: 'o', port: 5555 };
  await mkdir(path.join(folder, 'postgres'));
  await writeFile(path.join(folder, 'postgres', 'connection.json'), JSON.stringify(settings));
  await writeFile(path.join(folder, 'secret-key'), `${secretKey}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const hostOf = (url: string | undefined) => new URL(url ?? '').host;

describe('localEnvironment', () => {
  it('takes what is given', () => {
    const given = {
      TIERWATCH_APP_DATABASE_URL: 'postgresql://a:pw@h/db',
      TIERWATCH_SYSTEM_DATABASE_URL: 'postgresql://b:pw@h/db',
    };
    expect(localEnvironment(given)).toEqual(given);
  });

  it('completes addresses that name the roles without their passwords', () => {
    const found = localEnvironment({
      TIERWATCH_APP_DATABASE_URL: 'postgresql://tierwatch_app@h/db',
      TIERWATCH_SYSTEM_DATABASE_URL: 'postgresql://tierwatch_system@h/db',
      TIERWATCH_SECRET_KEY: secretKey,
    });
    expect(new URL(found.TIERWATCH_APP_DATABASE_URL ?? '').password).not.toBe('');
    expect(new URL(found.TIERWATCH_SYSTEM_DATABASE_URL ?? '').password).not.toBe('');
  });

  it('finds the database that npm start made, with its roles and not its owner', () => {
    const found = localEnvironment({ TIERWATCH_DATA_DIR: folder });
    expect(found.TIERWATCH_SECRET_KEY).toBe(secretKey);
    expect(hostOf(found.TIERWATCH_APP_DATABASE_URL)).toBe('127.0.0.1:5555');
    expect(new URL(found.TIERWATCH_APP_DATABASE_URL ?? '').username).toBe('tierwatch_app');
    expect(new URL(found.TIERWATCH_SYSTEM_DATABASE_URL ?? '').username).toBe('tierwatch_system');
  });

  it('makes the addresses of a database of one’s own', () => {
    const found = localEnvironment({
      DATABASE_URL: 'postgresql://owner:pw@db.internal:5432/tierwatch',
      TIERWATCH_SECRET_KEY: secretKey,
    });
    expect(hostOf(found.TIERWATCH_APP_DATABASE_URL)).toBe('db.internal:5432');
  });

  it('says what to do where there is nothing', () => {
    const nowhere = { TIERWATCH_DATA_DIR: path.join(folder, 'none') };
    expect(() => localEnvironment(nowhere)).toThrow(CommandError);
    expect(() => localEnvironment(nowhere)).toThrow('Run npm start first');
  });
});
