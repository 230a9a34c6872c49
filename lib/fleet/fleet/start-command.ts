/** What stands before the program's arguments, in a checkout of this repository. */
const PROGRAM = 'npm run tierwatch --';

/** Enrols a host at its first start and runs it; a later start needs no token. */
export function startCommand(url: string, token: string): string {
  return `${PROGRAM} runner start --url ${url} --token ${token}`;
}
