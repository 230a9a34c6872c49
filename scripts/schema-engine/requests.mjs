import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  bindMigrationAwareSqlAdapterFactory,
  mockMigrationAwareAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { EngineAdapterFactory } from './adapter.mjs';
import { parseDatasource } from './connection.mjs';

const APPLICATION_ERROR = 4466;

let panic = null;

async function loadEngine() {
  const file = new URL(
    './schema_engine_bg.wasm',
    import.meta.resolve('@prisma/schema-engine-wasm'),
  );
  const module = await WebAssembly.compile(readFileSync(file));
  const wasm = await WebAssembly.instantiate(module, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(wasm.exports);
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message: (message) => {
      panic = message;
    },
  };
  wasm.exports.__wbindgen_start();
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function toRpcError(error) {
  const data = {
    is_panic: panic !== null,
    message: panic ?? String(error?.message ?? error),
    error_code: error?.code,
    meta: error?.meta,
  };
  const message = 'An error happened. Check the data field for details.';
  return { code: APPLICATION_ERROR, message, data };
}

/** Comparing two files needs no database. */
function needsDatabase(method, params) {
  const isFile = (target) => target.tag === 'empty' || target.tag === 'schemaDatamodel';
  return !(method === 'diff' && isFile(params.from) && isFile(params.to));
}

function makeFactory(url) {
  const { config, schema } = parseDatasource(url);
  return new EngineAdapterFactory(config, schema);
}

/** Answers the Prisma CLI's requests, one line each, until it closes our stdin. */
export async function answerRequests(url) {
  await loadEngine();
  let engine;
  let factory;
  const open = async (isOnline) => {
    if (isOnline) factory = makeFactory(url);
    const adapters = factory ?? mockMigrationAwareAdapterFactory('postgres');
    const bound = bindMigrationAwareSqlAdapterFactory(adapters);
    return await bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, bound);
  };
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.trim()) continue;
    const { id, method, params } = JSON.parse(line);
    if (!method) continue; // the CLI's answer to our own "print"
    try {
      engine ??= await open(needsDatabase(method, params));
      if (typeof engine[method] !== 'function') throw new Error(`unknown method: ${method}`);
      const result = (await engine[method](params)) ?? {};
      if (method === 'diff' && result.stdout != null) {
        send({ id: `print-${id}`, method: 'print', params: { content: result.stdout } });
      }
      send({ id, result });
    } catch (error) {
      send({ id, error: toRpcError(error) });
    } finally {
      await factory?.dropShadows();
    }
  }
}
