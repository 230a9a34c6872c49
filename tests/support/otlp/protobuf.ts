/** Reads messages of protocol buffers without their schema: numbered fields of four wire types. */

/** Values of each field, in order: bytes of length-delimited ones, otherwise a number or bits. */
export type Fields = Map<number, (bigint | Uint8Array)[]>;

export function readFields(bytes: Uint8Array): Fields {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields: Fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new Error('The message is cut off.');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = readValue(tag & 7);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;

  function readValue(type: number): bigint | Uint8Array {
    switch (type) {
      case 0:
        return varint();
      case 1:
        at += 8;
        return view.getBigUint64(at - 8, true);
      case 2: {
        const length = Number(varint());
        at += length;
        return bytes.subarray(at - length, at);
      }
      case 5:
        at += 4;
        return BigInt(view.getUint32(at - 4, true));
      default:
        throw new Error(`Wire type ${type} is unknown.`);
    }
  }
}

export function bytesOf(fields: Fields, field: number): Uint8Array[] {
  return (fields.get(field) ?? []).filter((value) => value instanceof Uint8Array);
}

export function messagesOf(fields: Fields, field: number): Fields[] {
  return bytesOf(fields, field).map(readFields);
}

export function textOf(fields: Fields, field: number): string {
  const [bytes] = bytesOf(fields, field);
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}

export function hexOf(fields: Fields, field: number): string {
  const [bytes] = bytesOf(fields, field);
  return bytes ? Buffer.from(bytes).toString('hex') : '';
}

export function numberOf(fields: Fields, field: number): bigint {
  const [value] = fields.get(field) ?? [];
  return typeof value === 'bigint' ? value : 0n;
}

/** The field's bits as a floating-point number. */
export function doubleOf(fields: Fields, field: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigUint64(0, numberOf(fields, field));
  return bits.getFloat64(0);
}
