#!/usr/bin/env node
/**
 * Stands in for Prisma's native schema engine, which comes from a download host that many networks
 * refuse. The Prisma CLI starts it (PRISMA_SCHEMA_ENGINE_BINARY) and talks JSON-RPC on stdin and
 * stdout; the answers come from Prisma's own engine compiled to WebAssembly, over the pg driver.
 */
import { runDatabaseCommand } from './schema-engine/database-command.mjs';
import { answerRequests } from './schema-engine/requests.mjs';

const args = process.argv.slice(2);

function option(name) {
  const at = args.indexOf(name);
  return at === -1 ? undefined : args[at + 1];
}

const url = JSON.parse(option('--datasource') ?? '{}').url;
const commandAt = args.indexOf('cli');

if (args.includes('--version')) {
  process.stdout.write('schema-engine-cli wasm\n');
} else if (commandAt >= 0) {
  process.exitCode = await runDatabaseCommand(args[commandAt + 1], url);
} else {
  await answerRequests(url);
  process.exit(0);
}
