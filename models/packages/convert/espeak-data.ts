import { cpSync, existsSync, globSync } from 'node:fs';
import { ConversionError } from './conversion-error.ts';

/** Where Linux distributions put the pronunciation data of espeak-ng. */
const ESPEAK_DATA = ['/usr/lib/*/espeak-ng-data', '/usr/lib/espeak-ng-data', '/usr/share/espeak-ng-data'];

/** Copies the pronunciation data of this machine into a folder. @throws ConversionError when there are none. */
export function copyEspeakData(to: string): void {
  const data = ESPEAK_DATA.flatMap((pattern) => globSync(pattern)).find((path) => existsSync(`${path}/phontab`));
  if (data === undefined)
    throw new ConversionError('The pronunciation data of espeak-ng are not on this machine: install espeak-ng.');
  cpSync(data, to, { recursive: true });
}
