import { expect, it } from 'vitest';
import { checkedRecording, recordingType } from './recording-file.ts';

it.each([
  ['me.wav', 'audio/x-wav', 'audio/x-wav'],
  ['me.webm', 'video/webm', 'audio/webm'],
  ['ME.M4A', '', 'audio/mp4'],
  ['me.pdf', 'application/pdf', null],
  ['wav', '', 'audio/wav'],
])('knows the type of a recording: %s (%s)', (name, type, wanted) => {
  expect(recordingType({ name, type })).toBe(wanted);
});

it('says beside the field why a file is no recording', () => {
  const file = new File(['abc'], 'me.wav');
  expect(checkedRecording(file, 3)).toEqual({ file, contentType: 'audio/wav' });
  const about = (message: string) => expect.objectContaining({ problems: [{ path: 'recording', message }] });
  expect(() => checkedRecording(null, 3)).toThrow(about('Choose a recording first.'));
  expect(() => checkedRecording(new File([], 'me.pdf'), 3)).toThrow(about('me.pdf is not a sound file.'));
  expect(() => checkedRecording(file, 2)).toThrow(about('me.wav is larger than 0.0 MB: choose a shorter recording.'));
});
