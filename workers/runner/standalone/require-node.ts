/** Imported first: everything after it needs this Node. */
const OLDEST = [20, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `The runner needs Node ${OLDEST.join('.')} or newer, and this is ${process.versions.node} (${process.execPath}). Install a newer one and run the command again.\n`,
  );
  process.exit(1);
}
