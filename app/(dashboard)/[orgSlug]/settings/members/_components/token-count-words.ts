/** "the API token", "the 3 API tokens". */
export function tokenCountWords(count: number): string {
  return count === 1 ? 'the API token' : `the ${count} API tokens`;
}
