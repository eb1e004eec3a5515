import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobs } from '../../store/blobs.ts';
import { findRecording, recordingKey, removeRecording, type RecordingPlaces } from './recording-files.ts';

/**
 * Rows had the absolute path of the file. A copy of a data folder (a restored backup, a staging machine) then deleted the
 * recordings of the original when they were due, kept its own, and played those of the original.
 */
describe('recordings of a copied data folder', () => {
  let base: string;
  let original: RecordingPlaces;
  let copy: RecordingPlaces;
  const at = ({ dataDir }: RecordingPlaces, sessionId: string): string => join(dataDir, recordingKey(sessionId));
  function folderNamed(name: string): RecordingPlaces {
    const dataDir = join(base, name);
    mkdirSync(join(dataDir, 'recordings'), { recursive: true });
    const places = { dataDir, blobs: openBlobs(join(dataDir, 'blobs')) };
    writeFileSync(at(places, 'one'), name);
    return places;
  }
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'parley-recordings-'));
    [original, copy] = [folderNamed('original'), folderNamed('copy')];
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it.each(['a key', 'the path of an older release'])('are found and deleted there by %s', async (kind) => {
    const place = kind === 'a key' ? recordingKey('one') : at(original, 'one');
    expect(await findRecording(copy, place)).toMatchObject({ at: 'disk', path: at(copy, 'one') });
    await removeRecording(copy, place);
    expect([existsSync(at(original, 'one')), existsSync(at(copy, 'one'))]).toEqual([true, false]);
    expect(await findRecording(copy, place)).toBeNull();
    await removeRecording(copy, place);
  });

  it.each(['/etc/passwd', '/', '..', '/srv/..', ''])('never lead out of it: %j', async (place) => {
    expect(await findRecording(copy, place)).toBeNull();
    await removeRecording(copy, place);
    expect(existsSync(at(copy, 'one'))).toBe(true);
  });

  it('are found in the bucket once they are there', async () => {
    const path = await copy.blobs.incoming();
    writeFileSync(path, 'sent');
    await copy.blobs.adopt(recordingKey('two'), path);
    expect(await findRecording(copy, recordingKey('two'))).not.toBeNull();
    await removeRecording(copy, recordingKey('two'));
    expect(await findRecording(copy, recordingKey('two'))).toBeNull();
  });
});
