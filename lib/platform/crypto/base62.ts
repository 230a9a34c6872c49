const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes as one big-endian number in base62, padded to the length that any value of this size fits. */
export function encodeBase62(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / Math.log2(ALPHABET.length));
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = ALPHABET.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return text;
}
