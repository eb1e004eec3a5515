import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { apiOf, CommandError } from '../api.ts';
import { listAll, patient } from './hosted.ts';
import { fileAt } from './import-knowledge.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** @returns what a command reads of the list of a server, and what people are told meanwhile. */
async function read(answer: RequestListener, withinMs?: number) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  open.push(server, { close: () => server.closeAllConnections() });
  await new Promise((listening) => server.once('listening', listening));
  const notes: string[] = [];
  const api = apiOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key', withinMs);
  const list = listAll(
    patient(api, (line) => notes.push(line)),
    '/v1/tools',
  );
  return { list, notes };
}

const page = (data: readonly object[], lastPage: number) => JSON.stringify({ data, meta: { lastPage } });

// Whoever names another service trusts it with nothing: it could send pages, bytes or time without end.
it('leaves a list that never ends, and says how far it is', async () => {
  const { list, notes } = await read((_, response) => response.end(page([{ id: 'x' }], 1_000_000)));
  await expect(list).rejects.toThrow('/v1/tools has more than 1000 pages.');
  expect(notes[0]).toBe('reading  /v1/tools: page 10 of 1000000');
  expect(notes).toHaveLength(100);
});

it('takes an empty page for the last one', async () => {
  const { list } = await read((_, response) => response.end(page([], 1_000_000)));
  expect(await list).toEqual([]);
});

it('leaves an answer that never ends', async () => {
  const { list } = await read((_, response) => {
    const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536, ' '), more));
    more();
  });
  await expect(list).rejects.toThrow('answers with more than 16 MiB.');
});

it('leaves an answer that comes byte by byte', async () => {
  const { list } = await read((_, response) => {
    const dripping = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(dripping));
  }, 100);
  await expect(list).rejects.toThrow('did not finish its answer.');
});

// The whole import ended there, with an error that named no document.
it('leaves out a document whose file breaks off', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half');
    setImmediate(() => response.destroy());
  }).listen(0, '127.0.0.1');
  open.push(server);
  await new Promise((listening) => server.once('listening', listening));
  const download = fileAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(download).rejects.toThrow(new CommandError('its file did not come to its end'));
});
