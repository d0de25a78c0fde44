/**
 * Folders of pages. Who asks for one, with or without a slash behind it, is led to its page, since a page refers to what
 * is beside it.
 */
import { REFERENCE_PATH } from './description/description-paths.ts';
import { EXPLORER_PATHS } from './explorer/explorer-paths.ts';

export interface PageFolder {
  readonly folder: string;
  readonly page: string;
}

export const PAGE_FOLDERS: readonly PageFolder[] = [REFERENCE_PATH, EXPLORER_PATHS.page].map((page) => ({
  folder: page.slice(0, page.lastIndexOf('/')),
  page,
}));

/** The folder that leads to a page. */
export function folderOfPage(url: string): string | undefined {
  return PAGE_FOLDERS.find(({ page }) => page === url)?.folder;
}

/** The page of a path without suffix, where that is its folder. */
export function pageOfFolder(url: string): string | undefined {
  return PAGE_FOLDERS.find(({ folder }) => folder === url)?.page;
}
