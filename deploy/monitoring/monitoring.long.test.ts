import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { describeOnSqlite } from '../../control/testing/stores.ts';
import { startTestService } from '../../control/testing/service.ts';
import { TAKEN_SHARE } from '../kubernetes/adapter-rules.ts';
import { buildDashboard } from './build-dashboard.ts';

const run = promisify(execFile);
const FOLDER = new URL('.', import.meta.url).pathname;

describe('alert rules', () => {
  it('are what Prometheus understands', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', `${FOLDER}alerts.yaml`]);
    expect(stdout).toContain('SUCCESS');
  });

  it('fire in trouble, and only then', async () => {
    const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: FOLDER });
    expect(stdout).toContain('SUCCESS');
  });
});

it('the dashboard is the one that is built: run npm run docs', async () => {
  expect(await readFile(`${FOLDER}dashboard.json`, 'utf8')).toBe(buildDashboard());
});

describeOnSqlite('the metrics of dashboard, alerts and autoscaler', (stores) => {
  it('are those that the service has', async () => {
    const service = await startTestService(await stores.open());
    const { text } = await service.send('GET', '/metrics', undefined, null);
    await service.close();
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
    const files = await Promise.all(
      ['dashboard.json', 'alerts.yaml', '../kubernetes/prometheus-adapter.yaml'].map((name) =>
        readFile(FOLDER + name, 'utf8'),
      ),
    );
    const used = files.flatMap((file) =>
      [...file.matchAll(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name),
    );
    expect(used.length).toBeGreaterThan(20);
    const unknown = used.filter(
      (name) => name !== TAKEN_SHARE && !known.has(name.replace(/_(?:bucket|count|sum)$/, '')) && !known.has(name),
    );
    expect(unknown).toEqual([]);
  });
});
