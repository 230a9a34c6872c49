/** A DNS server on loopback that answers from a table, by real datagrams. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES: Record<number, string> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
  257: 'CAA',
};
const CODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

/** Data of a record as bytes, see `record`; a failure; or `silent`: no answer at all. */
export type DnsAnswer = Buffer[] | keyof typeof CODES | 'silent';

export interface DnsServer {
  /** `127.0.0.1:port` */
  address: string;
  /** `name type` of each query, in order. */
  queries: string[];
  close(): Promise<void>;
}

/** @param answerTo the answer to `shop.test MX`; undefined: no record of this type */
export async function startDnsServer(
  answerTo: (query: string) => DnsAnswer | undefined,
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (message, { port, address }) => {
    const question = message.subarray(12);
    const nameEnd = question.indexOf(0);
    const labels: string[] = [];
    for (let at = 0; at < nameEnd; at += 1 + (question[at] ?? 0)) {
      labels.push(question.subarray(at + 1, at + 1 + (question[at] ?? 0)).toString());
    }
    const type = question.readUInt16BE(nameEnd + 1);
    const query = `${labels.join('.')} ${TYPES[type] ?? type}`;
    queries.push(query);
    const answer = answerTo(query) ?? [];
    if (answer === 'silent') return;
    const records = typeof answer === 'string' ? [] : answer;
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? CODES[answer] : 0), 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    const body = records.map((data) => {
      const head = Buffer.from([0xc0, 12, type >> 8, type & 0xff, 0, 1, 0, 0, 0, 60, 0, 0]);
      head.writeUInt16BE(data.length, 10);
      return Buffer.concat([head, data]);
    });
    socket.send(Buffer.concat([header, question.subarray(0, nameEnd + 5), ...body]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Data of a record: `record.a('10.0.0.7')`, `record.mx(10, 'mail.shop.test')`. */
export const record = {
  a: (address: string) => Buffer.from(address.split('.').map(Number)),
  name: encodedName,
  mx: (priority: number, host: string) => Buffer.concat([uint16(priority), encodedName(host)]),
  srv: (priority: number, weight: number, port: number, host: string) =>
    Buffer.concat([uint16(priority), uint16(weight), uint16(port), encodedName(host)]),
  txt: (...parts: string[]) =>
    Buffer.concat(
      parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])),
    ),
  caa: (flags: number, tag: string, value: string) =>
    Buffer.concat([Buffer.from([flags, tag.length]), Buffer.from(tag), Buffer.from(value)]),
};

function encodedName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}
