import { hash, randomBytes } from 'node:crypto';
import { type ContentInfo, SignedData } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  MessageImprint,
  PKIStatus,
  TimeStampReq,
  TimeStampReqVersion,
  TimeStampResp,
  TSTInfo,
} from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { confirmSuccess, outboundTo, type Witness } from './witness.ts';

const sha256 = '2.16.840.1.101.3.4.2.1';
const signedDataType = '1.2.840.113549.1.7.2';
const timestampType = '1.2.840.113549.1.9.16.1.4';
/** A response with certificates has about 6 KB. The table keeps 100,000 characters of base64. */
const mostBytes = 70_000;

/**
 * Asks a timestamp authority (RFC 3161) to sign the hash of a note with its time. Its signature is not checked here,
 * which needs the authority's certificate: readers of the receipt use, for example, `openssl ts -verify`.
 */
export function timestampWitness(url: string): Witness {
  const outbound = outboundTo(url);
  return {
    kind: 'timestamp',
    to: new URL(url).hostname,
    send: async ({ note }) => {
      const asked = { digest: hash('sha256', note, 'buffer'), nonce: newNonce() };
      const answer = await outbound(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
        body: requestOf(asked),
      });
      confirmSuccess(answer);
      const response = Buffer.from(await answer.arrayBuffer());
      if (response.length > mostBytes) throw new Error('The response of the timestamp authority is too long.');
      checkTimestamp(response, asked);
      return response.toString('base64');
    },
  };
}

type Asked = { readonly digest: Buffer; readonly nonce: Buffer };

/** A positive integer, so its DER form has exactly these bytes. */
function newNonce(): Buffer {
  const nonce = randomBytes(8);
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  return nonce;
}

function requestOf({ digest, nonce }: Asked): ArrayBuffer {
  return AsnConvert.serialize(
    new TimeStampReq({
      version: TimeStampReqVersion.v1,
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha256, parameters: null }),
        hashedMessage: new OctetString(digest),
      }),
      nonce: bytesOf(nonce),
      certReq: true,
    }),
  );
}

/** @throws Error with a sentence unless the response grants a timestamp of exactly this request. */
function checkTimestamp(response: Buffer, { digest, nonce }: Asked): void {
  const { status, info } = read(response);
  if (status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods) {
    throw new Error(`The timestamp authority refused the request with status ${status}.`);
  }
  if (info === undefined) throw new Error('The response of the timestamp authority holds no timestamp.');
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (hashAlgorithm.algorithm !== sha256 || !Buffer.from(hashedMessage.buffer).equals(digest)) {
    throw new Error('The timestamp is for another note.');
  }
  if (info.nonce === undefined || !Buffer.from(info.nonce).equals(nonce)) {
    throw new Error('The timestamp answers another request: its nonce differs.');
  }
}

function read(response: Buffer): { readonly status: PKIStatus; readonly info: TSTInfo | undefined } {
  try {
    const { status, timeStampToken: token } = AsnConvert.parse(response, TimeStampResp);
    return { status: status.status, info: token && infoOf(token) };
  } catch (error) {
    throw new Error('The answer of the timestamp authority is not a timestamp response.', { cause: error });
  }
}

function infoOf({ contentType, content }: ContentInfo): TSTInfo | undefined {
  if (contentType !== signedDataType) return undefined;
  const { eContentType, eContent } = AsnConvert.parse(content, SignedData).encapContentInfo;
  const info = eContent?.single;
  return eContentType === timestampType && info !== undefined ? AsnConvert.parse(info.buffer, TSTInfo) : undefined;
}

function bytesOf(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
