import { useState } from 'preact/hooks';

/** How long it says that it has copied. */
const SAYS_SO_MS = 2_000;

/** Copies a text, and says whether it could. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [outcome, setOutcome] = useState<'' | 'Copied' | 'Could not copy'>('');

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      // Not allowed, or a page without https.
      setOutcome('Could not copy');
    }
    setTimeout(() => setOutcome(''), SAYS_SO_MS);
  }

  return (
    <button class="button" type="button" onClick={() => void copy()}>
      <span aria-live="polite">{outcome === '' ? children : outcome}</span>
    </button>
  );
}
