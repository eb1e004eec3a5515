/**
 * An agent with the unmodified public plugin, and a user who sees and hears its avatar, in one room of a LiveKit server. Runs
 * in the project of `package.json` beside it. With `SENSES=none` nobody sees or hears the avatar, and
 * nothing of it is decoded. Commands come by lines of the standard input, events go out as lines of JSON:
 *   say MS          the agent says a tone, and waits until it was heard
 *   cut MS AFTER    it is interrupted so many ms after the user has begun to hear it
 *   count           how many frames the user has seen since the last count
 *   quit
 */
import { createInterface } from 'node:readline';
import { ReadableStream } from 'node:stream/web';
import { initializeLogger, voice } from '@livekit/agents';
import { AvatarSession } from '@livekit/agents-plugin-anam';
import { AudioFrame, AudioStream, Room, RoomEvent, TrackKind, VideoStream } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';

const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, ROOM, AVATAR_URL, AVATAR_KEY, AVATAR_ID } = process.env;
const isWatched = process.env.SENSES !== 'none';
/** Of the agent's voice, Hz; the plugin sends what the TTS has. */
const RATE = 24_000;
/** Louder than this is speech. */
const LOUD = 2_000;
/** So many quiet frames of 10 ms are the end: on a busy machine speech has gaps. */
const QUIET_FRAMES = 30;

const now = () => performance.timeOrigin + performance.now();
const tell = (event, more = {}) => console.log(JSON.stringify({ event, at: now(), ...more }));

async function enter(identity, grants, kind) {
  const token = new AccessToken(LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { identity });
  if (kind !== undefined) token.kind = kind;
  token.addGrant({ roomJoin: true, room: ROOM, ...grants });
  const room = new Room();
  await room.connect(LIVEKIT_URL, await token.toJwt(), { autoSubscribe: isWatched, dynacast: false });
  return room;
}

const seen = { frames: 0, width: 0, height: 0, since: 0 };

async function watch(track) {
  seen.frames = 0;
  for await (const { frame } of new VideoStream(track)) {
    if (seen.frames === 0) seen.since = now();
    seen.frames += 1;
    seen.width = frame.width;
    seen.height = frame.height;
    if (seen.frames === 1) tell('seen');
  }
}

/** Called when the user begins to hear the avatar. */
let heard = () => {};

async function listen(track) {
  let quiet = Number.POSITIVE_INFINITY;
  for await (const { data } of new AudioStream(track, 48_000, 1)) {
    const loud = data.some((sample) => Math.abs(sample) > LOUD);
    if (loud && quiet > QUIET_FRAMES) {
      tell('loud');
      heard();
    }
    if (loud) quiet = 0;
    else if ((quiet += 1) === QUIET_FRAMES + 1) tell('quiet', { at: now() - (QUIET_FRAMES + 1) * 10 });
  }
}

const user = await enter('user', {});
user.on(RoomEvent.TrackSubscribed, (track, publication, participant) => {
  const { attributes } = participant;
  tell('subscribed', { name: publication.name, from: participant.identity, mime: publication.mimeType, attributes });
  // Not a voice that the agent has of its own.
  if (attributes['lk.publish_on_behalf'] === undefined) return;
  void (track.kind === TrackKind.KIND_VIDEO ? watch(track) : listen(track));
});
user.on(RoomEvent.ParticipantDisconnected, ({ identity }) => tell('left', { identity }));

initializeLogger({ pretty: false, level: 'error' });
const room = await enter('agent-1', { agent: true, canUpdateOwnMetadata: true }, 'agent');
room.on(RoomEvent.Reconnected, () => tell('agent back'));
const session = new voice.AgentSession({});
session.on('conversation_item_added', ({ item }) =>
  tell('item', { text: item.textContent, interrupted: item.interrupted }),
);
const avatar = new AvatarSession({
  apiUrl: AVATAR_URL,
  apiKey: AVATAR_KEY,
  personaConfig: { name: 'Ada', avatarId: AVATAR_ID },
  ...(process.env.VIDEO_WIDTH && {
    sessionOptions: { videoWidth: Number(process.env.VIDEO_WIDTH), videoHeight: Number(process.env.VIDEO_HEIGHT) },
  }),
});
try {
  await avatar.start(session, room, {
    livekitUrl: LIVEKIT_URL,
    livekitApiKey: LIVEKIT_API_KEY,
    livekitApiSecret: LIVEKIT_API_SECRET,
  });
} catch (error) {
  tell('refused', { message: `${error.message} ${JSON.stringify(error.body ?? null)}` });
  process.exit(1);
}
tell('started');
// Without a voice of its own in the room: in these versions, it would take the avatar's place.
const outputOptions = { audioEnabled: false };
await session.start({ agent: new voice.Agent({ instructions: 'None.' }), room, record: false, outputOptions });
const output = session.output.audio;
output.on('playbackFinished', ({ playbackPosition, interrupted }) =>
  tell('finished', { playbackPosition, interrupted }),
);
const capture = output.captureFrame.bind(output);
let captured = 0;
output.captureFrame = async (frame) => {
  if ((captured += 1) === 1) tell('captured');
  return capture(frame);
};
tell('ready');

function tone(ms) {
  const samples = RATE / 50;
  const frames = ms / 20;
  return new ReadableStream({
    start(controller) {
      for (let k = 0; k < frames; k += 1) {
        const pcm = Int16Array.from(
          { length: samples },
          (_, i) => 8_000 * Math.sin((2 * Math.PI * 440 * (k * samples + i)) / RATE),
        );
        controller.enqueue(new AudioFrame(pcm, RATE, 1, samples));
      }
      controller.close();
    },
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...numbers] = line.split(' ');
  const [ms, after] = numbers.map(Number);
  captured = 0;
  if (command === 'say') {
    await session.say('A tone.', { audio: tone(ms) }).waitForPlayout();
    tell('said');
  } else if (command === 'cut') {
    const isHeard = new Promise((resolve) => (heard = resolve));
    const speech = session.say('A long tone.', { audio: tone(ms) });
    await isHeard;
    await new Promise((resolve) => setTimeout(resolve, after));
    tell('cut');
    speech.interrupt();
    await speech.waitForPlayout();
    tell('said');
  } else if (command === 'count') {
    tell('count', { ...seen, perSecond: (seen.frames - 1) / ((now() - seen.since) / 1_000) });
    Object.assign(seen, { frames: 1, since: now() });
  } else if (command === 'quit') break;
}
await session.close();
await room.disconnect();
tell('agent gone');
// The user stays and sees the avatar leave, until it is told to go.
setTimeout(() => process.exit(0), Number(process.env.STAY_MS ?? 0));
