import type { Page } from 'playwright-core';

/** What a page of `openBrowserClient` reports. */
export interface BrowserStats {
  readonly framesDecoded: number;
  readonly freezes: number;
  readonly videoBytes: number;
  /** Sum of the quantizers of all decoded frames. The mean between two readings tells how coarse the frames were. */
  readonly quantizerSum: number;
  /** Packets that arrived as retransmissions, in a separate stream. */
  readonly retransmissions: number;
  readonly videoCodec: string | null;
  readonly audioEnergy: number;
  readonly connectionState: string;
  readonly channelState: string;
  /** Text of every data message, in the order of arrival. */
  readonly messages: readonly string[];
  /** When each of them arrived, ms since 1970. */
  readonly messagesAt: readonly number[];
  readonly streamsOfVideo: number;
  readonly sameStream: boolean;
  /**
   * How far the video is ahead of the sound according to the receiver, ms; null until both sender reports have arrived.
   */
  readonly lipSyncMs: number | null;
}

export interface BrowserClient {
  /** Offers and applies the answer. */
  negotiate(iceRestart: boolean): Promise<void>;
  stats(): Promise<BrowserStats>;
  send(text: string): Promise<void>;
  /** When frames were shown, ms since 1970. Only a page in the foreground shows frames. */
  framesShown(): Promise<number[]>;
  /**
   * How much detail the video on the page shows: mean difference of neighboring pixels in its middle, 0…255; NaN before
   * the first. A coarse frame has less.
   */
  detail(): Promise<number>;
  /** Resolves when one more frame has been decoded, with the time: ms since 1970. */
  nextFrame(): Promise<number>;
  /** Sends `prefix 0`, `prefix 1`, ... until the page closes. */
  sendEvery(ms: number, prefix: string): Promise<void>;
  /** When each of those messages was sent, ms since 1970. */
  sentAt(): Promise<number[]>;
  close(): Promise<void>;
}

/** Flags under which Chromium talks to a server on the loopback interface. */
export const LOOPBACK_FLAGS = ['--allow-loopback-in-peer-connection'];

/**
 * Makes a page a client: one peer connection that offers like the public clients do (channel, frame, sound), with a
 * beep as its microphone. The page has `offer()`, `apply(answer)`, `send(text)` and `stats()` on `window.client`.
 */
export async function openBrowserClient(
  page: Page,
  answer: (offer: string) => string | Promise<string>,
): Promise<BrowserClient> {
  await page.goto('about:blank');
  await page.evaluate(PAGE_SCRIPT);
  return {
    async negotiate(iceRestart) {
      const offer = await page.evaluate<string>(`client.offer(${iceRestart})`);
      await page.evaluate(`client.apply(${JSON.stringify(await answer(offer))})`);
    },
    stats: () => page.evaluate<BrowserStats>('client.stats()'),
    send: (text) => page.evaluate(`client.send(${JSON.stringify(text)})`),
    framesShown: () => page.evaluate<number[]>('client.framesShown()'),
    detail: () => page.evaluate<number>('client.detail()'),
    nextFrame: () => page.evaluate<number>('client.nextFrame()'),
    sendEvery: (ms, prefix) => page.evaluate(`client.sendEvery(${ms}, ${JSON.stringify(prefix)})`),
    sentAt: () => page.evaluate<number[]>('client.sentAt()'),
    close: () => page.evaluate('client.close()'),
  };
}

const PAGE_SCRIPT = `
(async () => {
  const video = document.createElement('video');
  video.autoplay = true;
  document.body.append(video);
  const canvas = document.createElement('canvas');
  const now = () => performance.timeOrigin + performance.now();
  const messages = [];
  const messagesAt = [];
  const sentAt = [];
  const shown = [];
  const frame = () => {
    shown.push(now());
    video.requestVideoFrameCallback(frame);
  };
  video.requestVideoFrameCallback(frame);
  const streams = {};
  const audioContext = new AudioContext();
  const beep = audioContext.createOscillator();
  const microphone = audioContext.createMediaStreamDestination();
  beep.connect(microphone);
  beep.start();
  const peer = new RTCPeerConnection({ iceServers: [] });
  const channel = peer.createDataChannel('session', { ordered: true });
  channel.onmessage = (event) => {
    messages.push(event.data);
    messagesAt.push(now());
  };
  peer.addTransceiver('video', { direction: 'recvonly' });
  const audio = peer.addTransceiver('audio', { direction: 'sendrecv' });
  await audio.sender.replaceTrack(microphone.stream.getAudioTracks()[0]);
  peer.ontrack = (event) => {
    streams[event.track.kind] = event.streams[0];
    if (event.track.kind === 'video') video.srcObject = event.streams[0];
  };
  window.client = {
    async offer(iceRestart) {
      await audioContext.resume();
      const offer = await peer.createOffer({ iceRestart });
      await peer.setLocalDescription(offer);
      return offer.sdp;
    },
    apply: (sdp) => peer.setRemoteDescription({ type: 'answer', sdp }),
    send: (text) => channel.send(text),
    sendEvery(ms, prefix) {
      setInterval(() => channel.readyState === 'open' && channel.send(prefix + ' ' + (sentAt.push(now()) - 1)), ms);
    },
    sentAt: () => sentAt,
    framesShown: () => shown,
    detail() {
      if (video.videoWidth === 0) return NaN;
      const [width, height] = [video.videoWidth / 2, video.videoHeight / 2];
      canvas.width = width;
      canvas.height = height;
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(video, width / 2, height / 2, width, height, 0, 0, width, height);
      const { data } = context.getImageData(0, 0, width, height);
      let sum = 0;
      for (let i = 5; i < data.length; i += 4) sum += Math.abs(data[i] - data[i - 4]);
      return sum / (width * height);
    },
    async nextFrame() {
      const decoded = async () => [...(await peer.getStats()).values()].find((entry) => entry.type === 'inbound-rtp' && entry.kind === 'video')?.framesDecoded ?? 0;
      const before = await decoded();
      while ((await decoded()) <= before) await new Promise((resolve) => setTimeout(resolve, 10));
      return now();
    },
    close: () => peer.close(),
    async stats() {
      const report = await peer.getStats();
      const of = (type, kind) => [...report.values()].find((entry) => entry.type === type && entry.kind === kind) ?? {};
      const frame = of('inbound-rtp', 'video');
      const heard = of('inbound-rtp', 'audio');
      const lip = frame.estimatedPlayoutTimestamp && heard.estimatedPlayoutTimestamp;
      return {
        framesDecoded: frame.framesDecoded ?? 0,
        freezes: frame.freezeCount ?? 0,
        videoBytes: frame.bytesReceived ?? 0,
        quantizerSum: frame.qpSum ?? 0,
        retransmissions: frame.retransmittedPacketsReceived ?? 0,
        videoCodec: report.get(frame.codecId)?.mimeType ?? null,
        audioEnergy: heard.totalAudioEnergy ?? 0,
        connectionState: peer.connectionState,
        channelState: channel.readyState,
        messages: [...messages],
        messagesAt: [...messagesAt],
        streamsOfVideo: video.srcObject?.getTracks().length ?? 0,
        sameStream: streams.video !== undefined && streams.video === streams.audio,
        lipSyncMs: lip ? frame.estimatedPlayoutTimestamp - heard.estimatedPlayoutTimestamp : null,
      };
    },
  };
})()
`;
