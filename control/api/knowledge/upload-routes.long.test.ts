import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Form } from '../../testing/form.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabases, describeOnSqlite, type TestStores } from '../../testing/stores.ts';
import { docxOf } from './testing/docx.ts';
import { knowledgeRequests } from './testing/knowledge-requests.ts';
import { once } from './testing/repeated.ts';
import { smallPdf } from './testing/small-pdf.ts';

const serviceOn = (stores: TestStores): (() => TestService) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());
  return () => service;
};

// Each is read in a process of its own, which knows no database.
describeOnSqlite('uploaded documents', (stores) => {
  const service = serviceOn(stores);
  const { group, upload, search } = knowledgeRequests(service);

  it('reads every type of document', async () => {
    const id = await group();
    const docx = docxOf(once('<w:p><w:r><w:t>The sauna is heated on Fridays.</w:t></w:r></w:p>'));
    const files: [string, string | Uint8Array, string, Record<string, unknown>][] = [
      ['a.txt', 'Breakfast is served from seven to ten.', 'breakfast', {}],
      ['b.md', '# Parking\n\nThe garage costs 12 euros a night.', 'garage', {}],
      ['c.csv', 'room;price\nAttic;80\nSuite;240', 'suite', { row: 2 }],
      ['d.json', '{"wifi":{"password":"sunflower"}}', 'wifi', {}],
      ['e.log', 'first line\nelevator stopped\nlast line', 'elevator', { line: 2 }],
      ['f.docx', docx, 'sauna', {}],
      ['g.pdf', smallPdf('The library closes at midnight.'), 'library', { page: 1 }],
    ];
    for (const [filename, content, word, metadata] of files) {
      const document = await upload(id, filename, content);
      expect(document, filename).toMatchObject({
        status: 'READY',
        errorMessage: null,
        filename,
        knowledgeFolderId: id,
      });
      expect((await search(id, word))[0], filename).toMatchObject({ filename, metadata, documentId: document.id });
    }
    expect((await service().send('GET', `/v1/knowledge/groups/${id}`)).body.documentCount).toBe(files.length);
    expect((await service().send('GET', `/v1/knowledge/groups/${id}/documents`)).body).toHaveLength(files.length);
  });

  it('says why a document could not be read', async () => {
    const id = await group();
    expect(await upload(id, 'broken.pdf', '%PDF-1.7 and nothing else')).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringContaining('damaged or not complete'),
    });
    expect(await upload(id, 'broken.json', '{')).toMatchObject({ status: 'FAILED' });
    expect(await upload(id, 'blank.txt', '   \n ')).toMatchObject({
      status: 'FAILED',
      errorMessage: 'The document contains no text.',
    });
    expect(await search(id, 'pdf')).toEqual([]);
  });
});

