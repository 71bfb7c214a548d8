import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Upload = {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
};

export type UploadAnswer = { readonly status: number; readonly body: unknown; readonly location?: string };

/** Accepts unsigned uploads as Cloudinary does, and records them. */
export type CloudinaryServer = {
  readonly baseUrl: string;
  readonly uploads: Upload[];
  /** Without an argument, restores the normal answer. */
  readonly answerWith: (answer?: UploadAnswer) => void;
  readonly close: () => void;
};

export async function startCloudinary(): Promise<CloudinaryServer> {
  const uploads: Upload[] = [];
  let planned: UploadAnswer | undefined;
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const upload = await readUpload(request);
    uploads.push(upload);
    const { status, body, location } = planned ?? storedAnswer(upload);
    response.writeHead(status, { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uploads,
    answerWith: (answer) => {
      planned = answer;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readUpload(request: IncomingMessage): Promise<Upload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData();
  const fields: Record<string, string> = {};
  let bytes = new Uint8Array();
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else bytes = new Uint8Array(await value.arrayBuffer());
  }
  return { path: request.url ?? '', fields, bytes };
}

function storedAnswer({ fields, bytes }: Upload): UploadAnswer {
  const { public_id: id } = fields;
  return {
    status: 200,
    body: {
      public_id: id,
      resource_type: 'image',
      format: 'webp',
      bytes: bytes.length,
      secure_url: `https://res.cloudinary.com/kilim/image/upload/v1/${id}.webp`,
    },
  };
}
