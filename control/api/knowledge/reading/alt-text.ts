/** The name of a file, also with its folders or as an address: programs put it there. */
const FILE =
  /^(?:(?:[a-z]:|file:|https?:|\\|\.{0,2}\/).*[\\/])?[\p{L}\p{N}_ .,()@%&+~-]+\.(png|jpe?g|gif|emf|wmf|svg|webp|tiff?|bmp)$/iu;

/** What a picture shows, in the words of its author: neither the name of its file nor what a program has guessed. */
export function altText(description: string | undefined): string {
  const text = (description ?? '').replace(/\s*(Description|Beschreibung) automati\w+ (generated|generiert).*$/is, '');
  return FILE.test(text.trim()) ? '' : text.trim();
}
