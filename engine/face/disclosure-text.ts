/** The label in every frame that must say what it shows. Also drawn in the pages of meetings, before there is a frame. */
export const DISCLOSURE_TEXT = 'AI avatar';
