import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const DAY_MS = 86_400_000;
const OID_ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const OID_COMMON_NAME = [0x55, 0x04, 0x03];
const OID_SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11];

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const EXPLICIT_0 = 0xa0;
const EXPLICIT_3 = 0xa3;
const DNS_NAME = 0x82;

/**
 * A self-signed certificate for a host name, valid for a day either side of now, in PEM. Made here
 * (X.509 v3 in DER), so that the tests need neither openssl nor a private key in the repository.
 */
export function createCertificate(hostName: string): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, objectId(OID_COMMON_NAME), der(UTF8_STRING, hostName))),
  );
  const alternativeNames = der(SEQUENCE, der(DNS_NAME, hostName));
  const extension = der(
    SEQUENCE,
    objectId(OID_SUBJECT_ALT_NAME),
    der(OCTET_STRING, alternativeNames),
  );
  const algorithm = der(SEQUENCE, objectId(OID_ECDSA_WITH_SHA256));
  const toBeSigned = der(
    SEQUENCE,
    der(EXPLICIT_0, der(INTEGER, [2])),
    // A leading byte below 0x80 keeps the serial number positive.
    der(INTEGER, [0x01, ...randomBytes(8)]),
    algorithm,
    name,
    der(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXPLICIT_3, der(SEQUENCE, extension)),
  );
  const signature = der(BIT_STRING, [0], sign('sha256', toBeSigned, privateKey));
  const certificate = der(SEQUENCE, toBeSigned, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}

type Content = Uint8Array | number[] | string;

/** One DER element: tag, length, contents. */
function der(tag: number, ...contents: Content[]): Buffer {
  const value = Buffer.concat(contents.map((part) => Buffer.from(part as Uint8Array)));
  const { length } = value;
  const lengthBytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), value]);
}

function objectId(bytes: number[]): Buffer {
  return der(OBJECT_ID, bytes);
}

function time(at: number): Buffer {
  return der(GENERALIZED_TIME, `${new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')}`);
}
