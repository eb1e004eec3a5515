import { afterAll, beforeAll, expect, it } from 'vitest';
import { Form } from '../../testing/form.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { knowledgeRequests } from './testing/knowledge-requests.ts';

describeOnBothDatabases('groups and documents', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());
  const { group, upload } = knowledgeRequests(() => service);

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

  it('renames and downloads', async () => {
    const document = await upload(await group(), 'a b ü.txt', 'content');
    expect(
      (await service.send('PUT', `/v1/knowledge/documents/${document.id}`, { filename: 'new.txt' })).body.filename,
    ).toBe('new.txt');
    expect((await service.send('PUT', `/v1/knowledge/documents/${document.id}`, { filename: '../../x' })).status).toBe(
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
});
