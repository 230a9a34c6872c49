/** X.509 certificates for tests, encoded here: any dates, names and issuers, without a program. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  name: string;
  key: KeyObject;
  /** PEM. */
  keyPem: string;
  certPem: string;
}

interface Options {
  /** Common name, and the DNS name or IP address that it is valid for, unless it is an authority. */
  name: string;
  /** Default: itself. */
  issuer?: Certificate;
  isAuthority?: boolean;
  from?: Date;
  to: Date;
}

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  subjectAltName: '2.5.29.17',
};

/** Makes a certificate with a key of its own, signed by its issuer. */
export function makeCertificate({
  name,
  issuer,
  isAuthority = false,
  from,
  to,
}: Options): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(OID.ecdsaWithSha256));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(
      Buffer.concat([
        Buffer.from([1]),
        publicKey.export({ type: 'spki', format: 'der' }).subarray(-8),
      ]),
    ),
    algorithm,
    distinguishedName(issuer?.name ?? name),
    sequence(time(from ?? new Date(Date.now() - 86_400_000)), time(to)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(name, isAuthority))),
  );
  const signature = sign('sha256', body, issuer?.key ?? privateKey);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  const certPem = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  return { name, key: createPrivateKey(keyPem), keyPem, certPem };
}

function extensions(name: string, isAuthority: boolean): Buffer[] {
  if (isAuthority) {
    const constraints = sequence(tagged(0x01, Buffer.from([0xff])));
    return [
      sequence(
        objectId(OID.basicConstraints),
        tagged(0x01, Buffer.from([0xff])),
        tagged(0x04, constraints),
      ),
    ];
  }
  const ip = /^\d+\.\d+\.\d+\.\d+$/.test(name) ? Buffer.from(name.split('.').map(Number)) : null;
  const names = sequence(ip ? tagged(0x87, ip) : tagged(0x82, Buffer.from(name)));
  return [sequence(objectId(OID.subjectAltName), tagged(0x04, names))];
}

function distinguishedName(name: string): Buffer {
  const attribute = sequence(objectId(OID.commonName), tagged(0x0c, Buffer.from(name)));
  return sequence(tagged(0x31, attribute));
}

/** As GeneralizedTime, which has room for every year. */
function time(at: Date): Buffer {
  const text = at.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return tagged(0x18, Buffer.from(`${text}Z`));
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tagged(0x06, Buffer.from(bytes));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}
