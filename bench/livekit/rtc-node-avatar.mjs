/**
 * The avatar to compare with: LiveKit's own SDK for Node plays what the agent sends, with a picture in which a patch of 120×80
 * moves. It answers the two requests of the public plugin. Runs in the project of `e2e/livekit/package.json`.
 */
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import {
  AudioFrame,
  AudioSource,
  dispose,
  LocalAudioTrack,
  LocalVideoTrack,
  Room,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
} from '@livekit/rtc-node';

const [WIDTH, HEIGHT, FRAME_MS] = [640, 360, 40];
const SAMPLES = 480;
const RATE = 48_000;
const QUEUE_MS = Number(process.env.QUEUE_MS ?? 100);

const environments = new Map();
createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { environment } = body === '' ? {} : JSON.parse(body);
  const answer = (value) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  if (request.url === '/v1/auth/session-token') {
    const sessionToken = randomUUID();
    environments.set(sessionToken, environment);
    return answer({ sessionToken });
  }
  void enter(environments.get(request.headers.authorization.slice('Bearer '.length)));
  return answer({ sessionId: randomUUID() });
}).listen(Number(process.env.AVATAR_PORT), '127.0.0.1');

async function enter({ livekitUrl, livekitToken }) {
  const claims = JSON.parse(Buffer.from(livekitToken.split('.')[1], 'base64url').toString());
  const agent = claims.attributes['lk.publish_on_behalf'];
  const room = new Room();
  const state = { queue: [], ended: true, playing: false, played: 0, stream: 0 };
  const tell = (method, payload) =>
    room.localParticipant
      .performRpc({ destinationIdentity: agent, method, payload, responseTimeout: 5_000 })
      .catch(() => {});
  const finish = (interrupted) => {
    state.playing = false;
    tell(
      'lk.playback_finished',
      JSON.stringify({ playback_position: state.played / RATE, interrupted, synchronized_transcript: null }),
    );
  };
  room.registerByteStreamHandler('lk.audio_stream', async (reader) => {
    const stream = (state.stream += 1);
    const rate = Number(reader.info.attributes.sample_rate);
    state.ended = false;
    for await (const chunk of reader) if (stream === state.stream) state.queue.push(...upsampled(chunk, RATE / rate));
    if (stream === state.stream) state.ended = true;
  });
  await room.connect(livekitUrl, livekitToken, { autoSubscribe: false, dynacast: false });
  const audio = new AudioSource(RATE, 1, QUEUE_MS);
  const video = new VideoSource(WIDTH, HEIGHT);
  room.localParticipant.registerRpcMethod('lk.clear_buffer', async () => {
    state.queue = [];
    state.stream += 1;
    state.ended = true;
    audio.clearQueue();
    if (state.playing) finish(true);
    return 'ok';
  });
  const publish = (track, source) =>
    room.localParticipant.publishTrack(track, Object.assign(new TrackPublishOptions(), { source, simulcast: false }));
  await publish(LocalAudioTrack.createAudioTrack('avatar_audio', audio), TrackSource.SOURCE_MICROPHONE);
  await publish(LocalVideoTrack.createVideoTrack('avatar_video', video), TrackSource.SOURCE_CAMERA);
  const pictures = setInterval(paint(video), FRAME_MS);
  room.on('disconnected', () => clearInterval(pictures));
  while (room.isConnected) {
    const pcm = Int16Array.from(state.queue.splice(0, SAMPLES));
    if (pcm.length > 0 && !state.playing) {
      state.playing = true;
      state.played = 0;
      tell('lk.playback_started', '');
    }
    state.played += pcm.length;
    const whole = new Int16Array(SAMPLES);
    whole.set(pcm);
    await audio.captureFrame(new AudioFrame(whole, RATE, 1, SAMPLES));
    if (state.playing && state.ended && state.queue.length === 0) finish(false);
  }
}

function upsampled(bytes, factor) {
  const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return Array.from({ length: Math.floor(samples.length * factor) }, (_, i) => samples[Math.floor(i / factor)]);
}

function paint(source) {
  const luma = WIDTH * HEIGHT;
  const frame = new Uint8Array((luma * 3) / 2).fill(128);
  for (let at = 0; at < luma; at += 1) frame[at] = 96 + ((at ^ (at / WIDTH)) & 31);
  let count = 0;
  return () => {
    count += 1;
    for (let row = 0; row < 80; row += 1)
      frame.fill((count * 5 + row) & 255, (200 + row) * WIDTH + 260, (200 + row) * WIDTH + 380);
    source.captureFrame(new VideoFrame(frame, WIDTH, HEIGHT, VideoBufferType.I420));
  };
}

process.on('SIGTERM', () => void dispose().finally(() => process.exit(0)));
