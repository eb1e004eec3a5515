import { expect, it } from 'vitest';
import { audioExtensionOf, isRecording, namedRightly } from './audio-formats.ts';

it.each([
  ['RIFF\x24\x00\x00\x00WAVEfmt ', 'wav'],
  ['ID3\x04\x00\x00\x00\x00\x00\x00', 'mp3'],
  ['\xff\xfb\x90\x64\x00\x00', 'mp3'],
  ['OggS\x00\x02', 'ogg'],
  ['fLaC\x00\x00', 'flac'],
  ['\x00\x00\x00\x20ftypM4A ', 'm4a'],
  ['\x1aE\xdf\xa3\x9fB', 'webm'],
  // AAC in ADTS, an image, a page, too little.
  ['\xff\xf1\x50\x80\x00', null],
  ['RIFF\x24\x00\x00\x00WEBPVP8 ', null],
  ['<!doctype html>', null],
  ['\xff', null],
  ['', null],
])('knows a sound by its first bytes: %j', (text, ending) => {
  expect(audioExtensionOf(Buffer.from(text, 'latin1'))).toBe(ending);
});

it.each([
  ['\x00\x00\x00\x08wide\x00\x00\x00\x00', true],
  ['\x00\x00\x3a\x2bmoov\x00\x00\x00\x6c', true],
  ['.snd\x00\x00\x00\x18', true],
  ['FORM\x00\x00\x00\x00AIFC', true],
  ['\xff\xf1\x50\x80\x00', true],
  ['MThd\x00\x00\x00\x06', false],
  ['\xff\xd8\xff\xe0\x00\x10JFIF', false],
])('knows a recording by its first bytes: %j', (text, is) => {
  expect(isRecording(Buffer.from(text, 'latin1'))).toBe(is);
});

/** A service that went by the name refused the recording of a phone that somebody had called "me.mp3". */
it.each([
  ['me.mp3', 'audio/mpeg', '\0\0\0\u0020ftypM4A ', 'me.m4a', 'audio/mp4'],
  ['memo', 'application/octet-stream', 'OggS\0\u0002', 'memo.ogg', 'audio/ogg'],
  ['v1.2', 'audio/wav', 'ID3\u0004', 'v1.mp3', 'audio/mpeg'],
  ['clip.mov', 'video/quicktime', '\0\0\0\u0014ftypqt  ', 'clip.mov', 'video/quicktime'],
  ['a.opus', 'audio/opus', 'OggS\0\u0002', 'a.opus', 'audio/opus'],
  ['a.aiff', 'audio/aiff', 'FORM\0\0\0\0AIFF', 'a.aiff', 'audio/aiff'],
])('a recording is named by what it is: %s', (filename, contentType, begin, name, type) => {
  const named = namedRightly(Buffer.from(begin, 'latin1'), filename, contentType);
  expect(named).toEqual({ filename: name, contentType: type });
});
