import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { download, DownloadError } from './download.ts';

const MODEL = randomBytes(300_000);
const SHA256 = createHash('sha256').update(MODEL).digest('hex');
const HALF = 120_000;

describe('fetching a model file', () => {
  let dir: string;
  let server: Server;
  let url: string;
  /** The range of each request, `whole` for none. */
  let asked: string[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-models-'));
    asked = [];
    answer = serveRanges;
    server = createServer((request, response) => {
      asked.push(request.headers.range ?? 'whole');
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await rm(dir, { recursive: true, force: true });
  });

  const target = (): string => join(dir, 'models', 'model.onnx');
  const fetchIt = (change: { sha256?: string; bytes?: number; url?: string } = {}) =>
    download({ url, target: target(), sha256: SHA256, bytes: MODEL.length, ...change }, { pauseMs: 0 });
  const problem = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'none',
      (error: unknown) => (error instanceof DownloadError ? error.problem : String(error)),
    );

  function serveRanges(request: IncomingMessage, response: ServerResponse): void {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': MODEL.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${MODEL.length - 1}/${MODEL.length}` }),
    });
    response.end(MODEL.subarray(from));
  }

  function breakOffOnce(request: IncomingMessage, response: ServerResponse): void {
    answer = serveRanges;
    response.writeHead(200, { 'content-length': MODEL.length });
    response.write(MODEL.subarray(0, HALF));
    void expect
      .poll(partSize)
      .toBeGreaterThan(0)
      .then(() => request.socket.destroy());
  }

  const partSize = async (): Promise<number> => (await stat(`${target()}.part`).catch(() => ({ size: 0 }))).size;

  it('gives it its name when it is whole, and does not fetch it twice', async () => {
    expect(await fetchIt()).toBe('fetched');
    expect(await readFile(target())).toEqual(MODEL);
    expect(await fetchIt()).toBe('present');
    expect(asked).toEqual(['whole']);
  });

  it('goes on where a connection broke off', async () => {
    answer = breakOffOnce;
    expect(await fetchIt()).toBe('fetched');
    expect(await readFile(target())).toEqual(MODEL);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it('keeps the part when the connection breaks off again and again, and continues at the next start', async () => {
    answer = (request, response) => {
      breakOffOnce(request, response);
      answer = (_request, next) => void next.destroy();
    };
    expect(await problem(fetchIt())).not.toBe('none');
    expect(existsSync(target())).toBe(false);
    answer = serveRanges;
    asked = [];
    expect(await fetchIt()).toBe('fetched');
    expect(asked).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(await readFile(target())).toEqual(MODEL);
  });

  it('starts over when the server does not continue', async () => {
    answer = (request, response) => {
      breakOffOnce(request, response);
      answer = (_request, next) => void next.writeHead(200, { 'content-length': MODEL.length }).end(MODEL);
    };
    expect(await fetchIt()).toBe('fetched');
    expect(await readFile(target())).toEqual(MODEL);
  });

  it('keeps nothing of a file with the wrong checksum', async () => {
    expect(await problem(fetchIt({ sha256: 'f'.repeat(64) }))).toBe('checksum');
    expect(existsSync(target())).toBe(false);
    expect(existsSync(`${target()}.part`)).toBe(false);
  });

  it('stops when the server sends more than the file has', async () => {
    expect(await problem(fetchIt({ bytes: HALF }))).toBe('checksum');
    expect(existsSync(`${target()}.part`)).toBe(false);
  });

  it('says what the server refused, without trying again', async () => {
    answer = (_request, response) => void response.writeHead(404).end('gone');
    await expect(fetchIt()).rejects.toMatchObject({
      problem: 'refused',
      message: expect.stringContaining('404') as string,
    });
    expect(asked).toHaveLength(1);
    expect(existsSync(`${target()}.part`)).toBe(false);
  });

  it('says that the server cannot be reached', async () => {
    await expect(fetchIt({ url: 'http://127.0.0.1:1/model.onnx' })).rejects.toMatchObject({
      problem: 'offline',
      message: expect.stringContaining('127.0.0.1:1') as string,
    });
  });

  it('replaces a damaged file only by the right one', async () => {
    await fetchIt();
    await writeFile(target(), 'damaged');
    answer = (_request, response) => void response.writeHead(500).end();
    expect(await problem(fetchIt())).toBe('refused');
    expect(await readFile(target(), 'utf8')).toBe('damaged');
    answer = serveRanges;
    expect(await fetchIt()).toBe('fetched');
    expect(await readFile(target())).toEqual(MODEL);
  });
});
