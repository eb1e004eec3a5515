import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WAV_HEADER_BYTES = 44;

/** @returns a text spoken by flite, mono, at flite's own rate. */
export function spokenPcm(text: string, voice = 'awb'): { readonly samples: Int16Array; readonly rate: number } {
  const dir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  try {
    const file = join(dir, 'speech.wav');
    execFileSync('flite', ['-voice', voice, '-t', text, '-o', file]);
    const wav = readFileSync(file);
    const bytes = (wav.length - WAV_HEADER_BYTES) & ~1;
    return {
      rate: wav.readUInt32LE(24),
      samples: new Int16Array(
        wav.buffer.slice(wav.byteOffset + WAV_HEADER_BYTES, wav.byteOffset + WAV_HEADER_BYTES + bytes),
      ),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
