import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { FakeCloner } from '../testing/fake-cloner.ts';
import { Form } from '../testing/form.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { describeOnSqlite } from '../testing/stores.ts';

describeOnSqlite('a client that asks before it sends a large body', (stores) => {
  let without: TestService;
  let cloning: TestService;
  const cloner = new FakeCloner();
  const open: Socket[] = [];
  beforeAll(async () => {
    without = await startTestService(await stores.open());
    cloning = await startTestService(await stores.open(), { ports: { voiceCloners: [cloner] } });
    for (const { app } of [without, cloning]) await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await without.close();
    await cloning.close();
  });
  afterEach(() => open.splice(0).forEach((socket) => socket.destroy()));

  const form = new Form().field('name', 'Me').file('audioFile', 'a.wav', 'audio/wav', Buffer.alloc(2_000_000, 'ID3a'));

  /** Sends only the head. */
  function ask(service: TestService, key: string) {
    const socket = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1');
    open.push(socket);
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
    socket.write(
      `POST /v1/voices HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${form.contentType}\r\nContent-Length: ${form.bytes().length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    return { socket, heard: () => heard };
  }

  it('is told to send it when the request is allowed', async () => {
    const { socket, heard } = ask(cloning, cloning.key);
    await expect.poll(heard).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(form.bytes());
    await expect.poll(heard).toContain('HTTP/1.1 201 Created');
    expect(cloner.made[0]?.recording).toHaveLength(2_000_000);
  });

  it.each([
    ['where no voice can be copied', () => ask(without, without.key), '403 Forbidden'],
    ['with a wrong key', () => ask(cloning, 'wrong'), '401 Unauthorized'],
  ])('is refused without sending it %s', async (_where, send, status) => {
    const { heard } = send();
    await expect.poll(heard).toMatch(/\}$/u);
    expect(heard()).toMatch(new RegExp(`^HTTP/1.1 ${status}`, 'u'));
    expect(heard()).not.toContain('100 Continue');
  });
});