describeOnBothDatabases('uploading documents', (stores) => {
  const current = serviceOn(stores);
  let service: TestService;
  beforeAll(() => {
    service = current();
  });
  const { group, search } = knowledgeRequests(current);

  it('refuses what it cannot take', async () => {
    const id = await group();
    const refused = async (form: Form) =>
      (await service.send('POST', `/v1/knowledge/groups/${id}/documents`, form)).status;
    expect(await refused(new Form().file('file', 'a.exe', 'application/x-msdownload', 'MZ'))).toBe(400);
    expect(await refused(new Form().field('chunkSize', '1000'))).toBe(400);
    expect(await refused(new Form().file('file', 'a.txt', 'text/plain', ''))).toBe(400);
    for (const [name, value] of [
      ['chunkSize', '99'],
      ['chunkSize', '8001'],
      ['chunkSize', 'x'],
      ['chunkOverlap', '1000'],
    ] as const)
      expect(
        await refused(new Form().field(name, value).file('file', 'a.txt', 'text/plain', 'x')),
        `${name}=${value}`,
      ).toBe(400);
    expect((await service.send('POST', `/v1/knowledge/groups/${id}/documents`, { file: 'x' })).status).toBe(400);
    expect(
      (
        await service.send(
          'POST',
          `/v1/knowledge/groups/${randomUUID()}/documents`,
          new Form().file('file', 'a.txt', 'text/plain', 'x'),
        )
      ).status,
    ).toBe(404);
  });

  it('takes an upload in two steps', async () => {
    const id = await group();
    const presigned = await service.send('POST', `/v1/knowledge/groups/${id}/documents/presigned-upload`, {
      filename: 'big.txt',
      contentType: 'text/plain',
      fileSize: 16,
    });
    expect(presigned.status, presigned.text).toBe(200);
    const { documentId, uploadUrl } = presigned.body;
    expect((await service.send('GET', `/v1/knowledge/documents/${documentId}`)).body.status).toBe('UPLOADED');
    const confirm = (fileSize: number) =>
      service.send('POST', `/v1/knowledge/documents/${documentId}/confirm-upload`, { fileSize });
    expect((await confirm(16)).status).toBe(400);
    const path = uploadUrl.replace(/^https?:\/\/[^/]+/, '');
    expect(
      (
        await service.send('PUT', path.replace('limit=16', 'limit=99'), Buffer.from('x'), null, {
          'content-type': 'text/plain',
        })
      ).status,
    ).toBe(403);
    expect(
      (await service.send('PUT', path, Buffer.from('seventeen letters'), null, { 'content-type': 'text/plain' }))
        .status,
    ).toBe(413);
    expect(
      (await service.send('PUT', path, Buffer.from('sixteen letters!'), null, { 'content-type': 'text/plain' })).status,
    ).toBe(200);
    expect((await confirm(15)).status).toBe(400);
    expect((await confirm(16)).body.status).toBe('PROCESSING');
    await service.knowledge.idle();
    expect(await search(id, 'sixteen')).toHaveLength(1);
    expect(
      (await service.send('PUT', path, Buffer.from('sixteen letters?'), null, { 'content-type': 'text/plain' })).status,
    ).toBe(403);
    const late = await service.send('POST', `/v1/knowledge/groups/${id}/documents/presigned-upload`, {
      filename: 'late.txt',
      contentType: 'text/plain',
      fileSize: 1,
    });
    service.clock.now += 3_600_001;
    expect(
      (
        await service.send('PUT', late.body.uploadUrl.replace(/^https?:\/\/[^/]+/, ''), Buffer.from('x'), null, {
          'content-type': 'text/plain',
        })
      ).status,
    ).toBe(403);
    service.clock.now -= 3_600_001;
    for (const body of [
      {},
      { filename: 'a.txt', contentType: 'text/plain', fileSize: 52_428_801 },
      { filename: 'a/b.txt', contentType: 'text/plain', fileSize: 1 },
    ])
      expect((await service.send('POST', `/v1/knowledge/groups/${id}/documents/presigned-upload`, body)).status).toBe(
        400,
      );
  });

  it('takes an upload token for its group only', async () => {
    const [id, other] = [await group(), await group()];
    const minted = await service.send('POST', `/v1/knowledge/groups/${id}/upload-token`);
    expect(minted.status, minted.text).toBe(200);
    const put = (groupId: string, token: string) =>
      service.send(
        'POST',
        `/v1/knowledge/groups/${groupId}/documents`,
        new Form().file('file', 'a.txt', 'text/plain', 'x y z'),
        null,
        { 'x-upload-token': token },
      );
    expect((await put(id, minted.body.uploadToken)).status).toBe(201);
    expect(await put(other, minted.body.uploadToken)).toMatchObject({
      status: 401,
      body: { error: 'Invalid upload token' },
    });
    expect((await put(id, 'junk')).status).toBe(401);
    service.clock.now += 900_001;
    expect((await put(id, minted.body.uploadToken)).status).toBe(401);
    service.clock.now -= 900_001;
    await service.knowledge.idle();
  });
});
