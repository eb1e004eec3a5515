import { useEffect, useState } from 'preact/hooks';

/** How far the service is with drawing its faces. */
export interface FacesProgress {
  readonly drawn: number;
  readonly total: number;
}

const ASK_EVERY_MS = 2_000;

/** @returns null when no faces are being drawn, or nobody knows. Asks again for as long as they are. */
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
    const { faces, facesDrawn, facesTotal } = (await (await fetch('/readyz')).json()) as {
      faces?: 'ok' | 'warming';
      facesDrawn: number;
      facesTotal: number;
    };
    return faces === 'warming' ? { drawn: facesDrawn, total: facesTotal } : null;
  } catch {
    // Whatever else the page asks for says so.
    return null;
  }
}
