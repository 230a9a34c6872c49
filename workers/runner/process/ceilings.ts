import path from 'node:path';

/**
 * Returns the variable that keeps git from looking for a repository above a folder, from there or from
 * any folder on the way up.
 */
export function gitCeilings(folder: string): { GIT_CEILING_DIRECTORIES: string } {
  const above: string[] = [];
  for (let at = path.dirname(folder); !above.includes(at); at = path.dirname(at)) above.push(at);
  return { GIT_CEILING_DIRECTORIES: above.join(path.delimiter) };
}
