import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeadlessConversation, type HeadlessConversation } from '../../bench/lib/headless-conversation.ts';
import { forgetPeak, processTree } from '../../bench/lib/process-tree.ts';
import { HOSTILE_DOCUMENTS } from '../../control/api/knowledge/testing/hostile-documents.ts';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from '../support/service.ts';

/**
 * What the service may take more than before, at its peak: it holds an upload of 50 MB, and what the garbage collector
 * has not taken away yet.
 */
const MAX_GROWTH_MB = 300;
/** What the process that reads a document may have in memory: its limit, and the program itself. */
const MAX_READING_MB = 768 + 100;
const LOOK_EVERY_MS = 100;

interface StoredDocument {
  readonly id: string;
  readonly status: 'PROCESSING' | 'READY' | 'FAILED';
  readonly errorMessage: string | null;
}

/**
 * Anybody with a key, or with the upload token of a page, may send documents. These ended the service within seconds,
 * and again after each start, since the document was taken up again.
 */
describe('a hostile document', () => {
  let service: RunningService;
  let bystander: HeadlessConversation;
  let groupId: string;

  beforeAll(async () => {
    service = await startService({ env: WITHOUT_RECOGNIZER });
    bystander = await openHeadlessConversation(service);
    await bystander.ask('Hello there!');
    groupId = (await service.api<{ id: string }>('POST', '/v1/knowledge/groups', { name: 'Documents' })).id;
  });
  afterAll(async () => {
    bystander?.close();
    await service?.stop();
  });

  async function upload(filename: string, content: string | Buffer): Promise<string> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(Buffer.from(content))]), filename);
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const answer = await fetch(`${service.url}/v1/knowledge/groups/${groupId}/documents`, {
      method: 'POST',
      headers,
      body: form,
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as StoredDocument).id;
  }
  const stateOf = (id: string) => service.api<StoredDocument>('GET', `/v1/knowledge/documents/${id}`);
  /** @returns how the reading ended, and the most memory that its process ever had. */
  async function untilRead(id: string): Promise<StoredDocument & { readingMb: number }> {
    for (let readingMb = 0; ; await pause(LOOK_EVERY_MS)) {
      const reading = processTree(service.pid).find(({ name }) => name === 'reading-process.ts');
      readingMb = Math.max(readingMb, reading?.peakMb ?? 0);
      const state = await stateOf(id);
      if (state.status !== 'PROCESSING') return { ...state, readingMb };
    }
  }

  // All of them are read in every run, without a service (control/api/knowledge/reading/read-document.long.test.ts).
  for (const [name, status, reason, tags] of [
    ['a DOCX of 300 MB of short paragraphs', 'FAILED', 'The document expands to more text than it may. Divide it.', []],
    ['20 MB of full stops', 'READY', null, ['nightly']],
    ['40 MB of brackets in brackets', 'FAILED', 'takes more than 768 MB of memory', ['nightly']],
    ['a PDF whose page expands to 2 GB', 'FAILED', 'takes more than 768 MB of memory', ['nightly']],
    ['25 million lines of one letter', 'FAILED', 'more than 50000 passages', ['nightly']],
  ] as const)
    it(`${name}: it is ${status}, the service lives, and others talk on`, { tags: [...tags] }, async () => {
      const { filename, content } = HOSTILE_DOCUMENTS.find((document) => document.name === name)!;
      const before = processTree(service.pid)[0]!.rssMb;
      forgetPeak(service.pid);
      const id = await upload(filename, content());
      await bystander.ask('Hello there!');
      const { readingMb, ...state } = await untilRead(id);
      const growthMb = processTree(service.pid)[0]!.peakMb - before;
      console.log(
        `${name}: service ${before.toFixed(0)} + ${growthMb.toFixed(0)} MB, reading ${readingMb.toFixed(0)} MB`,
      );
      expect(state).toMatchObject({
        status,
        errorMessage: reason === null ? null : expect.stringContaining(reason),
      });
      expect(growthMb).toBeLessThan(MAX_GROWTH_MB);
      expect(readingMb).toBeLessThan(MAX_READING_MB);
      await bystander.ask('Hello there!');
    });

  it('keeps nobody from uploading another one', async () => {
    const id = await upload('hours.txt', 'Breakfast is served from seven to ten.');
    expect(await untilRead(id)).toMatchObject({ status: 'READY', errorMessage: null });
    const hits = await service.api<{ content: string }[]>('POST', `/v1/knowledge/groups/${groupId}/search`, {
      query: 'When is breakfast?',
    });
    expect(hits[0]?.content).toContain('seven to ten');
  });
});
