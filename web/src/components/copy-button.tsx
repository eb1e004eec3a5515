import { useState } from 'preact/hooks';

/** Copies a text, and says whether it could until somebody goes on elsewhere. */
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
  }

  return (
    <button
      class="button"
      type="button"
      onClick={({ currentTarget }) => {
        // Safari does not give it to a button that is clicked.
        currentTarget.focus();
        void copy();
      }}
      onBlur={() => setOutcome('')}
    >
      <span aria-live="polite">{outcome === '' ? children : outcome}</span>
    </button>
  );
}
