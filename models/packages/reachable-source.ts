import { EnvHttpProxyAgent, fetch } from 'undici';
import type { PackageSource } from './package-source.ts';
import { registryAnswers } from './registries/fetch-archive.ts';

/** A source that does not answer within this time is taken for unreachable. */
const MAX_MS = 15_000;

/**
 * Asks all sources at the same time whether they can be reached.
 * @returns all of them: the first one to answer, then the others in their order. A source that did not answer may have
 * its reasons (a folder of wheels instead of an index), so it is tried too, last.
 */
export async function reachableFirst(
  sources: readonly PackageSource[],
  answers: (source: PackageSource, signal: AbortSignal) => Promise<boolean> = sourceAnswers,
): Promise<readonly PackageSource[]> {
  if (sources.length < 2) return sources;
  const asked = new AbortController();
  const timeout = AbortSignal.timeout(MAX_MS);
  const signal = AbortSignal.any([asked.signal, timeout]);
  const first = Promise.any(
    sources.map(async (source) => {
      if (!(await answers(source, signal))) throw new Error('not there');
      return source;
    }),
  );
  try {
    const found = await first;
    return [found, ...sources.filter((each) => each !== found)];
  } catch {
    return sources;
  } finally {
    asked.abort();
  }
}

async function sourceAnswers(source: PackageSource, signal: AbortSignal): Promise<boolean> {
  if (source.type === 'publisher') return addressAnswers(source.url, signal);
  const [archive] = source.archives;
  return archive !== undefined && registryAnswers(archive, signal);
}

async function addressAnswers(url: string, signal: AbortSignal): Promise<boolean> {
  const agent = new EnvHttpProxyAgent();
  try {
    const { ok, body } = await fetch(url, { method: 'HEAD', dispatcher: agent, signal });
    await body?.cancel();
    return ok;
  } finally {
    await agent.destroy();
  }
}
