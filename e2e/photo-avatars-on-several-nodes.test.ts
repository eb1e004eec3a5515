import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3mini } from 's3mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeadlessConversation, type HeadlessConversation } from '../bench/lib/headless-conversation.ts';
import { postgresPrograms } from '../control/testing/postgres.ts';
import { hasRadosgw, type PrivateRadosgw, startPrivateRadosgw } from '../control/testing/private-radosgw.ts';
import { hasRedis } from '../control/testing/private-redis.ts';
import { openNodes, type RunningNodes } from './support/nodes.ts';
import type { RunningService } from './support/service.ts';
import { uploadPortrait } from './support/upload-portrait.ts';
import { lumaOf, ReceivedVideo } from './support/received-video.ts';

const portrait = new URL('fixtures/portraits/grace-hopper.jpg', import.meta.url);
/** The head moves a little, so a frame is never quite the photo. Other faces are below 0.2. */
const ALIKE = 0.9;

interface Made {
  readonly id: string;
  readonly landscapeImageUrl: string;
  readonly idleVideoUrl: string;
}

const missing = !hasRedis() || postgresPrograms() === null || !hasRadosgw();

/** Two processes on one PostgreSQL, one Redis and one bucket of Ceph, each with a data folder of its own. */
describe.skipIf(missing)('An avatar made from a photo', { tags: ['nightly'] }, () => {
  let s3: PrivateRadosgw;
  let nodes: RunningNodes;
  let dataDir: string;
  let a: RunningService;
  let b: RunningService;
  const users: HeadlessConversation[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-photos-'));
    [s3, nodes] = await Promise.all([startPrivateRadosgw(), openNodes()]);
  });
  afterAll(async () => {
    for (const user of users) user.close();
    await Promise.all([a?.stop(), b?.stop()]);
    await nodes?.stop();
    await s3?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const withBucket = () => ({
    PARLEY_BLOBS_URL: s3.url,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    AWS_REGION: s3.credentials.region,
  });
  const make = async (service: RunningService): Promise<Made> => {
    const made = await uploadPortrait(service, new Uint8Array(await readFile(portrait)), 'Grace');
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body as unknown as Made;
  };
  const keptBy = (service: RunningService): Promise<string[]> =>
    readdir(join(service.dataDir, 'photo-avatars')).catch(() => []);
  const objects = async (kind: string): Promise<string[]> => {
    const found = await new S3mini({ ...s3.credentials, endpoint: s3.url }).listObjects('/', `${kind}/`);
    return (found ?? []).map(({ Key }) => Key);
  };
  const through = (service: RunningService, url: string): string => service.url + url.replace(/^https?:\/\/[^/]+/, '');
  const liveOn = async ({ url }: RunningService): Promise<number> =>
    ((await (await fetch(`${url}/readyz`)).json()) as { activeSessions: number }).activeSessions;
  async function come(
    service: RunningService,
    avatarId: string,
  ): Promise<ReceivedVideo & { user: HeadlessConversation }> {
    const face = new ReceivedVideo();
    const user = await openHeadlessConversation(service, { avatarId }, { onVideo: face.onVideo });
    users.push(user);
    return Object.assign(face, { user });
  }

  it('before there was a bucket is given to the others when its process starts with one', async () => {
    a = await nodes.start('a', {}, undefined, dataDir);
    const made = await make(a);
    await a.stop();
    a = await nodes.start('a', withBucket(), undefined, dataDir);
    await expect.poll(() => objects('photos')).toEqual([`photos/photo-${made.id}`]);
    b = await nodes.start('b', withBucket());
    expect(await keptBy(b)).toEqual([]);
    const { idleVideoUrl } = await b.api<Record<'idleVideoUrl', string>>('GET', `/v1/avatars/${made.id}`);
    const video = await fetch(through(b, idleVideoUrl));
    expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(await keptBy(b)).toEqual([`photo-${made.id}`]);
    // The other one need not make the video again.
    expect(await objects('films')).toHaveLength(1);

    await a.api('DELETE', `/v1/avatars/${made.id}?hard=true`);
    expect([await objects('photos'), await objects('films'), await keptBy(a)]).toEqual([[], [], []]);
    expect((await fetch(through(b, idleVideoUrl))).status).toBe(404);
  });

  it('through one process is shown by the other, goes on there when the first is killed, and is there without it', async () => {
    const made = await make(a);
    const photo = await lumaOf(made.landscapeImageUrl);
    // They know only the process that stays.
    const [first, second] = [await come(b, made.id), await come(b, made.id)];
    expect([await liveOn(a), await liveOn(b)]).toEqual([1, 1]);
    for (const face of [first, second]) await expect.poll(() => face.likeness(photo)).toBeGreaterThan(ALIKE);
    expect(await keptBy(b)).toContain(`photo-${made.id}`);

    await a.kill();
    for (const face of [first, second]) face.forget();
    await expect.poll(() => liveOn(b)).toBe(2);
    for (const face of [first, second]) {
      await expect.poll(() => face.likeness(photo)).toBeGreaterThan(ALIKE);
      await face.user.ask('Are you still there?');
    }
    const third = await come(b, made.id);
    await expect.poll(() => third.likeness(photo)).toBeGreaterThan(ALIKE);
    const other = await come(b, (await b.api<{ data: Made[] }>('GET', '/v1/avatars')).data.at(-1)!.id);
    await expect.poll(() => other.likeness(photo)).toBeGreaterThan(-1);
    expect(other.likeness(photo)).toBeLessThan(ALIKE);
  });

  it('whose photo is damaged in the bucket starts no session, and says so', async () => {
    const made = await make(b);
    await rm(join(b.dataDir, 'photo-avatars', `photo-${made.id}`), { recursive: true });
    await new S3mini({ ...s3.credentials, endpoint: s3.url }).putObject(`photos/photo-${made.id}`, 'half a pho');
    await expect(come(b, made.id)).rejects.toThrow('Avatar is unavailable');
  });
});
