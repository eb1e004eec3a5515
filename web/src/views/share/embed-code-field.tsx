import { CopyButton } from '../../components/copy-button.tsx';
import { embedCode, type Embedding } from './embed-code.ts';

/** What somebody puts into a page of theirs. */
export function EmbedCodeField(embedding: Embedding) {
  const code = embedCode(embedding);
  return (
    <div class="field">
      <span class="label">Put this into the page</span>
      <pre class="code" tabIndex={0}>
        {code}
      </pre>
      <div class="row">
        <CopyButton text={code}>Copy code</CopyButton>
      </div>
    </div>
  );
}
