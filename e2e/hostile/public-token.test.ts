import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from '../support/service.ts';

const SHOP = 'https://shop.example.com';
/** Of the organization; more than one address of visitors gets. */
const MOST = 8;
const PER_ADDRESS = 5;

/**
 * Whoever forges an Origin gets a widget's token; one of them was enough to take every slot, again and again for an
 * hour.
 */
describe('somebody without a key', () => {
  let service: RunningService;
  let agentId: string;
  beforeAll(async () => {
    service = await startService({
      env: { PARLEY_MAX_SESSIONS_PER_ORGANIZATION: String(MOST), ...WITHOUT_RECOGNIZER },
    });
    const avatarId = (await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars')).data[0]?.id;
    agentId = (
      await service.api<{ id: string }>('POST', '/v1/personas', { avatarId, widgetConfig: { allowedOrigins: [SHOP] } })
    ).id;
  });
  afterAll(() => service?.stop());

  const post = async (
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, string> }> => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const tokenOf = async (): Promise<string> =>
    (await post('/v1/auth/widget', { agentId }, { origin: SHOP })).body['sessionToken'] ?? '';
  const start = (token: string) => post('/v1/engine/session', {}, { authorization: `Bearer ${token}` });
  const startWithKey = () =>
    post(
      '/v1/engine/session',
      { personaConfig: { personaId: agentId } },
      { authorization: `Bearer ${service.apiKey}` },
    );
  const active = async (): Promise<number> =>
    (await service.api<{ active: number }>('GET', '/v1/sessions/concurrency')).active;

  it('takes few slots with a forged Origin, however many tokens, and callers with a key have theirs, exactly', async () => {
    // After an earlier try.
    await expect.poll(active).toBe(0);
    const [one, ...others] = await Promise.all(Array.from({ length: 11 }, tokenOf));
    // All at the same moment: one token twelve times, ten others, and a caller with a key.
    const [again, fresh, owner] = await Promise.all([
      Promise.all(Array.from({ length: 12 }, () => start(one!))),
      Promise.all(others.map(start)),
      Promise.all(Array.from({ length: MOST }, startWithKey)),
    ]);
    const taken = (answers: readonly { status: number }[]): number =>
      answers.filter(({ status }) => status === 200).length;
    expect(taken(again)).toBeLessThanOrEqual(3);
    expect(taken(again) + taken(fresh)).toBeLessThanOrEqual(PER_ADDRESS);
    expect(taken(owner)).toBeGreaterThanOrEqual(MOST - PER_ADDRESS);
    expect(taken(again) + taken(fresh) + taken(owner)).toBe(MOST);
    const refused = [...again, ...fresh, ...owner].filter(({ status }) => status !== 200);
    for (const { status, body } of refused)
      expect({ status, error: body['error'] }).toEqual({ status: 429, error: 'Concurrent session limit reached' });
  });

  it('does not hold the slots: nobody connected', async () => {
    await expect.poll(active).toBe(0);
    expect((await startWithKey()).status).toBe(200);
  });
});
