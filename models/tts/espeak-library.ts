import koffi from 'koffi';
import { espeakEvents, type EspeakEvent } from './espeak-events.ts';
import { scaleLoudness } from './loudness.ts';
import { ProviderError } from '../ports.ts';
import type { SpeechLibrary } from './synthesis-process.ts';

// speak_lib.h of espeak-ng 1.51.
const SYNCHRONOUS = 2;
const PHONEME_EVENTS = 1;
const PHONEMES_IN_IPA = 2;
const DO_NOT_EXIT = 0x8000;
const CHARACTERS_UTF8 = 1;
const POSITION_IN_CHARACTERS = 1;
const PARAMETER_RATE = 1;
const PARAMETER_VOLUME = 2;
const EVENT_BYTES = 40;
/** Audio per callback, ms. */
const CHUNK_MS = 60;
/** The default pace of espeak-ng, words a minute. Its limits are 80 and 450. */
const NORMAL_RATE = 175;

/**
 * espeak-ng through its C library. First audio after 0.1 ms; about 1 ms for every second of speech.
 * @throws when the shared library or its data are not installed.
 */
export function loadEspeak(): SpeechLibrary {
  const espeak = koffi.load('libespeak-ng.so.1');
  const sampleRate = espeak.func('int espeak_Initialize(int, int, str, int)')(
    SYNCHRONOUS,
    CHUNK_MS,
    null,
    PHONEME_EVENTS | PHONEMES_IN_IPA | DO_NOT_EXIT,
  ) as number;
  if (sampleRate <= 0) throw new Error('espeak-ng found no voice data (Debian: espeak-ng-data).');
  const setVoice = espeak.func('int espeak_SetVoiceByName(str)');
  const setParameter = espeak.func('int espeak_SetParameter(int, int, int)');
  const synth = espeak.func('int espeak_Synth(str, size_t, uint, int, uint, uint, void*, void*)');
  let onAudio: OnAudio | null = null;
  let failure: unknown = null;
  // The library calls this inside of espeak_Synth. An exception here would end the process, so it is kept for `speak`.
  const callback = registerCallback(
    (pcm, events) => onAudio?.(pcm, events),
    (error) => void (failure = error),
  );
  espeak.func('void espeak_SetSynthCallback(void*)')(callback);

  return {
    speak(job, deliver) {
      if (setVoice(job.voice) !== 0)
        throw new ProviderError('espeak-ng', 'bad-request', `There is no espeak-ng voice "${job.voice}".`);
      setParameter(PARAMETER_RATE, Math.round(NORMAL_RATE * job.speed), 0);
      setParameter(PARAMETER_VOLUME, 100, 0);
      // A NUL would end the text early. Nothing is said for it.
      const text = job.text.replaceAll('\0', ' ');
      const timings = espeakEvents(text, job.language);
      let sent = 0;
      failure = null;
      onAudio = (pcm, events) => {
        scaleLoudness(pcm, job.volume);
        sent += pcm.length;
        deliver({ pcm, sampleRate, ...timings.read(events) });
      };
      const bytes = Buffer.byteLength(text) + 1;
      const status = synth(text, bytes, 0, POSITION_IN_CHARACTERS, 0, CHARACTERS_UTF8, null, null) as number;
      onAudio = null;
      if (failure) throw failure;
      if (status !== 0) throw new ProviderError('espeak-ng', 'server', 'espeak-ng could not speak this text.');
      deliver({ pcm: new Int16Array(0), sampleRate, ...timings.finish((sent * 1000) / sampleRate) });
    },
  };
}

type OnAudio = (pcm: Int16Array, events: EspeakEvent[]) => void;

/** @param failed gets what `onAudio` throws: the library ends the text then. */
function registerCallback(onAudio: OnAudio, failed: (error: unknown) => void) {
  const read = eventReader();
  return koffi.register(
    (data: bigint | null, samples: number, events: bigint): number => {
      try {
        // `view` is the library's own memory, which is reused after this call. `slice` copies.
        const pcm = data && samples > 0 ? new Int16Array(koffi.view(data, samples * 2).slice(0)) : new Int16Array(0);
        onAudio(pcm, read(events));
        return 0;
      } catch (error) {
        failed(error);
        return 1;
      }
    },
    koffi.pointer(koffi.proto('int espeak_sound(void*, int, void*)')),
  );
}

/** @returns what reads the events of a callback, up to the one that ends the list. */
function eventReader(): (pointer: bigint) => EspeakEvent[] {
  const Event = koffi.struct({
    type: 'int',
    id: 'uint',
    position: 'int',
    length: 'int',
    audioMs: 'int',
    sample: 'int',
    user: 'void*',
    phoneme: koffi.array('uint8', 8, 'Typed'),
  });
  return (pointer) => {
    const events: EspeakEvent[] = [];
    for (let offset = 0; ; offset += EVENT_BYTES) {
      const { type, position, audioMs, phoneme } = koffi.decode(pointer, offset, Event) as EspeakEvent;
      if (type === 0) return events;
      events.push({ type, position, audioMs, phoneme: Buffer.from(phoneme) });
    }
  };
}
