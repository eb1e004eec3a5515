import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import JSZip from 'jszip';

export interface Wheel {
  readonly name: string;
  readonly version: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** @returns a wheel that pip accepts, with these files beside its own. */
export async function wheel(name: string, version: string, files: Readonly<Record<string, Buffer>>): Promise<Wheel> {
  const zip = new JSZip();
  const info = `${name.replaceAll('-', '_')}-${version}.dist-info`;
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  zip.file(`${info}/METADATA`, `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`);
  zip.file(`${info}/WHEEL`, 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n');
  zip.file(`${info}/RECORD`, '');
  const bytes = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  return { name, version, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export interface PythonIndex {
  /** As `PIP_INDEX_URL` has it. */
  readonly url: string;
  /** Paths of the requests so far. */
  readonly asked: readonly string[];
  /** From now on a request needs this header. */
  requireAuthorization(value: string): void;
  close(): Promise<void>;
}

/** A mirror of Python packages on this machine, in the older form that all clients read. */
export async function servePythonIndex(wheels: readonly Wheel[]): Promise<PythonIndex> {
  const asked: string[] = [];
  let authorization: string | null = null;
  const fileName = ({ name, version }: Wheel): string => `${name.replaceAll('-', '_')}-${version}-py3-none-any.whl`;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '/';
    asked.push(path);
    if (authorization !== null && request.headers.authorization !== authorization)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="mirror"' }).end();
    const file = wheels.find((each) => path === `/files/${fileName(each)}`);
    if (file !== undefined)
      return void response.writeHead(200, { 'content-length': file.bytes.length }).end(file.bytes);
    const listed = wheels.find(({ name }) => path === `/simple/${name}/`);
    if (listed === undefined) return void response.writeHead(404).end();
    const link = `<a href="../../files/${fileName(listed)}#sha256=${listed.sha256}">${fileName(listed)}</a>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!DOCTYPE html><html><body>${link}</body></html>`);
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`,
    asked,
    requireAuthorization: (value) => (authorization = value),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
