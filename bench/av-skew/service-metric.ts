import type { RunningService } from '../../e2e/support/service.ts';

/** @param name of a metric without labels. @returns its value now. @throws Error when the service does not tell it. */
export async function serviceMetric({ url }: RunningService, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
  if (value === undefined) throw new Error(`The service does not tell ${name}.`);
  return Number(value);
}
