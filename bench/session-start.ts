/**
 * How long a caller waits for the face of a service that is warm: from the client's creation to the first frame that the
 * browser shows, and the steps between. A real service and Chromium with the unmodified public client; one session after
 * the other in the same page, the first of which is not counted.
 *
 *   node bench/session-start.ts [--sessions 20] [--client public|parley]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { serveSdkPage, type ClientName } from '../e2e/support/sdk-page.ts';
import { startService } from '../e2e/support/service.ts';
import { launchBrowser } from '../engine/testing/browser.ts';
import { quantile } from './lib/statistics.ts';
import { stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: { sessions: { type: 'string', default: '20' }, client: { type: 'string', default: 'public' } },
});

/** Moments of a start, ms since the client was made. */
interface Start {
  readonly started: number;
  readonly offered: number;
  readonly answered: number;
  readonly connected: number;
  readonly received: number;
  readonly shown: number;
}

const STEPS = [
  ['session started', 'started'],
  ['offer sent', 'offered'],
  ['answer applied', 'answered'],
  ['DTLS connected', 'connected'],
  ['first frame received', 'received'],
  ['first frame shown', 'shown'],
] as const satisfies readonly (readonly [string, keyof Start])[];
const REST_MS = 700;

/** Runs in the page: wraps what the client uses, so that each step leaves a mark. */
const MARKS = `
  window.marks = {};
  const mark = (name) => (window.marks[name] ??= performance.now());
  const fetchOf = window.fetch;
  window.fetch = async (input, ...rest) => {
    const response = await fetchOf(input, ...rest);
    if (String(input.url ?? input).includes('/engine/session')) mark('started');
    return response;
  };
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (typeof data === 'string' && data.includes('"offer"')) mark('offered');
    return send.call(this, data);
  };
  const setRemote = RTCPeerConnection.prototype.setRemoteDescription;
  RTCPeerConnection.prototype.setRemoteDescription = async function (...args) {
    this.addEventListener('connectionstatechange', () => this.connectionState === 'connected' && mark('connected'));
    await setRemote.apply(this, args);
    mark('answered');
  };
  window.start = async (token, baseUrl) => {
    const old = document.getElementById('video');
    const video = old.cloneNode();
    old.replaceWith(video);
    window.marks = {};
    const began = performance.now();
    const shown = new Promise((resolve) => video.requestVideoFrameCallback((now, frame) => resolve(frame)));
    const { createClient } = window.anam ?? window.Parley;
    window.client = createClient(token, { api: { baseUrl } });
    await window.client.streamToVideoElement('video');
    const { receiveTime, presentationTime } = await shown;
    const all = { ...window.marks, received: receiveTime ?? NaN, shown: presentationTime };
    return Object.fromEntries(Object.entries(all).map(([name, at]) => [name, at - began]));
  };
`;

declare global {
  var start: (token: string, baseUrl: string) => Promise<Start>;
}

const host = watchStealTime();
const service = await startService();
const sdk = await serveSdkPage('127.0.0.1', args.client as ClientName);
const browser = await launchBrowser();
const { data } = await service.api<{ data: { readonly id: string }[] }>('GET', '/v1/avatars');
await browser.page.goto(sdk.url);
await browser.page.evaluate(MARKS);
const starts: Start[] = [];
for (let session = 0; session <= Number(args.sessions); session++) {
  const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
    personaConfig: { avatarId: data[0]!.id },
  });
  const start = await browser.page.evaluate(
    ([token, url]) => globalThis.start(token!, url!),
    [sessionToken, service.url],
  );
  if (session > 0) starts.push(start);
  await browser.page.evaluate(() => globalThis.client['stopStreaming']!());
  await browser.page.waitForTimeout(REST_MS);
}
printTable(
  ['ms since the client was made', 'p50', 'p95', 'of it this step, p50'],
  STEPS.map(([name, step], index) => {
    const before = STEPS[index - 1]?.[1];
    const at = starts.map((start) => start[step]);
    const took = starts.map((start) => start[step] - (before === undefined ? 0 : start[before]));
    return [name, quantile(at, 0.5), quantile(at, 0.95), quantile(took, 0.5)];
  }),
);
console.log(`${starts.length} sessions. Load average ${loadavg()[0]!.toFixed(1)}. ${stealTimeLine(host.stop())}`);
await browser.close();
await sdk.close();
await service.stop();
process.exit(0);
