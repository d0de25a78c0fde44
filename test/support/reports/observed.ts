/** Reads a report in memory, as `gridpress observe` does with a file. */
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import type { Format, Hints, Machine } from '../../../src/core/observe/format.ts';
import { mergeMachine } from '../../../src/core/observe/merge.ts';
import { observeMachine } from '../../../src/core/observe/observe-machine.ts';

const NO_HINTS: Hints = { pci: undefined };

/** The machines of a report, or the first line of its findings. */
export function machinesIn(format: Format, report: Json, hints: Hints = NO_HINTS): Machine[] {
  return Array.from(format.machines(report), (part) => observeMachine(format, part, hints));
}

/** The body of a node after the first machine of a report was merged into it. */
export function mergedBody(format: Format, report: Json, before: JsonObject = {}, hints: Hints = NO_HINTS): JsonObject {
  const [machine] = machinesIn(format, report, hints);
  if (!machine) throw new Error('the report has no machine');
  return mergeMachine(before, machine).body;
}

export function failureOfReport(format: Format, report: Json): string {
  try {
    machinesIn(format, report);
  } catch (error) {
    if (error instanceof Failure) return renderFindings(error.findings);
    throw error;
  }
  return '';
}
