import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { browserClient } from './browser-client-build.ts';

/** `public`: the unmodified public client. `parley`: `@parley/client`. */
export type ClientName = 'public' | 'parley';

/** The script for pages, as npm or the service delivers it. */
const BUNDLES: Readonly<Record<ClientName, () => Promise<string>>> = {
  public: () =>
    readFile(join(dirname(createRequire(import.meta.url).resolve('@anam-ai/js-sdk')), '../umd/anam.js'), 'utf8'),
  parley: browserClient,
};

/**
 * What the page does around the client: it collects events, the times of shown frames and of sent signals. Its
 * microphone is a Web Audio stream into which a test plays recordings at any time. From `record` on it keeps what is
 * heard, 16 kHz. The client itself is unchanged.
 */
const script = `
  const heard = (window.heard = []);
  const audio = new AudioContext();
  const microphone = audio.createMediaStreamDestination();
  navigator.mediaDevices.getUserMedia = async () => microphone.stream;
  window.say = async (base64) => {
    await audio.resume();
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const source = audio.createBufferSource();
    source.buffer = await audio.decodeAudioData(bytes.buffer);
    source.connect(microphone);
    source.start();
    const seconds = source.buffer.duration;
    return new Promise((resolve) => (source.onended = () => resolve(seconds)));
  };
  const peers = (window.peers = []);
  const Original = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Original { constructor(...args) { super(...args); peers.push(this); } };
  const { createClient, events } = window.anam
    ? { createClient: anam.createClient, events: Object.values(anam.AnamEvent) }
    : { createClient: Parley.createClient, events: Object.values(Parley.ClientEvent) };
  window.connect = async (token, baseUrl, options = {}) => {
    const client = (window.client = createClient(token, { api: { baseUrl }, ...options }));
    for (const event of events) {
      client.addListener(event, (...args) => heard.push({ event, at: performance.now(), args: JSON.parse(JSON.stringify(args.map((a) => (a instanceof MediaStream ? 'stream' : a)) )) }));
    }
    await client.streamToVideoElement('video');
    watchFrames(document.getElementById('video'));
    return client.getActiveSessionId();
  };
  const now = () => performance.timeOrigin + performance.now();
  const shownFrames = (window.shownFrames = []);
  const watchFrames = (video) => {
    const seen = () => {
      shownFrames.push(now());
      video.requestVideoFrameCallback(seen);
    };
    video.requestVideoFrameCallback(seen);
  };
  const signals = (window.signals = []);
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (typeof data === 'string') signals.push({ at: now(), actionType: JSON.parse(data).actionType });
    return send.call(this, data);
  };
  const sockets = (window.sockets = []);
  window.WebSocket = class extends WebSocket { constructor(...args) { super(...args); sockets.push(this); } };
  const pieces = [];
  window.record = async () => {
    const receiver = peers.at(-1).getReceivers().find(({ track }) => track.kind === 'audio');
    const context = new AudioContext({ sampleRate: 16000 });
    await context.resume();
    const tap = context.createScriptProcessor(4096, 1, 1);
    tap.onaudioprocess = ({ inputBuffer }) => pieces.push(inputBuffer.getChannelData(0).slice());
    context.createMediaStreamSource(new MediaStream([receiver.track])).connect(tap).connect(context.destination);
  };
  window.recorded = (lastSeconds) => {
    const kept = pieces.slice(-Math.min(pieces.length, Math.ceil(lastSeconds * 16000 / 4096)) || 0);
    const samples = Int16Array.from(kept.flatMap((piece) => Array.from(piece, (sample) => Math.round(sample * 32767))));
    return new Uint8Array(samples.buffer).toBase64();
  };
  window.mediaPath = async () => {
    const report = await peers.at(-1).getStats();
    const transport = [...report.values()].find(({ type }) => type === 'transport');
    const pair = report.get(transport?.selectedCandidatePairId);
    const local = report.get(pair?.localCandidateId);
    const remote = report.get(pair?.remoteCandidateId);
    return local && remote && {
      protocol: local.protocol,
      relayed: local.candidateType === 'relay',
      relayProtocol: local.relayProtocol ?? null,
      port: remote.port,
      roundTripMs: 1000 * (pair.currentRoundTripTime ?? NaN),
    };
  };
  window.stats = async () => {
    const out = {};
    for (const peer of peers) {
      const report = await peer.getStats();
      report.forEach((s) => { if (s.type === 'inbound-rtp') out[s.kind] = { ...s, codec: report.get(s.codecId)?.mimeType }; });
    }
    return out;
  };
`;

export interface SdkPage {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves, from an origin of its own, a page that holds a client's browser bundle and a video element.
 * @param host an address of this machine that the browser reaches.
 */
export async function serveSdkPage(host = '127.0.0.1', client: ClientName = 'public'): Promise<SdkPage> {
  const bundle = await BUNDLES[client]();
  const server = createServer((request, response) => {
    if (request.url === '/client.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(bundle);
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><meta charset="utf-8"><video id="video" autoplay playsinline width="720" height="480"></video><script src="/client.js"></script><script>${script}</script>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
