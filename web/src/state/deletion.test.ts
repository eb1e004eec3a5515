import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  deletedIds,
  deleteSoon,
  deletion,
  finishDeletion,
  undoDeletion,
  UNDO_MS,
  waitWithDeletion,
} from './deletion.ts';

const told: string[] = [];
const deleting = (id: string, fails = false) =>
  deleteSoon([id], `${id}.pdf`, async () => {
    if (fails) throw new Error('The service cannot be reached.');
    told.push(id);
  });

beforeEach(() => {
  vi.useFakeTimers();
  told.length = 0;
});
afterEach(() => {
  finishDeletion();
  deletion.value = null;
  deletedIds.value = new Set();
  vi.useRealTimers();
});

it('is told to the service once it cannot be undone any more, and not shown meanwhile', async () => {
  deleting('a');
  expect([...deletedIds.value]).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(told).toEqual([]);
  expect(deletion.value).toMatchObject({ state: 'can be undone', name: 'a.pdf' });
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['a']);
  expect(deletion.value).toBeNull();
});

it('is undone, and the service never hears of it', async () => {
  deleting('a');
  undoDeletion();
  expect([...deletedIds.value]).toEqual([]);
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  expect(told).toEqual([]);
  expect(deletion.value).toBeNull();
});

/** The keyboard stood on the button, and it went away below it. */
it('waits while somebody is at the button that undoes it, and has all of its time afterwards', async () => {
  deleting('a');
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  waitWithDeletion(true);
  await vi.advanceTimersByTimeAsync(10 * UNDO_MS);
  expect(deletion.value).toMatchObject({ state: 'can be undone', name: 'a.pdf' });
  waitWithDeletion(false);
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['a']);
  waitWithDeletion(false);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(told).toEqual(['a']);
});

it('is told at once when another one follows, of which alone is asked', async () => {
  deleting('a');
  deleting('b');
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual(['a']);
  expect(deletion.value).toMatchObject({ ids: ['b'] });
  undoDeletion();
  expect([...deletedIds.value]).toEqual(['a']);
});

it('is shown again, with the reason, when the service refuses it', async () => {
  deleting('a', true);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect([...deletedIds.value]).toEqual([]);
  expect(deletion.value).toMatchObject({ state: 'failed', name: 'a.pdf' });
});
