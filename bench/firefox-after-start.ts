/**
 * Somebody who has just found Parley and uses Firefox: clones it, runs `bash scripts/start.sh` without a setting, opens the
 * address that it prints, and talks. Needs Debian's firefox-esr and a registry of npm packages.
 *
 *   node bench/firefox-after-start.ts [FOLDER]     default: a new clone of this repository, which is deleted afterwards
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launchFirefox } from '../e2e/support/firefox.ts';
import { call, type CallPlace, type FirefoxCall, PAUSE, SAID } from '../e2e/support/firefox-call.ts';
import { serveSdkPage } from '../e2e/support/sdk-page.ts';
import { wavFile } from '../models/stt/wav.ts';
import { freePort } from '../runtime/testing/free-port.ts';
import { callApi, type ServiceAddress } from './lib/call-api.ts';

/** Packages are installed and bundles built within this, on a slow machine. */
const STARTS_WITHIN_MS = 10 * 60_000;
const ANSWERS_WITHIN_MS = 15_000;
const PLACES: readonly CallPlace[] = [
  'the console',
  'a share page',
  'a web site with the widget',
  'a page with the client',
];
/** As the first start prints it, once. */
const PRINTED = /API key \(shown only now\): (\S+)/;

const scratch = await mkdtemp(join(tmpdir(), 'parley-clean-'));
const folder = process.argv[2] ?? join(scratch, 'parley');
if (process.argv[2] === undefined) execFileSync('git', ['clone', '--quiet', '.', folder], { stdio: 'inherit' });
const port = await freePort();
// Other programs of this machine may have the usual ports. Nothing else is set.
const service = spawn('bash', ['scripts/start.sh'], {
  cwd: folder,
  env: {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    PORT: String(port),
    PARLEY_UDP_PORT: String(await freePort()),
    PARLEY_DATA_DIR: join(scratch, 'data'),
  },
  stdio: ['ignore', 'pipe', 'pipe'],
});
let output = '';
for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
const began = performance.now();
try {
  const address = await started();
  console.log(`started after ${seconds(began)} s`);
  await talkEverywhere(address);
} catch (error) {
  console.error(output.split('\n').slice(-30).join('\n'));
  throw error;
} finally {
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  await rm(scratch, { recursive: true, force: true });
}

async function started(): Promise<ServiceAddress> {
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    const apiKey = PRINTED.exec(output)?.[1];
    if (ready && apiKey !== undefined) return { url, apiKey };
    if (service.exitCode !== null) throw new Error(`The start ended with ${service.exitCode}.`);
    if (performance.now() - began > STARTS_WITHIN_MS) throw new Error('The service was not ready in time.');
    await pause(500);
  }
}

/** @returns how many of a person's sentences the offline recognizer of a new service understood, and the persona answered. */
async function sayAll(conversation: FirefoxCall, service: ServiceAddress): Promise<{ said: number; answered: number }> {
  const path = `/v1/sessions/${conversation.sessionId}/transcript`;
  const answers = async (): Promise<number> =>
    (await callApi<{ messages: { role: string }[] }>(service, 'GET', path)).messages.filter(
      ({ role }) => role === 'persona',
    ).length;
  let answered = 0;
  for (const { pcm } of SAID) {
    const before = await answers();
    await conversation.firefox.speak(wavFile([PAUSE, pcm, PAUSE], 16_000));
    const deadline = performance.now() + ANSWERS_WITHIN_MS;
    while ((await answers()) === before && performance.now() < deadline) await pause(200);
    if ((await answers()) > before) answered += 1;
  }
  return { said: SAID.length, answered };
}

async function talkEverywhere(address: ServiceAddress): Promise<void> {
  const firefox = await launchFirefox();
  const client = await serveSdkPage('127.0.0.1', 'parley');
  const api = <T>(method: string, path: string, body?: unknown): Promise<T> => callApi<T>(address, method, path, body);
  let failed = 0;
  for (const place of PLACES) {
    try {
      const conversation = await call(place, firefox, { ...address, api }, client);
      const { connectedAfterMs, codec } = await conversation.media();
      const told = await sayAll(conversation, address);
      const { framesDecoded, audioEnergy } = await conversation.media();
      const { silences } = await conversation.end();
      console.log(place, JSON.stringify({ connectedAfterMs, codec, framesDecoded, audioEnergy, ...told, silences }));
      if (told.answered === 0 || audioEnergy === 0 || silences > 0) failed += 1;
    } catch (error) {
      failed += 1;
      console.log(place, String(error));
    }
  }
  await firefox.close();
  await client.close();
  process.exitCode = failed === 0 ? 0 : 1;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}
