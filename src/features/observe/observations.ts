/** Collects the machines of all reports. Broken reports and broken machines become findings. */
import { Failure, type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import type { Json } from '../../core/model/json.ts';
import type { Format, Machine } from '../../core/observe/format.ts';
import { observeMachine } from '../../core/observe/observe-machine.ts';
import { readPciIds } from '../../core/observe/pci-ids.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { reading } from '../../system/files/system-errors.ts';
import { fetchRedfish, type RedfishLogin } from './fetch-redfish.ts';
import { type Report, sourcesAt } from './read-reports.ts';

export interface ReportOptions extends RedfishLogin {
  /** The files, the folders, or `-` for standard input. */
  readonly places: readonly string[];
  readonly urls: readonly string[];
  /** The name of the report format. By default, the format of each report is detected. */
  readonly from?: string | undefined;
  /** The path of a `pci.ids` file, which lists the names of PCI devices. */
  readonly pciIds?: string | undefined;
}

export interface Observation {
  readonly file: string;
  /** The name of the machine, derived from the path of the report. */
  readonly name: string | undefined;
  readonly machine: Machine;
}

export interface Observations {
  readonly observations: readonly Observation[];
  readonly findings: readonly Finding[];
}

export async function collectObservations(options: ReportOptions, formats: readonly Format[]): Promise<Observations> {
  const { places, urls, from, pciIds } = options;
  if (places.length + urls.length === 0) fail(finding('observe-nothing', {}));
  const hints = { pci: pciIds === undefined ? undefined : readPciIds(textOfFile(pciIds)) };
  const observations: Observation[] = [];
  const findings: Finding[] = [];
  const keep = (error: unknown, file: string, machine?: string) => {
    if (!(error instanceof Failure)) throw error;
    for (const each of error.findings) findings.push(withPlace(each, file, machine));
  };
  const attempt = (file: string, work: () => void, machine?: () => string) => {
    try {
      work();
    } catch (error) {
      keep(error, file, machine?.());
    }
  };
  const add = (file: string, report: Report, wanted: string | undefined) => {
    const value = report.value();
    const format = formatOf(value, wanted, formats);
    const parts = [...format.machines(value)];
    const name = parts.length === 1 ? report.name : undefined;
    for (const [i, part] of parts.entries()) {
      const observeOne = () => observations.push({ file, name, machine: observeMachine(format, part, hints) });
      attempt(file, observeOne, parts.length > 1 ? () => labelOf(format, part, i) : undefined);
    }
  };
  for (const place of places)
    for (const { file, reports } of sourcesAt(place, (each) => findings.push(each)))
      attempt(file, () => {
        for (const report of reports()) attempt(file, () => add(file, report, from));
      });
  for (const url of urls)
    try {
      const resources = await fetchRedfish(url, options);
      add(url, { name: undefined, value: () => resources }, 'redfish');
    } catch (error) {
      keep(error, url);
    }
  return { observations, findings };
}

function textOfFile(file: string): string {
  const shown = displayPath(file);
  return reading(shown, () => readPlainFile(file, LISTING_BYTES, shown).toString('utf8'));
}

/** Returns the label of a machine in a report about several machines: its name or, if it has no name, its position. */
function labelOf(format: Format, part: Json, index: number): string {
  try {
    const [name] = format.names.map((read) => read(part, { pci: undefined })).filter((each) => each !== undefined);
    if (typeof name === 'string') return `"${name}"`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return String(index + 1);
}

function withPlace(found: Finding, file: string, machine: string | undefined): Finding {
  const place = found.place ?? { file };
  if (found.code !== 'observe-value' || machine === undefined) return { ...found, place };
  return { ...found, args: { ...found.args, machine }, place };
}

function formatOf(value: Json, wanted: string | undefined, formats: readonly Format[]): Format {
  const named = formats.find(({ name }) => name === wanted);
  if (named?.recognises(value)) return named;
  const found = formats.find((format) => format.recognises(value));
  if (found && wanted === undefined) return found;
  const known = formats.map(({ name }) => name);
  return fail(finding('observe-format', { format: wanted, nearest: found?.name, known }));
}
