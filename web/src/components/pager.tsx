/** Leads through the pages of a list that begins with the newest. Nothing while there is only one. */
export function Pager({ page, lastPage, onPage }: { page: number; lastPage: number; onPage: (page: number) => void }) {
  if (lastPage <= 1) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <button class="button" type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </button>
      <span class="number">
        {page} of {lastPage}
      </span>
      <button class="button" type="button" disabled={page >= lastPage} onClick={() => onPage(page + 1)}>
        Older
      </button>
    </nav>
  );
}
