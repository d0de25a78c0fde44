/**
 * The upload plan: one line of JSON for each object, with its key, its file and the metadata that it is stored with. Each
 * document is stored under every form of its path, since keys are taken literally.
 */
import { endpointOf, type Form } from '../../api/endpoints.ts';
import type { RawForm } from '../../api/raw-forms.ts';
import { HOSTS_FOLDER, MANIFEST_FILE, NOT_FOUND_FILE } from '../../tree/layout.ts';
import { isPlainForm, storedForms } from '../../tree/url-forms.ts';
import type { HostDocument, PerDocumentFile } from '../host.ts';
import type { HostRules, PathClass } from '../rules.ts';

export const uploadPlan: PerDocumentFile = {
  file: `${HOSTS_FOLDER}/s3/upload.jsonl`,
  head: (rules) => headLines(rules),
  lines: (rules, document) => documentLines(rules, document),
};

/** The key of a path below the base: keys have no slash at their beginning. */
export function keyOf({ prefix }: Pick<HostRules, 'prefix'>, path: string): string {
  return `${prefix}${path}`.slice(1);
}

/** An error has no Cache-Control. */
function headLines(rules: HostRules): string {
  return (
    line(keyOf(rules, `/${NOT_FOUND_FILE}`), NOT_FOUND_FILE, { 'Content-Type': rules.problemType }) +
    line(keyOf(rules, `/${MANIFEST_FILE}`), MANIFEST_FILE, { 'Content-Type': rules.plainType })
  );
}

function documentLines(rules: HostRules, { path, file }: HostDocument): string {
  const endpoint = endpointOf(path);
  const isIts = ({ form, cache }: PathClass<Form | RawForm>) => form === endpoint?.form && cache === endpoint.cache;
  const raw = rules.raw.find(isIts);
  if (raw) {
    const metadata = { 'Content-Type': raw.mediaType, 'Cache-Control': rules.cacheControl(raw.cache) };
    const lines = storedForms(path).map((form) => line(keyOf(rules, form), file, metadata));
    return lines.join('');
  }
  const answered = rules.classes.find(isIts);
  if (!answered) return '';
  const { mediaType, cache } = answered;
  return storedForms(path)
    .map((form) => {
      const metadata = {
        'Content-Type': isPlainForm(form) ? rules.plainType : mediaType,
        'Cache-Control': rules.cacheControl(cache),
      };
      const key = keyOf(rules, form);
      return key === '' ? '' : line(key, file, metadata);
    })
    .join('');
}

function line(key: string, file: string, metadata: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ key, file, ...metadata })}\n`;
}
