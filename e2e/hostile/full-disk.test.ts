import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeadlessConversation } from '../../bench/lib/headless-conversation.ts';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from '../support/service.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const disk = mountSmallDisk(96);

/** Bytes: a recording has a fragment a second, of some 20 KB and more. */
const TWO_FRAGMENTS = 40_000;

/**
 * A disk that fills up is the most ordinary disaster of a self-hosted service. Who talks at that moment shall not
 * notice.
 */
describe.skipIf(disk === null)('a full disk', () => {
  let service: RunningService;
  let free = (): void => {};
  beforeAll(async () => {
    service = await startService({
      dataDir: disk!.folder,
      env: { PARLEY_MIN_FREE_DISK_MB: '8', ...WITHOUT_RECOGNIZER },
    });
  });
  afterAll(async () => {
    await service?.stop();
    disk!.remove();
  });

  const readyz = async () => {
    const response = await fetch(`${service.url}/readyz`);
    const { disk } = (await response.json()) as { disk: string };
    return { status: response.status, disk };
  };
  const transcript = async (sessionId: string): Promise<string[]> => {
    const { messages } = await service.api<{ messages: { role: string; message: string }[] }>(
      'GET',
      `/v1/sessions/${sessionId}/transcript`,
    );
    return messages.filter(({ role }) => role === 'user').map(({ message }) => message);
  };

  it('stops no conversation, is told to the load balancer, and what was said meanwhile is stored later', async () => {
    const user = await openHeadlessConversation(service);
    await user.ask('What was said before?');
    expect(await readyz()).toEqual({ status: 200, disk: 'ok' });
    // On a busy machine the recorder is some seconds behind: the disk was full before anything was written.
    const recorded = (): number => statSync(join(disk!.folder, 'recordings', `${user.sessionId}.mp4`)).size;
    await expect.poll(recorded, { interval: 250 }).toBeGreaterThan(TWO_FRAGMENTS);

    free = disk!.fill();
    await expect.poll(readyz, { interval: 250 }).toEqual({ status: 503, disk: 'full' });
    await user.ask('What was said on the full disk?');
    await user.ask('And what after that?');
    await expect.poll(() => service.output()).toContain('what sessions say is kept in memory');
    const refused = await fetch(`${service.url}/v1/tools`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'show_map', description: 'Shows a map', type: 'CLIENT' }),
    });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: 'Storage is full' });

    free();
    await expect.poll(readyz, { interval: 250 }).toEqual({ status: 200, disk: 'ok' });
    await expect
      .poll(() => transcript(user.sessionId), { interval: 250 })
      .toEqual(['What was said before?', 'What was said on the full disk?', 'And what after that?']);
    await user.ask('And now?');
    const recording = (): Promise<boolean> =>
      service.api('GET', `/v1/sessions/${user.sessionId}/recording`).then(
        () => true,
        () => false,
      );
    await expect.poll(recording, { message: 'what was recorded before can be played' }).toBe(true);
    user.close();
    expect(service.output()).not.toMatch(/Uncaught|unhandled/i);
  });
});
