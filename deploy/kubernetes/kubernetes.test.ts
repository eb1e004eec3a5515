import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readSettings } from '../../control/settings/settings.ts';
import { buildAdapterRules } from './adapter-rules.ts';
import { buildManifests, ENVIRONMENT } from './build-manifests.ts';

const FOLDER = new URL('.', import.meta.url).pathname;
/** What the guide tells operators to put into the secret. */
const SECRETS = {
  DATABASE_URL: 'postgres://parley:secret@postgres/parley',
  REDIS_URL: 'redis://:secret@redis:6379',
  PARLEY_BLOBS_URL: 'https://files.example.com/talks',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  PARLEY_MASTER_KEY: 'a'.repeat(64),
  PARLEY_API_KEY: 'b'.repeat(64),
};

it.each([
  ['parley.yaml', buildManifests],
  ['prometheus-adapter.yaml', buildAdapterRules],
])('%s is the one that is built: run npm run docs', async (name, build) => {
  expect(await readFile(FOLDER + name, 'utf8')).toBe(build());
});

describe('the pods', () => {
  it('have settings with which the service starts', () => {
    const own = {
      PARLEY_ENGINE_ID: 'parley-0',
      PARLEY_NODE_URL: 'http://10.0.0.7:8080',
      PARLEY_PUBLIC_IP: '203.0.113.7',
    };
    expect(readSettings({ ...ENVIRONMENT, ...SECRETS, ...own })).toMatchObject(own);
  });

  it('listen where services, probes and clients look for them', () => {
    const manifests = parseAllDocuments(buildManifests()).map((document) => document.toJS());
    const { spec } = manifests.find(({ kind }) => kind === 'StatefulSet').spec.template;
    expect(spec.enableServiceLinks).toBe(false);
    const [pod] = spec.containers;
    const { PORT, PARLEY_UDP_PORT } = readSettings(ENVIRONMENT);
    expect(pod.ports).toEqual([
      { name: 'http', containerPort: PORT },
      { name: 'media-udp', protocol: 'UDP', containerPort: PARLEY_UDP_PORT, hostPort: PARLEY_UDP_PORT },
      { name: 'media-tcp', protocol: 'TCP', containerPort: PARLEY_UDP_PORT, hostPort: PARLEY_UDP_PORT },
    ]);
    const targets = manifests.filter(({ kind }) => kind === 'Service').map(({ spec }) => spec.ports[0].targetPort);
    expect(targets).toEqual(['http', 'http', 'http']);
  });
});

it('a manifest that Kubernetes would refuse is refused', async () => {
  const { Service } = await import('kubernetes-models/v1/Service');
  const wrong = new Service({ spec: { ports: [{ port: '8080' as unknown as number }] } });
  expect(() => wrong.validate()).toThrow('port');
});
