import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { importViolations } from './import-violations.ts';

const FOLDERS = [
  'runtime',
  'models',
  'actors',
  'engine',
  'control',
  'meetings',
  'service',
  'clients',
  'web',
  'bench',
  'e2e',
  'deploy',
  'scripts',
];

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/**
 * A tree of these files, each of which imports what stands beside its name. @returns the rules that it breaks, by
 * importer
 */
async function brokenRules(files: Record<string, string[]>): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'parley-imports-'));
  roots.push(root);
  for (const folder of FOLDERS) mkdirSync(join(root, folder));
  for (const [path, imports] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${imports.map((name) => `import '${name}';`).join('\n')}\nexport {};\n`);
  }
  const violations = await importViolations(root);
  return violations.map(({ rule, path }) => `${path[0]}: ${rule}`).sort();
}

/** One forbidden import for each rule, with the file that it leads to. */
const FORBIDDEN: [rule: string, from: string, imported: string, to: string | null][] = [
  ['runtime-knows-nobody', 'runtime/in-thread.ts', '../models/onnx.ts', 'models/onnx.ts'],
  ['models-stand-alone', 'models/llm/open-llm.ts', '../../control/settings.ts', 'control/settings.ts'],
  ['actors-decide-and-do-nothing-else', 'actors/floor/floor.ts', '../../engine/clock.ts', 'engine/clock.ts'],
  [
    'actors-see-only-the-ports-of-models',
    'actors/floor/floor.ts',
    '../../models/vad/silero.ts',
    'models/vad/silero.ts',
  ],
  ['actors-touch-no-machine', 'actors/floor/floor.ts', 'node:fs', null],
  ['actors-touch-no-machine', 'actors/floor/floor.ts', 'node:timers/promises', null],
  ['kernel-knows-no-actor', 'actors/kernel/bus.ts', '../floor/floor.ts', 'actors/floor/floor.ts'],
  ['nobody-below-the-session', 'actors/floor/floor.ts', '../session/create.ts', 'actors/session/create.ts'],
  ['engine-does-not-know-the-control-plane', 'engine/tools/runner.ts', '../../control/app.ts', 'control/app.ts'],
  ['control-reaches-the-engine-through-its-face', 'control/app.ts', '../engine/face/face.ts', 'engine/face/face.ts'],
  ['meetings-know-ports-and-the-network', 'meetings/visit.ts', '../engine/face/face.ts', 'engine/face/face.ts'],
  ['meetings-take-only-types-of-ports', 'meetings/visit.ts', '../control/ports.ts', 'control/ports.ts'],
  ['pages-of-meetings-run-in-browsers', 'meetings/page/install.ts', 'node:fs', null],
  [
    'engine-does-not-know-the-control-plane',
    'engine/session/session.ts',
    '../../meetings/visit.ts',
    'meetings/visit.ts',
  ],
  ['web-knows-only-the-wire', 'web/src/app.ts', '../../actors/report.ts', 'actors/report.ts'],
  ['web-takes-only-types-of-schemas', 'web/src/app.ts', '../../control/a/a-schema.ts', 'control/a/a-schema.ts'],
  ['clients-know-only-the-wire', 'clients/js/src/peer.ts', '../../../control/a/a-schema.ts', 'control/a/a-schema.ts'],
  ['clients-know-only-the-wire', 'clients/react/src/persona.tsx', 'preact', null],
  ['clients-are-used-through-their-face', 'web/src/app.ts', '../../clients/js/src/peer.ts', 'clients/js/src/peer.ts'],
  ['production-imports-no-test-code', 'engine/face/face.ts', './testing/tiny.ts', 'engine/face/testing/tiny.ts'],
  ['production-imports-no-test-code', 'models/stt/open.ts', '../fakes/fake-stt.ts', 'models/fakes/fake-stt.ts'],
  ['nobody-imports-what-stands-outside', 'control/app.ts', '../scripts/keys.ts', 'scripts/keys.ts'],
  ['nobody-imports-what-stands-outside', 'control/app.ts', '../service/log.ts', 'service/log.ts'],
  ['service-stands-below-the-scripts', 'service/log.ts', '../scripts/keys.ts', 'scripts/keys.ts'],
  ['one-adapter-for-webrtc', 'engine/session/session.ts', 'node-datachannel', null],
  ['one-adapter-for-onnx', 'models/vad/silero.ts', 'onnxruntime-node', null],
  ['one-adapter-for-sherpa', 'models/stt/registry.ts', 'sherpa-onnx-node', null],
];

describe('The import rules', () => {
  it.each(FORBIDDEN)('report %s: %s imports %s', async (rule, from, imported, to) => {
    const broken = await brokenRules({ [from]: [imported], ...(to === null ? {} : { [to]: [] }) });
    expect(broken).toContain(`${from}: ${rule}`);
  });

  it('report a circle', async () => {
    const broken = await brokenRules({ 'engine/a.ts': ['./b.ts'], 'engine/b.ts': ['./a.ts'] });
    expect(broken).toContain('engine/a.ts: no-circles');
  });

  it('report a circle of types only', async () => {
    const root = mkdtempSync(join(tmpdir(), 'parley-imports-'));
    roots.push(root);
    for (const folder of FOLDERS) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'actors/a.ts'), "import type { B } from './b.ts';\nexport type A = B | 1;\n");
    writeFileSync(join(root, 'actors/b.ts'), "import type { A } from './a.ts';\nexport type B = A[];\n");
    const violations = await importViolations(root);
    expect(violations[0]).toMatchObject({ rule: 'no-circles', path: ['actors/a.ts', 'actors/b.ts', 'actors/a.ts'] });
  });

  it('let the arrows of ARCHITECTURE.md through', async () => {
    const broken = await brokenRules({
      'runtime/supervised-worker.ts': ['node:worker_threads'],
      'models/ports.ts': [],
      'models/vad/silero.ts': ['../ports.ts', '../../runtime/supervised-worker.ts', 'node:fs'],
      'actors/events.ts': [],
      'actors/kernel/bus.ts': ['../events.ts'],
      'actors/floor/floor.ts': ['../../models/ports.ts', '../kernel/bus.ts'],
      'actors/session/create-session.ts': ['../floor/floor.ts', '../kernel/bus.ts'],
      'actors/floor/floor.test.ts': ['./floor.ts', '../testing/simulated-session.ts', 'node:fs'],
      'actors/testing/simulated-session.ts': ['../session/create-session.ts'],
      'actors/index.ts': ['./session/create-session.ts'],
      'engine/index.ts': ['./session/session.ts'],
      'engine/session/session.ts': ['../../actors/floor/floor.ts', '../../models/vad/silero.ts', 'node:net'],
      'control/app.ts': ['../engine/index.ts'],
      'meetings/visit.ts': ['../runtime/supervised-worker.ts', '../engine/net/index.ts', './page/install.ts'],
      'engine/net/index.ts': ['./public-address.ts'],
      'engine/net/public-address.ts': [],
      'meetings/page/install.ts': ['../../engine/net/public-address.ts', '../../engine/face/disclosure-text.ts'],
      'engine/face/disclosure-text.ts': [],
      'clients/js/src/index.ts': ['./peer.ts'],
      'clients/js/src/peer.ts': [],
      'web/src/app.ts': ['../../clients/js/src/index.ts'],
      'engine/transport/native/peer.ts': ['node-datachannel'],
      'models/onnx.ts': ['onnxruntime-node'],
      'service/open-service.ts': ['../control/app.ts', '../engine/index.ts'],
      'scripts/parley.ts': ['../service/open-service.ts', '../control/app.ts'],
      'e2e/session.test.ts': ['../engine/session/session.ts', '../scripts/parley.ts'],
    });
    expect(broken).toEqual([]);
  });
});
