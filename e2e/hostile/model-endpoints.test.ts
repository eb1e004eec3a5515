import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openHeadlessConversation, type HeadlessConversation } from '../../bench/lib/headless-conversation.ts';
import { forgetPeak, processTree } from '../../bench/lib/process-tree.ts';
import {
  BEHAVIORS,
  hostileEndpoint,
  type Behavior,
  type BehaviorName,
  type HostileEndpoint,
} from '../../models/testing/hostile-endpoint.ts';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from '../support/service.ts';

const MB = 1024 * 1024;
/** Far more than the service may read, far less than would hurt the machine if it did. */
const MAX_BYTES = 512 * MB;
/** What the service may take more than before, at its peak, while an endpoint sends hundreds of megabytes. */
const MAX_GROWTH_MB = 300;

/** Hours of speech. */
const LONG_REPLY_CHARACTERS = 4_000_000;
const SENTENCES = 'This is a sentence of a reply that never seems to end. '.repeat(20);
const PIECE = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: SENTENCES }, finish_reason: null }] })}\n\n`;

function* longReply(): Generator<string> {
  for (let sent = 0; sent < LONG_REPLY_CHARACTERS; sent += SENTENCES.length) yield PIECE;
  yield 'data: [DONE]\n\n';
}

/** Anybody with a key may name a model endpoint. What it sends costs nobody else a conversation. */
describe('a hostile model endpoint', () => {
  let service: RunningService;
  let bystander: HeadlessConversation;
  let endpoint: HostileEndpoint;
  let session: HeadlessConversation;

  beforeAll(async () => {
    service = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', ...WITHOUT_RECOGNIZER } });
    bystander = await openHeadlessConversation(service);
    await bystander.ask('Hello there!');
  });
  afterEach(async () => {
    session.close();
    // A session whose model fails ends by itself.
    await service.api('POST', `/v1/sessions/${session.sessionId}/stop`).catch(() => undefined);
    await endpoint.close();
  });
  afterAll(async () => {
    bystander?.close();
    await service?.stop();
  });

  async function ask(behavior: Behavior): Promise<void> {
    endpoint = await hostileEndpoint(behavior, MAX_BYTES);
    const llm = {
      displayName: 'Hostile',
      llmFormat: 'openai',
      urls: [{ url: endpoint.url }],
      modelName: 'm',
      secret: 'none',
    };
    const { id: llmId } = await service.api<{ id: string }>('POST', '/v1/llms', llm);
    session = await openHeadlessConversation(service, { llmId });
    forgetPeak(service.pid);
    session.say('Tell me a story.');
  }
  const peakMb = (): number => processTree(service.pid)[0]?.peakMb ?? Number.NaN;

  // All of them are tried in every run, without a service (models/hostile-endpoints.long.test.ts).
  for (const [name, tags] of [
    ['a line without end', []],
    ['an error without end', ['nightly']],
    ['a gzip bomb', ['nightly']],
    ['chat words without end', ['nightly']],
  ] as const satisfies [BehaviorName, string[]][])
    it(`that sends ${name} is left, and others talk on`, { tags: [...tags] }, async () => {
      const before = processTree(service.pid)[0]?.rssMb ?? 0;
      await ask(BEHAVIORS[name]);
      await expect.poll(() => endpoint.abandoned).toBeGreaterThan(0);
      await bystander.ask('Hello there!');
      expect(endpoint.sentBytes).toBeLessThan(MAX_BYTES);
      expect(peakMb() - before).toBeLessThan(MAX_GROWTH_MB);
    });

  // In every run it sends a line without end.
  it(
    'that replies with millions of characters is left, its words are spoken, and others talk on',
    { tags: ['nightly'] },
    async () => {
      await ask({ pieces: longReply });
      await expect.poll(() => session.heard()).toContain('This is a sentence');
      await expect.poll(() => endpoint.abandoned).toBeGreaterThan(0);
      await bystander.ask('Hello there!');
    },
  );
});
