import { useFacesProgress } from '../state/faces.ts';

/** A quiet line while a new service draws its faces. */
export function FacesProgress() {
  const progress = useFacesProgress();
  if (progress === null) return null;
  const { drawn, total } = progress;
  return (
    <div class="faces-progress" role="status">
      <span>
        Drawing faces: {drawn} of {total}
      </span>
      <progress max={total} value={drawn} aria-hidden="true" />
    </div>
  );
}
