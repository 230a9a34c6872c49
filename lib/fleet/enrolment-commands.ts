/** The commands that "Add runner" shows. Pure. */

/** The words before the program's arguments, in a checkout of this repository. */
const PROGRAM = 'npm run tierwatch --';
/** What the single file is called on a host. */
const FILE = 'tierwatch-runner.mjs';

interface EnrolmentCommands {
  command: string;
  serviceCommand: string;
  checkoutCommand: string;
}

/**
 * Returns the commands that enroll a host at its first start and run it. Later starts need no token.
 *
 * @param sha256 checksum of the file at `/runner.mjs`; null if there is none, which leaves the checkout
 */
export function enrolmentCommands(options: {
  /** Address of this installation, without a slash at its end. */
  url: string;
  token: string;
  sha256: string | null;
}): EnrolmentCommands {
  const { url, token, sha256 } = options;
  const checkoutCommand = `${PROGRAM} runner start --url ${quoted(url)} --token ${token}`;
  if (sha256 === null) {
    return { command: checkoutCommand, serviceCommand: checkoutCommand, checkoutCommand };
  }
  const fetched = `node -e ${quoted(fetchProgram(`${url}/runner.mjs`, sha256))}`;
  // Passed in the environment: other accounts can read arguments in the process list.
  const start = `TIERWATCH_ENROLLMENT_TOKEN=${token} node ${FILE} start --url ${quoted(url)}`;
  const command = `${fetched} && ${start}`;
  return { command, serviceCommand: `${command} --service`, checkoutCommand };
}

/**
 * Node is all that the host has. Nothing is written unless the checksum fits. Without `!`, `$` and
 * backticks, which shells replace in places.
 */
function fetchProgram(url: string, sha256: string): string {
  const refusal =
    'The file is not the one that this command is for, so it was not run. Get a new command under Runners, Add runner.';
  return [
    `fetch(${JSON.stringify(url)}).then((r)=>r.arrayBuffer()).then((a)=>{const b=Buffer.from(a);`,
    `if(require("crypto").createHash("sha256").update(b).digest("hex")==="${sha256}")`,
    `require("fs").writeFileSync("${FILE}",b,{mode:0o600});`,
    `else throw Error("${refusal}")})`,
    `.catch((e)=>{console.error(${JSON.stringify(`Can not fetch ${url}: `)}+(e.cause||e).message);process.exit(1)})`,
  ].join('');
}

/** In single quotes a shell replaces nothing. */
function quoted(word: string): string {
  return /^[A-Za-z0-9:/._-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
