/** Writes the start and the duration of a reservation as code for each scheduler. */

import { isoTimestamp } from '../model/revision.ts';
import type { Schedule } from './snippet-context.ts';

export const DAY_MINUTES = 24 * 60;

/** Returns a start time in Blazar's format, such as `2026-12-01 08:00`, in UTC. */
function blazarTime(seconds: number): string {
  return isoTimestamp(seconds).slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}

/** Returns the arguments of a Python `datetime`. */
export function pythonTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return `datetime(${year}, ${month}, ${day}, ${date.getUTCHours()}, ${date.getUTCMinutes()})`;
}

/** Converts a duration to the largest unit in which the duration is a whole number. */
export function largestUnit(minutes: number): { readonly count: number; readonly unit: 'days' | 'hours' | 'minutes' } {
  if (minutes % DAY_MINUTES === 0) return { count: minutes / DAY_MINUTES, unit: 'days' };
  return minutes % 60 === 0 ? { count: minutes / 60, unit: 'hours' } : { count: minutes, unit: 'minutes' };
}

/**
 * Returns the commands that set the start and the end of a lease. Comments are on lines of their own, because an
 * interactive zsh passes `#` and the words after it to the command.
 */
export function openstackTimes(start: number | undefined, minutes: number): string[] {
  if (start !== undefined)
    return ['# in UTC', `START='${blazarTime(start)}'`, `END='${blazarTime(start + minutes * 60)}'`];
  const { count, unit } = largestUnit(minutes);
  const mac = { days: 'd', hours: 'H', minutes: 'M' }[unit];
  const format = "'+%Y-%m-%d %H:%M'";
  return [
    "# The leases start now. To start later, set END and add --start-date 'YYYY-MM-DD HH:MM', both in UTC.",
    `# On macOS, replace -d '+${count} ${unit}' by -v+${count}${mac}.`,
    `END=$(date -u -d '+${count} ${unit}' ${format})`,
  ];
}

/** Returns the walltime of an OAR job: hours, minutes and seconds. */
export function walltime({ minutes = 60 }: Schedule): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:00`;
}

/** Returns a command that prints a time in the machine's time zone, because schedulers use that time zone. */
export function localTime(seconds: number, format: string): string {
  return `"$(date -d '${isoTimestamp(seconds)}' '+${format}')"`;
}

/** Returns Python code that converts the start to the local time of Grid'5000, because OAR accepts no time zone. */
export function grid5000Start({ start }: Schedule): string[] {
  if (start === undefined) return [];
  return [
    `start = datetime.fromisoformat(${JSON.stringify(isoTimestamp(start).replace('Z', '+00:00'))})`,
    'start = start.astimezone(ZoneInfo("Europe/Paris")).strftime("%Y-%m-%d %H:%M:%S")',
  ];
}

export function grid5000Imports({ start }: Schedule): string[] {
  return start === undefined ? [] : ['from datetime import datetime', 'from zoneinfo import ZoneInfo', ''];
}
