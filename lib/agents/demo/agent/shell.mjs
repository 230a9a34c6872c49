// @ts-check
import { spawn } from 'node:child_process';

/**
 * One command of the Bash tool, in a session of its own as the CLI does it.
 * @param {string} command
 * @param {(kill: () => void) => void} onStart gets what ends the command and its children
 * @returns {Promise<{ content: string, isError: boolean, structured: unknown }>}
 */
export function runShell(command, onStart) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CLAUDECODE: '1' },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    onStart(() => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    });
    child.once('error', (error) => resolve(failed(`Exit code 126\n${error.message}`)));
    child.once('close', (code, signal) => {
      const output = [stdout.trimEnd(), stderr.trimEnd()].filter(Boolean).join('\n');
      if (code !== 0) {
        resolve(failed(`Exit code ${code ?? (signal === 'SIGKILL' ? 137 : 143)}\n${output}`));
        return;
      }
      const structured = {
        stdout,
        stderr,
        interrupted: false,
        isImage: false,
        noOutputExpected: false,
      };
      resolve({ content: output, isError: false, structured });
    });
  });
}

/** @param {string} content */
function failed(content) {
  return { content, isError: true, structured: `Error: ${content}` };
}
