import { CopyButton } from '../../components/copy-button.tsx';
import { useLoaded } from '../../state/load.ts';
import { listClientPackages } from './api-key-api.ts';

const FOR: Readonly<Record<string, string>> = {
  '@parley/client': 'web pages',
  '@parley/react': 'React',
  'parley-client': 'Python',
};

/** The clients of this service, ready to copy into a shell. A service whose clients are not built shows none. */
export function ClientPackages() {
  const loaded = useLoaded('client packages', listClientPackages);
  if (loaded.state !== 'ready' || loaded.value.packages.length === 0) return null;
  return (
    <section class="card padded stack">
      <div>
        <h2>Clients for your programs</h2>
        <p class="muted small">They come from this service, in the version that fits it.</p>
      </div>
      {loaded.value.packages.map(({ name, install }) => (
        <div class="stack" key={name}>
          <code class="output">{install}</code>
          <div class="row">
            <CopyButton text={install}>{`Copy for ${FOR[name] ?? name}`}</CopyButton>
          </div>
        </div>
      ))}
    </section>
  );
}
