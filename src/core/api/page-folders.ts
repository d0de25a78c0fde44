/** Folders that contain an HTML page. Hosts redirect from the folder to the page, so that relative links work. */
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

export function folderOfPage(url: string): string | undefined {
  return PAGE_FOLDERS.find(({ page }) => page === url)?.folder;
}

export function pageOfFolder(url: string): string | undefined {
  return PAGE_FOLDERS.find(({ folder }) => folder === url)?.page;
}
