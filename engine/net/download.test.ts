import { afterAll, afterEach, expect, it } from 'vitest';
import {
  BEHAVIORS,
  hostileEndpoint,
  type Behavior,
  type HostileEndpoint,
} from '../../models/testing/hostile-endpoint.ts';
import { download, DownloadError } from './download.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { privateHosts } from './private-hosts.ts';

const { fetch, close } = createGuardedFetch(privateHosts(['127.0.0.1']));
const open: HostileEndpoint[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
afterAll(close);

async function serving(behavior: Behavior): Promise<string> {
  const endpoint = await hostileEndpoint(behavior);
  open.push(endpoint);
  return endpoint.url;
}

const LIMITS = { maxBytes: 100_000, timeoutMs: 60_000 };

async function refusal(url: string, limits = LIMITS): Promise<string> {
  const error: unknown = await download(fetch, url, limits).then(
    () => 'it was read',
    (reason: unknown) => reason,
  );
  return error instanceof DownloadError ? error.message : String(error);
}

it('reads a file and its type', async () => {
  const url = await serving({ headers: { 'content-type': 'image/png' }, pieces: () => ['abc', 'def'] });
  const { bytes, contentType } = await download(fetch, url, LIMITS);
  expect([Buffer.from(bytes).toString(), contentType]).toEqual(['abcdef', 'image/png']);
});

it('refuses what has no end, unpacks to gigabytes, or drips, with a sentence', async () => {
  expect(await refusal(await serving(BEHAVIORS['JSON without end']))).toBe('its server sent more than 98 KiB');
  expect(await refusal(await serving(BEHAVIORS['a gzip bomb']))).toBe('its server sent more than 98 KiB');
  expect(await refusal(await serving(BEHAVIORS['JSON that drips']), { ...LIMITS, timeoutMs: 500 })).toBe(
    'its server did not finish its answer within 1 seconds',
  );
  expect(await refusal(await serving({ status: 404, pieces: () => [] }))).toBe('its server answered with status 404');
});

it('says why nothing came, without names and addresses of the network', async () => {
  const gone = await hostileEndpoint(BEHAVIORS.silence);
  await gone.close();
  expect(await refusal(gone.url)).toBe('the connection was refused');
  expect(await refusal('http://127.0.0.2/')).toBe(
    'its host is not on the public internet, and PARLEY_ALLOWED_PRIVATE_HOSTS does not list it',
  );
  const circle: Behavior = { status: 302, headers: { location: '/again' }, pieces: () => [] };
  expect(await refusal(await serving(circle))).toBe('it redirects too often');
});
