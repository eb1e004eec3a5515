import { useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../../api/problem.ts';
import { wavFile } from './wav-file.ts';

/** A recording of the microphone, from the first click to a file. */
export type Recording =
  | { readonly state: 'none' }
  /** The browser asks whether the page may hear. */
  | { readonly state: 'asking' }
  | { readonly state: 'recording'; readonly seconds: number }
  | { readonly state: 'saving' }
  | { readonly state: 'ready'; readonly file: File; readonly seconds: number }
  | { readonly state: 'failed'; readonly message: string };

/** No service wants more. */
const MAX_SECONDS = 180;
const SAMPLE_RATE = 48_000;
/** What is lost here is lost in the copy, so little is. */
const BITS_PER_SECOND = 256_000;
/** The copy is to have the voice as it is. */
const AS_IT_IS = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

export interface Recorder {
  readonly recording: Recording;
  readonly start: () => void;
  readonly stop: () => void;
}

/** @param onFile is given the file; null: there is none any more. */
export function useRecorder(onFile: (file: File | null) => void): Recorder {
  const [recording, setRecording] = useState<Recording>({ state: 'none' });
  const recorder = useRef<MediaRecorder | null>(null);
  const isLeft = useRef(false);

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      stop();
    };
  }, []);

  function stop(): void {
    if (recorder.current?.state === 'recording') recorder.current.stop();
  }

  async function record(): Promise<void> {
    onFile(null);
    setRecording({ state: 'asking' });
    const stream = await openMicrophone();
    if (isLeft.current) return close(stream);
    const sound = await recordUntilStopped(stream, (made) => {
      recorder.current = made;
      setRecording({ state: 'recording', seconds: 0 });
    }).finally(() => close(stream));
    if (isLeft.current) return;
    setRecording({ state: 'saving' });
    const { file, seconds } = await fileOf(sound);
    if (isLeft.current) return;
    setRecording({ state: 'ready', file, seconds });
    onFile(file);
  }

  const isRecording = recording.state === 'recording';
  useEffect(() => {
    if (!isRecording) return;
    let seconds = 0;
    const timer = setInterval(() => {
      seconds += 1;
      if (seconds === MAX_SECONDS) stop();
      else setRecording((now) => (now.state === 'recording' ? { ...now, seconds } : now));
    }, 1_000);
    return () => clearInterval(timer);
  }, [isRecording]);

  return {
    recording,
    start: () =>
      void record().catch((error: unknown) => {
        if (!isLeft.current) setRecording({ state: 'failed', message: sentenceOf(error) });
      }),
    stop,
  };
}

/** @throws Error that says what the user can do. */
async function openMicrophone(): Promise<MediaStream> {
  if (!isSecureContext) throw new Error('Browsers give the microphone only to pages with https, or on localhost.');
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: AS_IT_IS });
  } catch (cause) {
    throw new Error(refusalOf(cause), { cause });
  }
}

function refusalOf(error: unknown): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return 'The browser did not allow the microphone. It can be allowed in the address bar.';
    case 'NotFoundError':
      return 'No microphone was found. A file can be used instead.';
    default:
      return 'The microphone could not be opened. Another program may use it.';
  }
}

function recordUntilStopped(stream: MediaStream, onStart: (recorder: MediaRecorder) => void): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS_PER_SECOND });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.addEventListener('error', () => reject(new Error('This browser cannot record the microphone.')));
    recorder.addEventListener('stop', () => resolve(new Blob(parts)));
    recorder.start();
    onStart(recorder);
  });
}

/** What browsers record differs from one to the next; every service takes a WAV file. */
async function fileOf(sound: Blob): Promise<{ file: File; seconds: number }> {
  const decoded = await new OfflineAudioContext(1, 1, SAMPLE_RATE).decodeAudioData(await sound.arrayBuffer());
  const wav = wavFile(decoded.getChannelData(0), SAMPLE_RATE);
  return { file: new File([wav], 'recording.wav', { type: 'audio/wav' }), seconds: decoded.duration };
}

function close(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
