import { encode } from 'uqr';

/** Modules of quiet space around a code, which readers need. */
const QUIET = 4;

/** Returns a QR code as an SVG path of its dark modules, in a square of `size` units. */
export function qrPath(text: string): { size: number; path: string } {
  const { data } = encode(text, { ecc: 'M', border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: data.length, path };
}
