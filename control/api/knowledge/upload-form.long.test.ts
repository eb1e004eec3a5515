import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Form } from '../../testing/form.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { MAX_DOCUMENT_SIZE } from './knowledge-schema.ts';

describeOnSqlite('A document in a form', (stores) => {
  let service: TestService;
  let groupId: string;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
    groupId = (await service.send('POST', '/v1/knowledge/groups', { name: 'Manuals' })).body.id;
  });
  afterAll(() => service.close());

  const post = (form: Form) => service.send('POST', `/v1/knowledge/groups/${groupId}/documents`, form);
  const filesLeft = (): string[] =>
    ['documents', '.incoming'].flatMap((folder) => {
      const path = join(service.blobs.folder, folder);
      return existsSync(path) ? readdirSync(path) : [];
    });

  it('that is refused leaves no file: too large, without a name, empty, or beside a wrong field', async () => {
    const text = (content: string | Uint8Array, filename = 'a.txt') =>
      new Form().file('file', filename, 'text/plain', content);
    expect((await post(text(new Uint8Array(MAX_DOCUMENT_SIZE + 1)))).status).toBe(413);
    expect((await post(text('Hello.').field('chunkSize', 'large'))).status).toBe(400);
    expect((await post(new Form().file('file', 'a.exe', 'application/x-msdownload', 'MZ'))).status).toBe(400);
    expect((await post(text(''))).status).toBe(400);
    expect(filesLeft()).toEqual([]);
  });

  it('whose sender goes away in the middle leaves no file', async () => {
    const address = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }));
    const form = new Form().file('file', 'a.txt', 'text/plain', new Uint8Array(1_000_000).fill(0x61));
    const socket = connect(Number(address.port), address.hostname);
    await once(socket, 'connect');
    const head = [
      `POST /v1/knowledge/groups/${groupId}/documents HTTP/1.1`,
      `Host: ${address.host}`,
      `Authorization: Bearer ${service.key}`,
      `Content-Type: ${form.contentType}`,
      `Content-Length: ${form.bytes().byteLength}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(form.bytes().subarray(0, 500_000));
    await expect.poll(() => filesLeft().length).toBe(1);
    socket.destroy();
    await expect.poll(() => filesLeft()).toEqual([]);
    const documents = await service.send('GET', `/v1/knowledge/groups/${groupId}/documents`);
    expect(documents.body).toEqual([]);
  });
});
