/** The process that is measured: the transport alone, which sends as much as a session does. */
import pino from 'pino';
import { engineNow } from '../../runtime/clock.ts';
import type { MediaConnection } from '../../engine/ports.ts';
import { createTransport } from '../../engine/transport/index.ts';
import { TIME_BYTES, type FromFrontProcess, type ToFrontProcess } from './messages.ts';

const TICK_MS = 20;
/** Bytes of 20 ms of Opus, and of a frame of a talking face at 500 kbit/s, with a keyframe every four seconds. */
const AUDIO_BYTES = 110;
const FRAME_BYTES = 2_300;
const KEYFRAME_BYTES = 25_000;
const FRAMES_PER_KEYFRAME = 100;
/** Of VP8: the lowest bit of the first byte is zero in a keyframe. */
const DELTA_FRAME = 1;

const send = (message: FromFrontProcess): void => void process.send?.(message);
const transport = await createTransport({
  publicAddress: '127.0.0.1',
  udpPort: 0,
  videoCodecs: ['vp8'],
  log: pino({ level: process.env['PARLEY_LOG_LEVEL'] ?? 'error' }),
});
const sessions = new Map<number, { readonly connection: MediaConnection; keyframeIn: number }>();
let measured = { cpu: process.cpuUsage(), at: engineNow(), frames: 0 };

function timed(bytes: number, first: number): Buffer {
  const data = Buffer.alloc(bytes, first);
  data.writeDoubleBE(engineNow(), bytes - TIME_BYTES);
  return data;
}

let ticks = 0;
const startedAt = engineNow();
setInterval(() => {
  for (; startedAt + ticks * TICK_MS <= engineNow(); ticks++) {
    const withFrame = ticks % 2 === 0;
    if (withFrame) measured.frames += 1;
    for (const session of sessions.values()) {
      const { connection } = session;
      connection.sendAudio({ data: timed(AUDIO_BYTES, 0xf8), at: engineNow() });
      if (!withFrame) continue;
      const keyframe = session.keyframeIn === 0;
      session.keyframeIn = keyframe ? FRAMES_PER_KEYFRAME : session.keyframeIn - 1;
      const data = timed(keyframe ? KEYFRAME_BYTES : FRAME_BYTES, keyframe ? 0 : DELTA_FRAME);
      connection.sendVideo({ data, keyframe, at: engineNow() });
    }
  }
}, TICK_MS / 4);

function answer(number: number, sdp: string): string {
  const nothing = (): void => {};
  const connection = transport.open(`session ${number}`, {
    audioPacket: nothing,
    message: nothing,
    connected: nothing,
    unresponsive: nothing,
    responsive: nothing,
    quiet: nothing,
    flowing: nothing,
    path: nothing,
    closed: nothing,
    channelOpened: nothing,
    keyframeRequested: () => void (session.keyframeIn = 0),
    bitrateEstimated: nothing,
    audioLost: nothing,
  });
  const session = { connection, keyframeIn: 0 };
  sessions.set(number, session);
  return connection.acceptOffer(sdp).answer;
}

process.on('message', (message: ToFrontProcess) => {
  switch (message.type) {
    case 'offer':
      return send({ type: 'answer', session: message.session, sdp: answer(message.session, message.sdp) });
    case 'measure':
      measured = { cpu: process.cpuUsage(), at: engineNow(), frames: 0 };
      return;
    case 'report': {
      const { user, system } = process.cpuUsage(measured.cpu);
      const seconds = (engineNow() - measured.at) / 1_000;
      const { udp, tcp } = transport.paths();
      return send({
        type: 'report',
        cpuMs: (user + system) / 1_000,
        seconds,
        frames: measured.frames,
        paths: { udp, tcp },
      });
    }
    case 'hang up':
      for (const { connection } of sessions.values()) connection.close();
      sessions.clear();
  }
});
process.on('disconnect', () => process.exit(0));
send({ type: 'ready', udpPort: transport.udpPort, tcpPort: transport.tcpPort! });
