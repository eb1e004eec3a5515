/**
 * Makes the packages of the clients, as npm and pip install them from a running service, in `clients/dist`.
 *
 *   node scripts/pack-clients.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWheel } from './clients/make-wheel.ts';

const INTO = 'clients/dist';

rmSync(INTO, { recursive: true, force: true });
mkdirSync(INTO, { recursive: true });
// The components have the types of the client.
for (const name of ['js', 'react']) {
  const folder = join('clients', name);
  execFileSync('vite', ['build', folder, '--logLevel', 'error'], { stdio: 'inherit' });
  execFileSync('tsc', ['-p', join(folder, 'tsconfig.types.json')], { stdio: 'inherit' });
  const pack = ['pack', `./${folder}`, '--ignore-scripts', '--silent', '--pack-destination', INTO];
  const file = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
  renameSync(join(INTO, file), join(INTO, `parley-${name === 'js' ? 'client' : name}.tgz`));
}
const wheel = await makeWheel('clients/python');
writeFileSync(join(INTO, wheel.file), wheel.content);
