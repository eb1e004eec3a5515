import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { converse, type Conversation } from '../bench/lib/conversation.ts';
import { speakSentence } from '../bench/lib/spoken-sentence.ts';
import { eventually } from '../engine/testing/eventually.ts';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import { type ColoredPart, coloredParts } from './support/chart-pixels.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

const DAYS = 7;
/** Each is a bar of its chart. */
const TURNS = 2;

interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
}
interface Usage {
  readonly days: readonly {
    readonly sessions: number;
    readonly minutes: number;
    readonly firstAudioLatencySeconds: Percentiles;
    readonly llmTimeToFirstOutputSeconds: Percentiles;
  }[];
}

/**
 * Two users talk with the service; their conversations become bars and lines, and tables for those who do not see them.
 */
describe('the charts of the console', () => {
  let service: ServiceAccess;
  let page: Page;
  let conversations: Conversation[];

  beforeAll(async () => {
    service = await sharedService();
    // One speaks, one types.
    conversations = await Promise.all([
      converse(service, { spoken: speakSentence('What is your name?') }),
      converse(service),
    ]);
    for (const { turns } of conversations)
      await eventually(() =>
        expect(turns.filter(({ answeredAt }) => answeredAt !== null).length).toBeGreaterThanOrEqual(TURNS),
      );
    await Promise.all(conversations.map((conversation) => conversation.stop()));
    const endOf = async ({ sessionId }: Conversation): Promise<string | null> =>
      (await service.api<{ endTime: string | null }>('GET', `/v1/sessions/${sessionId}`)).endTime;
    for (const conversation of conversations)
      await eventually(async () => expect(await endOf(conversation)).not.toBeNull());
  });
  sharedBrowser(async () => {
    const launched = await launchBrowser();
    ({ page } = launched);
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.getByRole('article').first().waitFor();
    return launched;
  });

  /** The rows of the chart's table as a screen reader has them, without the head. */
  async function rowsOf(name: string): Promise<string[][]> {
    const rows = await page.getByRole('table', { name, exact: true }).getByRole('row').all();
    const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
    return cells.slice(1);
  }
  /** A chart is drawn after its table, and after the next frame. */
  async function drawn(name: string, color: string): Promise<readonly ColoredPart[]> {
    return eventually(async () => {
      const parts = await coloredParts(page, name, color);
      expect(parts, `${name} ${color}`).not.toEqual([]);
      return parts;
    });
  }
  const text = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

  it('count the conversations and minutes of each day in bars', async () => {
    await page.goto(`${service.url}/#/usage`);
    await page.getByLabel('Period').selectOption({ label: `${DAYS} days` });
    await expect.poll(() => rowsOf('Sessions').then((rows) => rows.length)).toBe(DAYS);
    const { days } = await service.api<Usage>(
      'GET',
      `/v1/sessions/usage?days=${DAYS}&utcOffsetMinutes=${-new Date().getTimezoneOffset()}`,
    );
    expect(days.at(-1)?.sessions).toBe(2);
    expect(await rowsOf('Sessions')).toEqual(days.map(({ sessions }) => [text(sessions)]));
    expect(await rowsOf('Minutes')).toEqual(days.map(({ minutes }) => [text(minutes)]));

    for (const [name, color] of [
      ['Sessions', '--persona'],
      ['Minutes', '--you'],
    ] as const) {
      const bars = await drawn(name, color);
      expect(bars, name).toHaveLength(1);
      // Days without a conversation have no bar, and today is the last one.
      expect(bars[0]?.from, name).toBeGreaterThan(1 - 1.5 / DAYS);
      expect(bars[0]?.height, name).toBeGreaterThan(100);
    }
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('tell how soon the first sound and the first output of the LLM came', async () => {
    const { days } = await service.api<Usage>(
      'GET',
      `/v1/sessions/usage?days=${DAYS}&utcOffsetMinutes=${-new Date().getTimezoneOffset()}`,
    );
    const shown = (value: number | null | undefined): string => (value == null ? 'none' : `${text(value)} s`);
    for (const [name, field] of [
      ['From the end of speech to the first audio', 'firstAudioLatencySeconds'],
      ['To the first output of the LLM', 'llmTimeToFirstOutputSeconds'],
    ] as const) {
      expect(days.at(-1)?.[field].p50, name).not.toBeNull();
      expect(await rowsOf(name)).toEqual(days.map((day) => [shown(day[field].p50), shown(day[field].p95)]));
      for (const color of ['--you', '--stage-llm']) {
        const points = await drawn(name, color);
        expect(points.at(-1)?.from, `${name} ${color}`).toBeGreaterThan(1 - 1.5 / DAYS);
      }
    }
  });

  it('show each answer of a conversation as a bar of its own', async () => {
    await page.goto(`${service.url}/#/sessions/${conversations[0]?.sessionId}`);
    const name = 'How soon each turn was answered';
    await page.getByRole('table', { name, exact: true }).waitFor({ state: 'attached' });
    const rows = (await rowsOf(name)).map(([cell]) => cell ?? '');
    expect(rows.length).toBeGreaterThanOrEqual(TURNS);
    const bars = await drawn(name, '--stage-transcript');
    expect(bars).toHaveLength(rows.length);
    const values = rows.map(inMs);
    const slowest = Math.max(...values);
    const highest = Math.max(...bars.map(({ height }) => height));
    for (const [index, value] of values.entries())
      expect(bars[index]!.height / highest, `bar ${index}`).toBeCloseTo(value / slowest, 1);
    const fact = (label: string): Promise<string> =>
      page.locator('.percentiles div').filter({ hasText: label }).locator('dd').innerText();
    expect(inMs(await fact('Slowest'))).toBe(slowest);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('are drawn anew in the colors of the dark', async () => {
    await page.goto(`${service.url}/#/usage`);
    await page.locator('.chart canvas').first().waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => coloredParts(page, 'Sessions', '--persona')).toHaveLength(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await expect.poll(() => coloredParts(page, 'Sessions', '--persona')).toHaveLength(1);
  });
});

/** "820 ms" or "1.02 s" */
function inMs(value: string): number {
  const number = Number.parseFloat(value);
  return value.endsWith('ms') ? number : number * 1000;
}
