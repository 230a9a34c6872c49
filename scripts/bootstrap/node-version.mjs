import { StartProblem } from './problem.mjs';

const WANTED = '20.19, 22.12 or 24';

/** Whether this Node can run every part (Prisma: ^20.19 || ^22.12 || >=24). */
export function isNodeSupported(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major === 20) return minor >= 19;
  if (major === 22) return minor >= 12;
  return major >= 24;
}

export function requireNode(version = process.versions.node) {
  if (isNodeSupported(version)) return;
  throw new StartProblem(
    `Tierwatch cannot run on Node ${version}: its database client needs ${WANTED} (or newer). Install one of them and start again.`,
  );
}
