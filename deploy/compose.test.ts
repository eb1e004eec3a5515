import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../control/settings/settings.ts';

interface Compose {
  readonly services: {
    readonly parley: {
      readonly build: { readonly context: string; readonly dockerfile: string };
      readonly environment: Readonly<Record<string, string | null>>;
      readonly ports: readonly string[];
      readonly volumes: readonly string[];
    };
  };
  readonly volumes: Readonly<Record<string, unknown>>;
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const { services, volumes } = parse(read('compose.yaml')) as Compose;
const { parley } = services;
const containerfile = read('image/Containerfile');

/**
 * What Compose makes of `${NAME:-default}` when nothing is set. An empty default is not tried: podman-compose 1.0 leaves
 * it as it is written.
 */
const defaulted = (value: string | null): string | undefined =>
  value?.replaceAll(/\$\{\w+:-([^}]+)\}/g, '$1') ?? undefined;

it('the compose file sets only what Parley knows, to values that it takes', () => {
  const environment = Object.entries(parley.environment).map(([name, value]) => [name, defaulted(value)]);
  const settings = readSettings(Object.fromEntries(environment));
  expect(settings).toMatchObject({ PARLEY_PUBLIC_IP: '127.0.0.1', PARLEY_PUBLIC_URL: 'http://localhost:8080' });
  expect(environment).toContainEqual(['PARLEY_LLM_BASE_URL', undefined]);
});

it('the compose file opens the ports of the image, and keeps its data', () => {
  const exposed = /^EXPOSE (.+)$/m.exec(containerfile)![1]!.split(' ');
  expect(parley.ports.map((port) => (port.includes('/') ? port : `${port}/tcp`).replace(/^\d+:/, ''))).toEqual(exposed);
  const [volume, folder] = parley.volumes[0]!.split(':');
  expect(Object.keys(volumes)).toEqual([volume]);
  expect(containerfile).toContain(`\nVOLUME ${folder}\n`);
});

it('the compose file builds the image from files that are there', () => {
  const root = fileURLToPath(new URL(`${parley.build.context}/`, import.meta.url));
  expect(existsSync(root + parley.build.dockerfile)).toBe(true);
  const copied = [...containerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '));
  for (const name of copied) expect(existsSync(root + name), name).toBe(true);
});
