import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isoFile } from '../../../engine/avatar-maker/testing/iso-file.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { Form } from '../../testing/form.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { IMAGE, STOCK } from '../../testing/stock.ts';

describeOnBothDatabases('avatars', (stores) => {
  let service: TestService;
  let images: Server;
  let imageAddress: string;
  beforeAll(async () => {
    images = createServer((request, response) => {
      if (request.url === '/face.png') response.writeHead(200, { 'content-type': 'image/png' }).end(IMAGE);
      else if (request.url === '/huge.png') response.writeHead(200).end(Buffer.alloc(5_000_000));
      else if (request.url === '/page') response.writeHead(200, { 'content-type': 'image/png' }).end('<html>');
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => images.once('listening', resolve));
    imageAddress = `http://127.0.0.1:${(images.address() as AddressInfo).port}`;
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_ALLOWED_PRIVATE_HOSTS: imageAddress.slice('http://'.length) },
    });
  });
  afterAll(async () => {
    await service.close();
    images.close();
  });

  const form = (name = 'Mira') => new Form().field('displayName', name).file('imageFile', 'a.png', 'image/png', IMAGE);
  const create = async () => {
    const made = await service.send('POST', '/v1/avatars', form());
    expect(made.status, made.text).toBe(201);
    return made.body;
  };

  it('lists the built-in ones, by name, style and tag', async () => {
    const ids = async (query: string) =>
      (await service.send('GET', `/v1/avatars?${query}`)).body.data.map((avatar: { id: string }) => avatar.id);
    expect(await ids('')).toEqual([STOCK.avatar, STOCK.oldAvatar]);
    expect(await ids('search=FRIEND')).toEqual([STOCK.avatar]);
    expect(await ids('renderStyle=realistic')).toEqual([STOCK.oldAvatar]);
    expect(await ids('tags=nothing,desk')).toEqual([STOCK.avatar]);
    expect(await ids('onlyOneShot=true')).toEqual([]);
    expect((await service.send('GET', '/v1/avatars?renderStyle=cubist')).status).toBe(400);
    expect((await service.send('GET', `/v1/avatars/${STOCK.avatar}`)).body).toMatchObject({
      availableVersions: ['cara-3', 'cara-4', 'cara-4-latest'],
      activeVersion: 'cara-3',
      createdByOrganizationId: null,
    });
    for (const [method, body] of [
      ['PUT', { displayName: 'Mine' }],
      ['DELETE', undefined],
    ] as const)
      expect((await service.send(method, `/v1/avatars/${STOCK.avatar}`, body)).status).toBe(403);
  });

  it('makes one from a file and shows its images to everybody', async () => {
    const made = await create();
    expect(made).toMatchObject({
      displayName: 'Mira',
      variantName: '',
      activeVersion: 'cara-3',
      createdByOrganizationId: service.organizationId,
      portraitImageUrl: null,
    });
    for (const url of [made.imageUrl, made.landscapeImageUrl]) {
      const shown = await service.send('GET', url.replace(/^https?:\/\/[^/]+/, ''), undefined, null);
      expect(shown).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
    }
    expect((await service.send('PUT', `/v1/avatars/${made.id}`, { displayName: 'Renamed' })).body.displayName).toBe(
      'Renamed',
    );
    expect((await service.send('PUT', `/v1/avatars/${made.id}`, {})).status).toBe(400);
  });

  /** The upload was shown to everybody who sees the avatar, with the place that a phone had written into it. */
  it.each(['heic', 'avif'] as const)('shows what was made of a photo (%s), not the upload', async (codec) => {
    const photo = new Form()
      .field('displayName', 'Phone')
      .file('imageFile', `IMG_0001.${codec}`, 'application/octet-stream', isoFile({ codec }));
    const made = await service.send('POST', '/v1/avatars', photo);
    expect(made.status, made.text).toBe(201);
    const path = made.body.imageUrl.replace(/^https?:\/\/[^/]+/, '');
    expect((await service.send('GET', path, undefined, null)).headers['content-type']).toBe('image/png');
  });

  it('makes one from a public address', async () => {
    expect(
      (await service.send('POST', '/v1/avatars', { displayName: 'M', imageUrl: `${imageAddress}/face.png` })).status,
    ).toBe(201);
    for (const path of ['/huge.png', '/missing', '/page']) {
      const answer = await service.send('POST', '/v1/avatars', { displayName: 'M', imageUrl: imageAddress + path });
      expect(answer.status, path).toBe(400);
    }
    const inside = await service.send('POST', '/v1/avatars', {
      displayName: 'M',
      imageUrl: 'http://10.0.0.1/face.png',
    });
    expect(inside.body.details[0]).toMatchObject({ path: 'imageUrl' });
  });

  it('says that too many images are waiting, and when to try again', async () => {
    const oneTooMany = new Form()
      .field('displayName', 'Late')
      .file('imageFile', 'a.png', 'image/png', Buffer.concat([IMAGE, Buffer.from([0xfe])]));
    expect(await service.send('POST', '/v1/avatars', oneTooMany)).toMatchObject({
      status: 429,
      body: { error: 'Avatar queue is full' },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    expect((await service.send('GET', '/v1/avatars?search=Late')).body.data).toEqual([]);
  });

  it('checks the fields, the file and the model', async () => {
    const refused = async (body: unknown) => (await service.send('POST', '/v1/avatars', body)).status;
    expect(await refused(form('Mi'))).toBe(400);
    expect(await refused(form().field('imageUrl', `${imageAddress}/face.png`))).toBe(400);
    expect(await refused(new Form().field('displayName', 'Nobody'))).toBe(400);
    expect(
      await refused(new Form().field('displayName', 'Nobody').file('imageFile', 'a.png', 'image/png', 'GIF89a')),
    ).toBe(400);
    expect(await refused(form().field('avatarModel', 'cara-2'))).toBe(400);
    expect(await refused(form().field('avatarModel', 'cara-4'))).toBe(201);
    expect(
      await refused(
        new Form().field('displayName', 'Huge').file('imageFile', 'a.png', 'image/png', Buffer.alloc(4_718_593)),
      ),
    ).toBe(413);
    expect(
      await refused(
        new Form()
          .field('displayName', 'Faceless')
          .file('imageFile', 'a.png', 'image/png', Buffer.concat([IMAGE, Buffer.from([0xff])])),
      ),
    ).toBe(422);
    expect(await refused({ displayName: '', imageUrl: 'x' })).toBe(400);
    const plain = await service.keyWith(['avatars'], 'plain', []);
    expect(
      (await service.send('POST', '/v1/avatars', form().field('avatarModel', 'cara-4-latest'), plain)).status,
    ).toBe(403);
  });

  it('hides a deleted one and purges it for good', async () => {
    const made = await create();
    expect((await service.send('DELETE', `/v1/avatars/${made.id}`)).body).toEqual({
      message: 'Avatar deleted successfully',
    });
    expect((await service.send('GET', `/v1/avatars/${made.id}`)).status).toBe(404);
    expect((await service.send('DELETE', `/v1/avatars/${made.id}`)).status).toBe(404);
    expect(await service.blobs.list('pictures')).toContain(`pictures/${made.imageUrl.split('/').at(-1)}`);
    expect((await service.send('DELETE', `/v1/avatars/${made.id}?hard=true`)).status).toBe(200);
    expect(await service.blobs.list('pictures')).not.toContain(`pictures/${made.imageUrl.split('/').at(-1)}`);
    expect((await service.send('GET', '/v1/avatars/x')).status).toBe(400);
    expect((await service.send('GET', `/v1/avatars/${randomUUID()}`)).status).toBe(404);
  });
});
