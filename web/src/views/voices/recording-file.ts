import { InputError } from '../../api/problem.ts';
import { sizeText } from './voice-wording.ts';

/** The field of the recording: what is wrong with it stands there. */
export const RECORDING_FIELD = 'recording';

/** What the service stores as the type of a recording. Some browsers know no type, or name the one of a video. */
const BY_ENDING: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
};

/** @returns null when it is no sound file, as far as its type and its name tell. */
export function recordingType({ name, type }: Pick<File, 'name' | 'type'>): string | null {
  if (type.startsWith('audio/')) return type;
  return BY_ENDING[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? null;
}

/** @param largest in bytes. @throws InputError for a file that no voice can be copied from. */
export function checkedRecording(
  file: File | null,
  largest: number,
): { readonly file: File; readonly contentType: string } {
  const refuse = (message: string): never => {
    throw new InputError({ path: RECORDING_FIELD, message });
  };
  if (file === null) return refuse('Choose a recording first.');
  const contentType = recordingType(file);
  if (contentType === null) return refuse(`${file.name} is not a sound file.`);
  if (file.size > largest)
    return refuse(`${file.name} is larger than ${sizeText(largest)}: choose a shorter recording.`);
  return { file, contentType };
}
