import { generateKeyPairSync, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** Self-signed: Node has no function that makes one. */
export function selfSignedCertificate(hosts: readonly string[]): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const name = der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), text(0x0c, hosts[0] ?? ''))));
  const validity = der(0x30, text(0x17, '200101000000Z'), text(0x17, '491231235959Z'));
  const names = hosts.map((host) =>
    isIP(host) === 0 ? text(0x82, host) : der(0x87, Buffer.from(host.split('.').map(Number))),
  );
  const alternativeNames = der(0x30, der(0x06, Buffer.from('551d11', 'hex')), der(0x04, der(0x30, ...names)));
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, alternativeNames)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const certificate = der(0x30, toBeSigned, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  };
}

function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), body]);
}
