import type { FastifyInstance } from 'fastify';
import { localUrl, type Cluster } from '../../control/index.ts';
import type { RunningEngine } from '../../engine/index.ts';
import { makeFirstKey } from './first-key.ts';
import type { Foundation } from './foundation.ts';
import { loadLibraries } from './load-libraries.ts';

/** From now on, clients and other processes reach this one. @throws the error of the system when the port is in use. */
export async function listen(
  foundation: Foundation,
  { app, cluster, engine }: { app: FastifyInstance; cluster: Cluster | null; engine: RunningEngine },
): Promise<{ readonly url: string; readonly firstKey: string | null }> {
  const { settings, storage, photos } = foundation;
  await app.listen({ host: settings.PARLEY_HOST, port: settings.PORT });
  await cluster?.start();
  photos.keep(engine.forgetAvatar);
  void loadLibraries(foundation);
  return { url: localUrl(app.server, settings.PARLEY_HOST), firstKey: await makeFirstKey(settings, storage.store) };
}
