import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { fetchLocalModel, listLocalModels } from '../api/routes.ts';
import type { LocalModelList, LocalModelResponse } from '../../../control/api/operator/local-model-schema.ts';

const ASK_EVERY_MS = 1_000;

const MOVING: ReadonlySet<LocalModelResponse['state']> = new Set(['waiting', 'fetching', 'unpacking', 'here']);

export interface LocalModelsView {
  readonly list: LocalModelList;
  /** The service does not answer: it is starting again. */
  readonly connection: 'up' | 'restarting';
  /** Begins to fetch these. @throws ApiError */
  readonly fetch: (ids: readonly string[]) => Promise<void>;
}

/** @returns null while nothing is known, and for keys that may not see it. Asks again while something changes. */
export function useLocalModels(): LocalModelsView | null {
  const [list, setList] = useState<LocalModelList | null>(null);
  const [connection, setConnection] = useState<LocalModelsView['connection']>('up');
  const [round, setRound] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    const ask = async (): Promise<void> => {
      try {
        const now = await listLocalModels();
        if (!wanted) return;
        setList(now);
        setConnection('up');
        if (now.restart === 'none' && !now.data.some(({ state }) => MOVING.has(state))) return;
      } catch (error) {
        // A refusal will not change; a service that starts again will answer.
        if (!wanted || !(error instanceof ApiError) || error.status !== 0) return;
        setConnection('restarting');
      }
      timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    };
    void ask();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [round]);
  if (list === null) return null;
  return {
    list,
    connection,
    async fetch(ids) {
      // At once: the service starts again when all that it knows of are here, and does not hear the next wish meanwhile.
      const asked = Promise.all(ids.map((id) => fetchLocalModel(id)));
      await asked.finally(() => setRound((value) => value + 1));
    },
  };
}
