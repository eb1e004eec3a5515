import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Embedder } from '../../models/ports.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { Form } from '../testing/form.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { docxOf } from './testing/docx.ts';
import { once } from './testing/repeated.ts';

/** Meaning by topic: anything about water is near to anything about water. */
const embedder: Embedder = {
  dimensions: 2,
  embed: async (texts) =>
    texts.map((text) => (/pool|swim|water/i.test(text) ? new Float32Array([1, 0]) : new Float32Array([0, 1]))),
};

describeOnBothDatabases('knowledge', (stores) => {
  let service: TestService;
  let meaningful: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
    meaningful = await startTestService(await stores.open(), { ports: { embedder } });
  });
  afterAll(async () => {
    await service.close();
    await meaningful.close();
  });

  const group = async (on = service) =>
    (await on.send('POST', '/v1/knowledge/groups', { name: 'House rules' })).body.id as string;
  const upload = async (
    groupId: string,
    filename: string,
    content: string | Uint8Array,
    contentType = 'application/octet-stream',
    fields: Record<string, string> = {},
    on = service,
  ) => {
    const form = new Form();
    for (const [name, value] of Object.entries(fields)) form.field(name, value);
    const answer = await on.send(
      'POST',
      `/v1/knowledge/groups/${groupId}/documents`,
      form.file('file', filename, contentType, content),
    );
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.status).toBe('PROCESSING');
    await on.knowledge.idle();
    return (await on.send('GET', `/v1/knowledge/documents/${answer.body.id}`)).body;
  };
  const search = async (groupId: string, query: string, on = service) =>
    (await on.send('POST', `/v1/knowledge/groups/${groupId}/search`, { query })).body as {
      filename: string;
      content: string;
      score: number;
      chunkIndex: number;
      metadata: Record<string, unknown>;
      documentId: string;
    }[];

  it('creates, reads, lists, changes and deletes groups, in bare arrays', async () => {
    const made = await service.send('POST', '/v1/knowledge/groups', { name: 'A', description: 'd' });
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'A', description: 'd', documentCount: 0, updatedAt: null },
    });
    const { id } = made.body;
    expect((await service.send('GET', '/v1/knowledge/groups')).body).toEqual(
      expect.arrayContaining([expect.objectContaining({ id })]),
    );
    expect((await service.send('PUT', `/v1/knowledge/groups/${id}`, { description: null })).body).toMatchObject({
      name: 'A',
      description: null,
      updatedAt: expect.any(String),
    });
    for (const body of [{}, { name: '' }, { name: 4 }])
      expect((await service.send('POST', '/v1/knowledge/groups', body)).status).toBe(400);
    expect((await service.send('DELETE', `/v1/knowledge/groups/${id}`)).status).toBe(204);
    for (const [method, url] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/search'],
      ['GET', '/documents'],
    ] as const) {
      expect(
        (
          await service.send(
            method,
            `/v1/knowledge/groups/${id}${url}`,
            method === 'POST' ? { query: 'x' } : method === 'PUT' ? {} : undefined,
          )
        ).status,
      ).toBe(404);
    }
    expect((await service.send('GET', '/v1/knowledge/groups/no-uuid')).status).toBe(404);
  });

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
      ['g.pdf', pdf('The library closes at midnight.'), 'library', { page: 1 }],
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
    expect((await service.send('GET', `/v1/knowledge/groups/${id}`)).body.documentCount).toBe(files.length);
    expect((await service.send('GET', `/v1/knowledge/groups/${id}/documents`)).body).toHaveLength(files.length);
  });

  it('finds the passage that answers a question, best first', async () => {
    const id = await group();
    await upload(
      id,
      'hours.txt',
      'The restaurant opens at noon.\n\nThe swimming pool opens at six in the morning and closes at nine.\n\nThe bar never closes.',
      'text/plain',
      { chunkSize: '100', chunkOverlap: '0' },
    );
    const hits = await search(id, 'When does the swimming pool open?');
    expect(hits[0]!.content).toContain('six in the morning');
    expect(hits[0]!.score).toBeGreaterThan(0.5);
    expect(await search(id, 'quantum chromodynamics')).toEqual([]);
    expect(await search(id, '"; drop table -- ? * ( ) OR NOT')).toEqual([]);
    for (const body of [{}, { query: '' }, { query: 'x', limit: 21 }, { query: 'x', limit: 0 }])
      expect((await service.send('POST', `/v1/knowledge/groups/${id}/search`, body)).status).toBe(400);
  });

  it('finds by meaning when an embedder is there', async () => {
    const id = await group(meaningful);
    await upload(
      id,
      'pool.txt',
      'The basin is heated.\n\nDeep water after the blue line.',
      'text/plain',
      { chunkSize: '100', chunkOverlap: '0' },
      meaningful,
    );
    await upload(id, 'bar.txt', 'Drinks until two.', 'text/plain', {}, meaningful);
    expect((await search(id, 'Where can I swim?', meaningful)).map((hit) => hit.filename)).toEqual(['pool.txt']);
  });

  it('searches words only, when nothing may be kept and the embedder keeps something', async () => {
    const id = await group(meaningful);
    await upload(id, 'basin.txt', 'The water of the basin is heated.', 'text/plain', {}, meaningful);
    const ask = async (query: string, zeroDataRetention: boolean) => {
      const request = { organizationId: meaningful.organizationId, groupIds: [id], query, limit: 5, zeroDataRetention };
      return (await meaningful.knowledge.search({ ...request, signal: AbortSignal.timeout(5000) })).length;
    };
    expect([await ask('Where can I swim?', false), await ask('Where can I swim?', true)]).toEqual([1, 0]);
    expect(await ask('Is the basin heated?', true)).toBe(1);
  });

  it('answers the engine for the groups of the organization only', async () => {
    const id = await group();
    await upload(id, 'secret.txt', 'The code word is marzipan.');
    const ask = (organizationId: string) =>
      service.knowledge.search({
        organizationId,
        groupIds: [id],
        query: 'code word',
        limit: 5,
        zeroDataRetention: false,
        signal: AbortSignal.timeout(5000),
      });
    expect(await ask(service.organizationId)).toHaveLength(1);
    expect(await ask(randomUUID())).toEqual([]);
  });

  it('forgets a deleted document at once', async () => {
    const id = await group();
    const document = await upload(id, 'gone.txt', 'Vanishing ink.');
    expect(await search(id, 'ink')).toHaveLength(1);
    expect((await service.send('DELETE', `/v1/knowledge/documents/${document.id}`)).status).toBe(204);
    expect(await search(id, 'ink')).toEqual([]);
    expect((await service.send('GET', `/v1/knowledge/documents/${document.id}`)).status).toBe(404);
    expect(await service.blobs.size(`documents/${document.id}`)).toBeNull();
  });

  it('renames and downloads', async () => {
    const document = await upload(await group(), 'a b ü.txt', 'content');
    expect(
      (await service.send('PUT', `/v1/knowledge/documents/${document.id}`, { filename: 'new.txt' })).body.filename,
    ).toBe('new.txt');
    expect((await service.send('PUT', `/v1/knowledge/documents/${document.id}`, { filename: '../x' })).status).toBe(
      400,
    );
    const { body } = await service.send('GET', `/v1/knowledge/documents/${document.id}/download`);
    expect(body.filename).toBe('new.txt');
    const file = await service.send('GET', body.downloadUrl.replace(/^https?:\/\/[^/]+/, ''), undefined, null);
    expect(file).toMatchObject({
      status: 200,
      text: 'content',
      headers: { 'content-disposition': "attachment; filename*=UTF-8''new.txt" },
    });
  });

  // A line break in a presigned content type was stored, and every download of the document answered 500.
  it('takes no content type that a header cannot hold', async () => {
    const id = await group();
    const presign = (contentType: string) =>
      service.send('POST', `/v1/knowledge/groups/${id}/documents/presigned-upload`, {
        filename: 'a.txt',
        contentType,
        fileSize: 1,
      });
    for (const contentType of [
      'text/plain\r\nx-evil: 1',
      'text/plain\n',
      'text/plain; a="\u0007"',
      'text/pläin',
      'text/plain\u{1f600}',
      'text',
      ' ',
    ]) {
      expect(await presign(contentType), contentType).toMatchObject({
        status: 400,
        body: { details: [{ path: 'contentType' }] },
      });
    }
    for (const contentType of ['text/plain', 'text/plain; charset=utf-8', 'TEXT/markdown;charset="utf 8"'])
      expect((await presign(contentType)).status, contentType).toBe(200);
    const form = new Form().file('file', 'a.txt', 'text/plain\u0001', 'x');
    expect((await service.send('POST', `/v1/knowledge/groups/${id}/documents`, form)).status).toBe(400);
  });

  it('hands out a document whose content type was stored before it was checked', async () => {
    const document = await upload(await group(), 'old.txt', 'content');
    await service.store.db
      .updateTable('knowledge_documents')
      .set({ file_type: 'text/plain\r\nx-evil: 1' })
      .where('id', '=', document.id)
      .execute();
    const { body } = await service.send('GET', `/v1/knowledge/documents/${document.id}/download`);
    const file = await service.send('GET', body.downloadUrl.replace(/^https?:\/\/[^/]+/, ''), undefined, null);
    expect(file).toMatchObject({
      status: 200,
      text: 'content',
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(file.headers).not.toHaveProperty('x-evil');
  });

  // Name and type of a signed URL were joined by line breaks: a name with one could give a part of itself to the type.
  it('does not take one field of a signed address for another', async () => {
    const document = await upload(await group(), 'a.txt', 'content', 'text/plain');
    const renamed = await service.send('PUT', `/v1/knowledge/documents/${document.id}`, { filename: 'a\nb.txt' });
    const address = new URL(renamed.body.fileUrl);
    address.searchParams.set('type', 'text/plain\na');
    address.searchParams.set('name', 'b.txt');
    expect((await service.send('GET', address.pathname + address.search, undefined, null)).status).toBe(403);
  });

  it('says why a document could not be read', async () => {
    const id = await group();
    expect(await upload(id, 'broken.pdf', 'no pdf at all')).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringContaining('could not be read'),
    });
    expect(await upload(id, 'broken.json', '{')).toMatchObject({ status: 'FAILED' });
    expect(await upload(id, 'blank.txt', '   \n ')).toMatchObject({
      status: 'FAILED',
      errorMessage: 'The document contains no text.',
    });
    expect(await search(id, 'pdf')).toEqual([]);
  });

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

  it('reaches a persona through a tool', async () => {
    const id = await group();
    const started = await service.send('POST', '/v1/engine/session', {
      personaConfig: {
        avatarId: STOCK.avatar,
        tools: [{ type: 'server', subtype: 'rag', name: 'docs', description: 'd', documentFolderIds: [id] }],
      },
    });
    const { config } = service.engine.live.get(started.body.sessionId)!;
    expect(config.tools[0]).toMatchObject({
      kind: 'rag',
      documentFolderIds: [id],
      parameters: { required: ['query'] },
    });
    expect(
      (
        await service.send('POST', '/v1/engine/session', {
          personaConfig: {
            avatarId: STOCK.avatar,
            tools: [
              { type: 'server', subtype: 'rag', name: 'docs', description: 'd', documentFolderIds: [randomUUID()] },
            ],
          },
        })
      ).status,
    ).toBe(400);
  });
});

/** The smallest PDF with one line of text. */
function pdf(text: string): Buffer {
  const stream = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = body.length;
  body += `xref\n0 6\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(body, 'latin1');
}
