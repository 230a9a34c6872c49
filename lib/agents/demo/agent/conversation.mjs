// @ts-check
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ type: string, id?: string, tool_use_id?: string, name?: string, text?: string,
 *   input?: Record<string, unknown>, content?: unknown, is_error?: boolean }} Block
 * @typedef {{ role: 'user' | 'assistant', content: string | Block[] }} Message
 * @typedef {{ input_tokens: number, output_tokens: number, cache_read_input_tokens: number,
 *   cache_creation_input_tokens: number }} Usage
 * @typedef {{ message: Message, at: string | null, model: string | null, usage: Usage | null }} Entry
 * a message with the time it was stored (ISO 8601) and, for an answer, what its request used
 */

/** A conversation as the CLI keeps it: one file of JSON lines below the config folder. */
export class Conversation {
  /** @type {Entry[]} */
  entries = [];
  /** @type {string | null} */
  #lastUuid = null;

  /** @param {string} id @param {string} file @param {string} cwd */
  constructor(id, file, cwd) {
    this.id = id;
    this.file = file;
    this.cwd = cwd;
  }

  get messages() {
    return this.entries.map(({ message }) => message);
  }

  /**
   * Stored at once, so that a killed process can be resumed.
   * @param {Message} message @param {{ model: string, usage: Usage } | null} [request] the one that it answers
   */
  append(message, request = null) {
    const record = {
      parentUuid: this.#lastUuid,
      isSidechain: false,
      type: message.role,
      message,
      uuid: randomUUID(),
      timestamp: new Date().toISOString(),
      cwd: this.cwd,
      sessionId: this.id,
      version: 'demo-1',
      ...request,
    };
    this.#lastUuid = record.uuid;
    this.#keep(record);
    appendFileSync(this.file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  }

  /** Takes the messages of a file; a line that cannot be read is left out. @param {string} file */
  load(file) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      try {
        const record = JSON.parse(line);
        if (record.type !== 'user' && record.type !== 'assistant') continue;
        this.#keep(record);
        this.#lastUuid = record.uuid;
      } catch {
        // Half a line is what a kill leaves.
      }
    }
    return this.entries.length > 0;
  }

  /** @param {{ message: Message, timestamp?: string, model?: string, usage?: Usage }} record */
  #keep({ message, timestamp = undefined, model = undefined, usage = undefined }) {
    this.entries.push({
      message,
      at: timestamp ?? null,
      model: model ?? null,
      usage: usage ?? null,
    });
  }
}

/**
 * @param {{ configDir: string, cwd: string, sessionId: string | null, resume: string | null, forkSession: boolean }} wish
 * @returns {{ conversation: Conversation } | { error: string, notFoundId?: string }}
 */
export function openConversation({ configDir, cwd, sessionId, resume, forkSession }) {
  const dir = path.join(configDir, 'projects', folderName(realpathSync(cwd)));
  /** @param {string} id */
  const fileOf = (id) => path.join(dir, `${id}.jsonl`);
  if (sessionId && existsSync(fileOf(sessionId))) {
    return { error: `Error: Session ID ${sessionId} is already in use.` };
  }
  const id = sessionId ?? (resume && !forkSession ? resume : randomUUID());
  const conversation = new Conversation(id, fileOf(id), cwd);
  if (resume && !(existsSync(fileOf(resume)) && conversation.load(fileOf(resume)))) {
    return {
      error: `No conversation found with session ID: ${resume}`,
      notFoundId: forkSession ? id : resume,
    };
  }
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (resume && forkSession) copyUnder(id, fileOf(resume), fileOf(id));
  return { conversation };
}

/** The parent's file stays as it is. @param {string} id @param {string} from @param {string} to */
function copyUnder(id, from, to) {
  const lines = readFileSync(from, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.stringify({ ...JSON.parse(line), sessionId: id })];
      } catch {
        return [];
      }
    });
  writeFileSync(to, `${lines.join('\n')}\n`, { mode: 0o600 });
}

/** @param {string} cwd */
function folderName(cwd) {
  const name = cwd.replace(/[^A-Za-z0-9]/g, '-');
  if (name.length <= 200) return name;
  return `${name.slice(0, 200)}-${createHash('sha256').update(cwd).digest('hex').slice(0, 8)}`;
}
