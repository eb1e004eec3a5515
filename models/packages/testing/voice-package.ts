import { sha256 } from '../../testing/archives.ts';
import { installPackage } from '../install.ts';
import type { ModelPackage } from '../model-package.ts';

export interface Changes {
  readonly file?: string;
  readonly sha256?: string;
  readonly bytes?: number;
  readonly engine?: ModelPackage['engine'];
}

/** A package with one voice, as it stands behind a server. */
export function voicePackage(serverUrl: string, archive: Buffer, changes: Changes = {}): ModelPackage {
  return {
    id: 'test-voice',
    kind: 'voice',
    title: 'Test voice',
    languages: ['en'],
    license: 'CC0-1.0',
    home: 'https://example.com',
    sources: [
      {
        type: 'publisher',
        url: `${serverUrl}/${changes.file ?? 'voice.tar.bz2'}`,
        sha256: changes.sha256 ?? sha256(archive),
        bytes: changes.bytes ?? archive.length,
        archive: { root: 'voice', keep: ['model.onnx', 'tokens.txt', 'lexicon.txt'], mostBytes: 1e6 },
      },
    ],
    engine: changes.engine ?? { type: 'vits', model: 'model.onnx', tokens: 'tokens.txt', lexicon: 'lexicon.txt' },
    voices: [{ id: 'tester', displayName: 'Tester', gender: 'neutral', country: 'US', speaker: 0 }],
  };
}

export function install(
  modelsDir: string,
  serverUrl: string,
  archive: Buffer,
  changes: Changes,
): { readonly known: ModelPackage; readonly done: Promise<'present' | 'fetched'> } {
  const known = voicePackage(serverUrl, archive, changes);
  return { known, done: installPackage(modelsDir, known, { pauseMs: 0 }) };
}
