/** The mail server's port lies this far above the product's. */
const DISTANCE = 1_000;

/** Where the product under test sends its mail. */
export function mailUrl(productPort: number): string {
  return `smtp://127.0.0.1:${productPort + DISTANCE}`;
}
