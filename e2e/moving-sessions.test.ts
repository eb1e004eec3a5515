import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms } from '../control/testing/postgres.ts';
import { hasRedis } from '../control/testing/private-redis.ts';
import { openHeadlessConversation, type HeadlessConversation } from '../bench/lib/headless-conversation.ts';
import { isReady } from './support/is-ready.ts';
import { openNodes, type RunningNodes } from './support/nodes.ts';
import { personaTranscript } from './support/persona-transcript.ts';
import { WITHOUT_RECOGNIZER, type RunningService } from './support/service.ts';

const STORY =
  'Once upon a time there was a very small boat on a very wide river. It went past towns and under bridges. Children waved at it. Nobody knew who steered it.';

/** Clients know only the first process, which has no engine. */
describe.skipIf(!hasRedis() || postgresPrograms() === null)('A conversation goes on', () => {
  let nodes: RunningNodes;
  let front: RunningService;
  const engines = new Map<string, RunningService>();
  const users: HeadlessConversation[] = [];

  beforeAll(async () => {
    nodes = await openNodes();
    for (const id of ['one', 'two'])
      engines.set(id, await nodes.start(id, { PARLEY_ROLE: 'engine', ...WITHOUT_RECOGNIZER }));
    // It is ready when there is an engine.
    front = await nodes.start('front', { PARLEY_ROLE: 'control' });
  });
  afterAll(async () => {
    for (const user of users) user.close();
    await Promise.all([...engines.values(), front].map((service) => service?.stop()));
    await nodes?.stop();
  });

  const come = async (): Promise<HeadlessConversation> => {
    const user = await openHeadlessConversation(front);
    users.push(user);
    return user;
  };
  /** The engine that has the only session. */
  const engineInUse = async (): Promise<string | undefined> => {
    for (const [id, { url }] of engines) {
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      if (((await answer?.json()) as { activeSessions: number } | undefined)?.activeSessions === 1) return id;
    }
    return undefined;
  };
  const tell = ({ sessionId }: HeadlessConversation): Promise<unknown> =>
    front.api('POST', `/talk?session_id=${sessionId}`, { content: STORY });
  const transcript = ({ sessionId }: HeadlessConversation): Promise<string> => personaTranscript(front, sessionId);

  it('on another engine when its own is killed in the middle of a sentence, without a word lost', async () => {
    const user = await come();
    await user.ask('Hello.');
    const killed = (await engineInUse())!;
    const rest = [...engines.keys()].find((id) => id !== killed)!;
    await tell(user);
    await expect.poll(() => user.heard()).toContain('small');
    await engines.get(killed)!.crash();
    await expect.poll(engineInUse).toBe(rest);
    await expect.poll(() => user.heard()).toContain('steered');
    await user.ask('Are you still there?');
    await expect.poll(() => transcript(user)).toContain('Nobody knew who steered it.');
    expect((await transcript(user)).split('very small boat')).toHaveLength(2);
    // Its guard starts it again under its name, and it does not end what goes on elsewhere.
    await expect.poll(() => isReady(engines.get(killed)!)).toBe(true);
    expect(engines.get(killed)!.output()).toContain('the node died and is started again');
    const { end_reason } = await front.api<{ end_reason: string | null }>('GET', `/v1/sessions/${user.sessionId}`);
    expect(end_reason).toBeNull();
    await user.ask('And now?');
    await front.api('POST', `/v1/sessions/${user.sessionId}/stop`);
    await expect.poll(engineInUse).toBeUndefined();
  });

  // Between services, in every run: takeover.test.ts.
  it('on another engine when its own is to stop', { tags: ['nightly'] }, async () => {
    const user = await come();
    await user.ask('Hello.');
    const before = (await engineInUse())!;
    const leaving = engines.get(before)!;
    await tell(user);
    await expect.poll(() => user.heard()).toContain('small');
    await leaving.stop();
    engines.delete(before);
    await expect.poll(engineInUse).toBeDefined();
    await expect.poll(() => user.heard()).toContain('steered');
    await user.ask('Are you still there?');
    await expect.poll(() => transcript(user)).toContain('Nobody knew who steered it.');
    expect((await transcript(user)).split('very small boat')).toHaveLength(2);
  });
});
