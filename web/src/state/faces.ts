import { useEffect, useState } from 'preact/hooks';
import { serviceUrl } from '../api/service.ts';

/** How many faces the service has drawn. */
export interface FacesProgress {
  readonly drawn: number;
  readonly total: number;
}

const ASK_EVERY_MS = 2_000;

/** @returns null when no faces are being drawn, or it is unknown. Asks again while faces are drawn. */
export function useFacesProgress(): FacesProgress | null {
  const [progress, setProgress] = useState<FacesProgress | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    const ask = async (): Promise<void> => {
      const now = await askService();
      if (!wanted) return;
      setProgress(now);
      if (now !== null) timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    };
    void ask();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, []);
  return progress;
}

async function askService(): Promise<FacesProgress | null> {
  try {
    const { faces, facesDrawn, facesTotal } = (await (await fetch(`${serviceUrl()}/readyz`)).json()) as {
      faces?: 'ok' | 'warming';
      facesDrawn: number;
      facesTotal: number;
    };
    return faces === 'warming' ? { drawn: facesDrawn, total: facesTotal } : null;
  } catch {
    // Other requests of the page report this error.
    return null;
  }
}
