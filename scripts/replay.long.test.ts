import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FlightRecorder } from '../actors/recorder/flight-recorder.ts';
import { seededIds } from '../actors/kernel/seeded-ids.ts';
import { SimulatedSession } from '../actors/testing/simulated-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): { readonly status: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(import.meta.dirname, 'replay.ts'), ...args], {
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function log(): string {
  const session = new SimulatedSession({ ids: seededIds('cli') }).connect();
  session.wait(500).speak('what is the canary').wait(4000);
  let text = '';
  const recorder = new FlightRecorder(
    {
      software: '1.2.3',
      startedAt: '2026-01-01T00:00:00.000Z',
      idSeed: 'cli',
      endOfTurnModelAvailable: false,
      config: session.config,
    },
    (line) => (text += line),
  );
  for (const recorded of session.recorded) recorder.event(recorded);
  for (const { command } of session.commands) recorder.command(command);
  return text;
}

describe('npm run replay', () => {
  const text = log();

  test('says that every decision was the same', () => {
    expect(run(write('good.jsonl', text))).toMatchObject({
      status: 0,
      out: expect.stringMatching(/version 1\.2\.3[^]*Every decision was the same/),
    });
  });

  test('says where a session parts from its log', () => {
    const lines = text.split('\n').filter((line) => !line.includes('stt.final'));
    expect(run(write('bad.jsonl', lines.join('\n')))).toMatchObject({
      status: 1,
      out: expect.stringMatching(/Different at +\d+\.\d+ s, after/),
    });
  });

  test('shows what was said only when asked to', () => {
    const file = write('shown.jsonl', text);
    expect(run(file, '--decisions').out).not.toContain('canary');
    expect(run(file, '--decisions').out).toMatch(/ s {2}llm\.request/);
    expect(run(file, '--decisions', '--content').out).toContain('canary');
  });

  test('explains itself, and what it cannot read', () => {
    expect(run('--help')).toMatchObject({ status: 0, out: expect.stringContaining('Usage') });
    expect(run()).toMatchObject({ status: 2, out: expect.stringContaining('Usage') });
    expect(run(join(folder, 'none.jsonl'))).toMatchObject({
      status: 2,
      err: expect.stringContaining('none.jsonl cannot be read: there is no such file'),
    });
    expect(run(write('junk.jsonl', 'junk\n'))).toMatchObject({
      status: 2,
      err: 'Line 1 of the log: this is not a session log.\n',
    });
    expect(run('--wrong')).toMatchObject({ status: 2, err: expect.stringMatching(/wrong/) });
  });
});
