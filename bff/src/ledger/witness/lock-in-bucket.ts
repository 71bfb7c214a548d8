import { hash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { confirmSuccess, fileOfNote, outboundTo, type Witness } from './witness.ts';

export type BucketPlace = {
  /** The address of the bucket and the beginning of the names, which ends with a slash. */
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
  readonly secretKey: string;
  /** For so long even the owner of the bucket's account cannot delete a note. */
  readonly keepDays: number;
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Puts notes into an S3 bucket with object lock, in the mode COMPLIANCE. A second note of the same name becomes another
 * version, and the first version stays.
 */
export function bucketWitness({ url, region, keyId, secretKey, keepDays }: BucketPlace): Witness {
  const outbound = outboundTo(url);
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secretKey, region, service: 's3' });
  return {
    kind: 'bucket',
    to: new URL(url).hostname,
    send: async ({ sequence, note }) => {
      const file = `${url}${fileOfNote(sequence)}`;
      const keepUntil = new Date(Date.now() + keepDays * dayMs).toISOString();
      const { headers } = await client.sign(file, {
        method: 'PUT',
        body: note,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'x-amz-content-sha256': hash('sha256', note, 'hex'),
          // S3 refuses a locked object without a checksum.
          'x-amz-checksum-sha256': hash('sha256', note, 'base64'),
          'x-amz-object-lock-mode': 'COMPLIANCE',
          'x-amz-object-lock-retain-until-date': keepUntil,
        },
      });
      const answer = await outbound(file, { method: 'PUT', headers, body: note });
      confirmSuccess(answer);
      const version = answer.headers.get('x-amz-version-id');
      // Object lock needs versions. Without one the bucket ignored the lock.
      if (version === null) throw new Error('The bucket keeps no versions, so the note is not locked.');
      return `${fileOfNote(sequence)} version ${version.slice(0, 1000)} locked until ${keepUntil}`;
    },
  };
}
