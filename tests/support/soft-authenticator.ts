/** An authenticator in software, for passkeys: what a browser answers, and what an attacker would. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Told {
  /** Where the page that asked was. */
  origin: string;
  challenge: string;
}

interface Assertion extends Told {
  counter?: number;
  isUserVerified?: boolean;
}

const FLAGS = { present: 0x01, verified: 0x04, hasKey: 0x40 };

export class SoftAuthenticator {
  readonly id = randomBytes(32);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(private readonly rpId: string) {}

  /** The answer to `navigator.credentials.create`. */
  create({ origin, challenge }: Told) {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, cose]);
    const data = Buffer.concat([
      this.authenticatorData(FLAGS.present | FLAGS.verified | FLAGS.hasKey, 0),
      credential,
    ]);
    return this.answer({
      clientDataJSON: clientData('webauthn.create', origin, challenge).toString('base64url'),
      attestationObject: attestation(data).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The answer to `navigator.credentials.get`. */
  get({ origin, challenge, counter = 0, isUserVerified = true }: Assertion) {
    const client = clientData('webauthn.get', origin, challenge);
    const flags = FLAGS.present | (isUserVerified ? FLAGS.verified : 0);
    const data = this.authenticatorData(flags, counter);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
    });
  }

  private answer<Response>(response: Response) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response } as const;
  }

  private authenticatorData(flags: number, counter: number): Buffer {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(this.rpId).digest(), tail]);
  }
}

function clientData(type: string, origin: string, challenge: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** CBOR of `{fmt: "none", attStmt: {}, authData}`. */
function attestation(authData: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(authData.length);
  return Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
    length,
    authData,
  ]);
}
