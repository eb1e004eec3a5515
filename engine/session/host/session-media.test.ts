import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { testConfig } from '../../../actors/testing/session-config.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import { createAudioOut } from '../../audio-out/index.ts';
import {
  type AudioIn,
  type AudioOut,
  type AudioOutEvent,
  type Face,
  type Transport,
  VoiceUnavailableError,
} from '../../ports.ts';
import type { Recording } from '../../recording/index.ts';
import type { FloodControl } from './flood-control.ts';
import { openMedia } from './session-media.ts';

/** Something to open of which only the closing matters. */
function closable<Opener>() {
  const close = vi.fn();
  return { close, opener: { open: () => ({ close }) } as unknown as Opener };
}

// The operator had removed the TTS service of a cloned voice. Each start of its persona left a connection, a decoder and
// a recording behind.
it('a session whose voice cannot be had leaves nothing open', async () => {
  const [transport, audioIn, face, recording] = [
    closable<Transport>(),
    closable<AudioIn>(),
    closable<Face>(),
    closable<Recording>(),
  ];
  const log = pino({ level: 'silent' });
  const audioOut = createAudioOut({ synthesizers: {}, timers: systemTimers, log });
  const config = testConfig();
  const open = () =>
    openMedia({
      config,
      transport: transport.opener,
      audioIn: audioIn.opener,
      audioOut,
      face: face.opener,
      recording: recording.opener,
      recorded() {},
      warn() {},
      startedAt: 0,
      dispatch() {},
      flood: {} as FloodControl,
      log,
    });
  expect(open).toThrow(VoiceUnavailableError);
  for (const { close } of [transport, audioIn, recording]) expect(close).toHaveBeenCalledTimes(1);
  expect(face.close).not.toHaveBeenCalled();
  await audioOut.close();
});

it('tells what stands for the client’s connection that the persona was silenced', () => {
  const audio = { audioIn: closable<AudioIn>(), face: closable<Face>(), connection: closable<Transport>() };
  const reported: string[] = [];
  let report: (event: AudioOutEvent) => void = () => {};
  openMedia({
    config: testConfig(),
    transport: audio.connection.opener,
    audioIn: audio.audioIn.opener,
    audioOut: {
      open({ handlers }: Parameters<AudioOut['open']>[0]) {
        report = (event) => handlers.report(event);
        return {};
      },
    } as unknown as AudioOut,
    face: audio.face.opener,
    recording: null,
    recorded() {},
    warn() {},
    startedAt: 0,
    dispatch() {},
    flood: {} as FloodControl,
    realtime: { transport: audio.connection.opener, reported: ({ type }) => void reported.push(type) },
    log: pino({ level: 'silent' }),
  });
  report({ type: 'speech.cut', segmentId: null, playedMs: 0 });
  expect(reported).toEqual(['speech.cut']);
});
