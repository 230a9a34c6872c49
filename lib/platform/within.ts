/**
 * Returns the result of the work, unless it takes longer than this. The work itself continues.
 *
 * @throws LateError after `ms` milliseconds
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(ms)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class LateError extends Error {
  constructor(ms: number) {
    super(`No response within ${ms} ms.`);
  }
}
