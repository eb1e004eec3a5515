import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SessionRequest, StatefulPersona } from './persona-config.ts';
import { requestOfSession, requestsOf } from './version-share.ts';

const request = (persona: Partial<StatefulPersona>): SessionRequest => ({
  personaConfig: { type: 'stateful', persona: { personaId: 'p', ...persona } },
  sessionOptions: {},
  clientLabel: null,
  clientMetadata: null,
});
const shared = request({
  versions: [
    { version: 3, share: 80 },
    { version: 5, share: 20 },
  ],
});
const versionOf = ({ personaConfig }: SessionRequest) =>
  personaConfig.type === 'stateful' ? personaConfig.persona.version : null;

it('gives a session the version that its id falls to, always the same', () => {
  const ids = Array.from({ length: 2_000 }, () => randomUUID());
  const versions = ids.map((id) => versionOf(requestOfSession(shared, id)));
  expect(ids.map((id) => versionOf(requestOfSession(shared, id)))).toEqual(versions);
  const part = versions.filter((version) => version === 5).length / ids.length;
  // A share of 0.2 of 2000 is outside of this once in a billion times.
  expect(part).toBeGreaterThan(0.145);
  expect(part).toBeLessThan(0.255);
  expect(new Set(versions)).toEqual(new Set([3, 5]));
});

it('gives one version all, and leaves requests without a share alone', () => {
  const one = request({ versions: [{ version: 4, share: 100 }] });
  expect(new Set(Array.from({ length: 50 }, () => versionOf(requestOfSession(one, randomUUID()))))).toEqual(
    new Set([4]),
  );
  const plain = request({});
  expect(requestOfSession(plain, randomUUID())).toBe(plain);
  expect(requestsOf(shared).map(versionOf)).toEqual([3, 5]);
  expect(requestsOf(shared)[0]!.personaConfig.persona).not.toHaveProperty('versions');
});
