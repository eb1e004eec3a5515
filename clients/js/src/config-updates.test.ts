import { expect, it } from 'vitest';
import { ConfigUpdates } from './config-updates.ts';
import type { PersonaConfigUpdate } from './client-messages.ts';
import { ClientError } from './errors.ts';

function scene() {
  const sent: PersonaConfigUpdate[] = [];
  return { sent, updates: new ConfigUpdates((update) => sent.push(update)) };
}

const APPLIED = { changedFields: { languageCode: { before: 'en', after: 'de' } } };

it('resolves with what has changed', async () => {
  const { updates, sent } = scene();
  const applied = updates.request({ languageCode: 'de' });
  expect(sent).toEqual([{ languageCode: 'de' }]);
  updates.applied(APPLIED);
  expect(await applied).toEqual(APPLIED);
});

it('rejects with the reason of the service, and of no other warning', async () => {
  const { updates } = scene();
  const refused = updates.request({ languageCode: 'tlh' });
  updates.warned('Session will end in 30 seconds.');
  updates.warned('Persona config update rejected: languageCode is unknown');
  await expect(refused).rejects.toMatchObject({ code: 'update_rejected', message: 'languageCode is unknown' });
});

it('sends one at a time, because an acknowledgement names no request', async () => {
  const { updates, sent } = scene();
  const first = updates.request({ languageCode: 'tlh' });
  const second = updates.request({ languageCode: 'de' });
  expect(sent).toHaveLength(1);
  updates.warned('Persona config update rejected: no');
  await expect(first).rejects.toMatchObject({ message: 'no' });
  expect(sent).toHaveLength(2);
  updates.applied(APPLIED);
  expect(await second).toEqual(APPLIED);
});

it('resolves an empty change, to which the service does not answer', async () => {
  const { updates, sent } = scene();
  expect(await updates.request({})).toEqual({ changedFields: {} });
  expect(sent).toEqual([]);
});

/** A change that could not be sent stayed the first one: those after it waited for its acknowledgement for ever. */
it('goes on after a change that is too long to be sent', async () => {
  const tooLong = new ClientError('configuration', 'too long');
  const sent: (string | undefined)[] = [];
  const updates = new ConfigUpdates(({ languageCode }) => {
    if (languageCode === 'long') throw tooLong;
    sent.push(languageCode);
  });
  const [, ...others] = ['de', 'long', 'fr'].map((languageCode) => updates.request({ languageCode }));
  updates.applied(APPLIED);
  await expect(others[0]).rejects.toBe(tooLong);
  expect(sent).toEqual(['de', 'fr']);
  updates.applied(APPLIED);
  expect(await others[1]).toEqual(APPLIED);
});

it('leaves nobody waiting when the session ends', async () => {
  const { updates } = scene();
  const waiting = [updates.request({ languageCode: 'de' }), updates.request({ languageCode: 'fr' })];
  updates.closed();
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'not_streaming' });
});
