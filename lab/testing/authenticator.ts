import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** In memory. It signs what the tests want, also what no browser would sign. */
export type Authenticator = {
  /** As `navigator.credentials.create`. */
  readonly create: (challenge: string, wrong?: Wrong) => unknown;
  /** As `navigator.credentials.get`. */
  readonly get: (challenge: string, wrong?: Wrong) => unknown;
};

/** Compared with an honest browser. */
export type Wrong = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly userVerified?: boolean;
  readonly signCount?: number;
  readonly signature?: string;
  /** Absent: the answer names no person. */
  readonly userHandle?: string;
};

const userPresent = 0x01;
const userVerified = 0x04;
const withCredential = 0x40;

export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  let signCount = 0;

  const clientData = (type: string, challenge: string, wrong: Wrong) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: wrong.origin ?? origin, crossOrigin: false }));
  const authenticatorData = (flags: number, wrong: Wrong) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(wrong.signCount ?? signCount);
    const rpId = wrong.rpId ?? new URL(origin).hostname;
    const rpIdHash = createHash('sha256').update(rpId).digest();
    const verified = wrong.userVerified === false ? 0 : userVerified;
    return Buffer.concat([rpIdHash, Buffer.from([flags | userPresent | verified]), counter]);
  };
  const answer = (response: Readonly<Record<string, Uint8Array | string>>) => ({
    id: credentialId.toString('base64url'),
    rawId: credentialId.toString('base64url'),
    type: 'public-key',
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [
        name,
        typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('base64url'),
      ]),
    ),
    clientExtensionResults: {},
  });

  return {
    create: (challenge, wrong = {}) => {
      const coseKey = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
          [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
        ]),
      );
      const authData = Buffer.concat([
        authenticatorData(withCredential, wrong),
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        coseKey,
      ]);
      const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(authData)],
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, wrong),
        attestationObject: isoCBOR.encode(attestation),
      });
    },
    get: (challenge, { userHandle, ...wrong } = {}) => {
      signCount += 1;
      const client = clientData('webauthn.get', challenge, wrong);
      const data = authenticatorData(0, wrong);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return answer({
        clientDataJSON: client,
        authenticatorData: data,
        ...(userHandle === undefined ? {} : { userHandle }),
        signature: wrong.signature ?? createSign('sha256').update(signed).sign(privateKey),
      });
    },
  };
}
