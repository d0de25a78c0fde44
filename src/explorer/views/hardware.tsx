/** Shows the hardware by site, the node types with several firmware versions, and the racks. */

import { useMemo } from 'preact/hooks';
import { pathOfField } from '../../core/model/fields/field-name.ts';
import { byCodeUnit, byNaturalOrder, type Json } from '../../core/model/json.ts';
import { quantityTexts, unitOfField } from '../../core/model/units.ts';
import { findField } from '../../core/query/columns.ts';
import type { AppState, ViewProps } from '../app-state.ts';
import { historyOf, lineTo, MOST_NODES_WITH_HISTORY, revisionIndex } from '../data/history.ts';
import { readSiteNames, type SiteNames } from '../data/sites.ts';
import { lastChangedMonths } from '../fleet/change-counts.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { byValue, facetColumn, parameterOf } from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { TYPE, typeOf } from '../fleet/node-types.ts';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { Select } from '../parts/select.tsx';
import { byFrequency, colorAt, layerOf, MOST_COLOURED, ShareBar, Swatch } from '../parts/swatch.tsx';
import { Table } from '../parts/table.tsx';
import { counted, joinedValues, plainNumber, valueText, visible } from '../parts/value.tsx';
import { linkWithin, navigate, navigateWithin, withParams } from '../state/place.ts';
import { useBrush } from '../state/use-brush.ts';
import { useLoaded } from '../state/use-loaded.ts';
import type { ParamName } from '../state/view-params.ts';

export function Hardware({ state }: ViewProps) {
  const loaded = useLoaded('site names', () => readSiteNames(state.reader));
  return (
    <>
      <h1 tabIndex={-1}>Hardware</h1>
      {state.fleet.table.total === 0 ? (
        <Notice kind="info" title="The registry has no nodes at this revision." />
      ) : (
        <Read of={loaded}>
          {(siteNames) => (
            <>
              <Distribution state={state} siteNames={siteNames} />
              <FirmwareDrift state={state} />
              <Racks state={state} siteNames={siteNames} />
            </>
          )}
        </Read>
      )}
    </>
  );
}

type NamedProps = ViewProps & { readonly siteNames: SiteNames };

interface FieldChoiceProps extends ViewProps {
  readonly label: string;
  /** The name of the URL parameter. */
  readonly name: ParamName<'hardware'>;
  readonly fields: readonly string[];
  readonly chosen: string;
}

/** Returns the field in a parameter of the URL. Returns undefined if no node has the field. */
function fieldIn({ fleet, place }: AppState, name: ParamName<'hardware'>): string | undefined {
  const field = place.params.get(name) ?? '';
  return field === LAST_CHANGE || findField(field, fleet.query).hasValues ? field : undefined;
}

function titleOf(field: string): string {
  return field === LAST_CHANGE ? 'Month of the last change' : fieldTitle(field);
}

function FieldChoice({ state, label, name, fields, chosen }: FieldChoiceProps) {
  return (
    <p class="choosers">
      <Select
        label={label}
        value={chosen}
        options={[...new Set([chosen, ...fields])].map((field) => [field, titleOf(field)])}
        choose={(field) => navigate('hardware', withParams(state.place.params, { [name]: field }))}
      />
    </p>
  );
}

const SPREAD = [
  'label.ram',
  'architecture.smt_size',
  'label.gpu',
  'gpu.gpu_count',
  'label.disk',
  'label.cpu',
  'label.network',
];

function Distribution({ state, siteNames }: NamedProps) {
  const { fleet, place } = state;
  const fields = SPREAD.filter((name) => findField(name, fleet.query).hasValues);
  const field = fieldIn(state, 'rows') ?? fields[0] ?? TYPE;
  const { sites, bars, most } = useMemo(() => barsOf(fleet, field), [fleet, field]);
  const inOneUnit = titlesInOneUnit(
    bars.map(({ value }) => value),
    field,
  );
  const titles = bars.map(({ value }, row) => inOneUnit[row] ?? valueText(value, field));
  const brush = useBrush(field, bars.length, (from, to) =>
    navigateWithin(place, 'nodes', { [parameterOf(field)]: `${bars[from]?.value}..${bars[to]?.value}` }),
  );
  const hasRange = bars.length > 1 && bars.every(({ value }) => typeof value === 'number');
  const options = titles.map((title, row) => [String(row), title] as const);
  return (
    <section aria-labelledby="distribution">
      <h2 id="distribution">Distribution by site</h2>
      <FieldChoice state={state} label="Nodes by" name="rows" fields={fields} chosen={field} />
      <ul class="legend">
        {sites.map((site, i) => (
          <li key={site}>
            <Swatch colorIndex={layerOf(i)} /> {siteNames(site)}
          </li>
        ))}
      </ul>
      {hasRange ? (
        <p class="choosers">
          <Select
            label="From"
            value={String(brush.from)}
            options={options}
            choose={(row) => brush.set(Number(row), brush.to)}
          />
          <Select
            label="to"
            value={String(brush.to)}
            options={options}
            choose={(row) => brush.set(brush.from, Number(row))}
          />
          <button type="button" onClick={brush.show}>
            Show nodes in this range
          </button>
          <span class="absent">Or drag over the values.</span>
        </p>
      ) : null}
      <ul class="bars">
        {bars.map(({ text, counts, nodes }, row) => (
          <li key={text} {...(hasRange ? brush.bin(row) : {})}>
            <span class="of">{titles[row]}</span>
            <span class="parts">
              {sites.map((site, i) => {
                const count = counts.get(site) ?? 0;
                const title = `${siteNames(site)}: ${counted(count, 'node')}`;
                return count === 0 ? null : (
                  <a
                    key={site}
                    href={linkWithin(place, 'nodes', { site, [parameterOf(field)]: text })}
                    // The end of the bar needs space for the total.
                    style={{ width: `calc((100% - 3.5rem) * ${count / most})`, background: colorAt(layerOf(i)) }}
                    title={title}
                  >
                    <span class="hidden">{`${titles[row]}, ${title}`}</span>
                  </a>
                );
              })}
              <a class="total" href={linkWithin(place, 'nodes', { [parameterOf(field)]: text })}>
                {plainNumber(nodes)}
              </a>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** If the texts mix units such as GB and GiB, returns the numbers in one unit. Otherwise returns an empty list. */
function titlesInOneUnit(values: readonly Json[], field: string): string[] {
  const unit = unitOfField(pathOfField(field) ?? [field]);
  const numbers = values.filter((value) => typeof value === 'number');
  if (unit === undefined || numbers.length < values.length) return [];
  const binary = numbers.filter((value) => valueText(value, field).endsWith('iB')).length;
  return binary > 0 && binary < numbers.length ? quantityTexts(numbers, unit) : [];
}

function barsOf(fleet: Fleet, field: string) {
  const { texts, values, rows, textIndexes } = facetColumn(fleet, field);
  const counts = texts.map(() => new Map<string, number>());
  const bySite = new Map<string, number>();
  for (const row of fleet.table.uids.keys()) {
    const { site } = fleet.placeOf(row);
    bySite.set(site, (bySite.get(site) ?? 0) + 1);
    for (const place of textIndexes[rows[row] ?? -1] ?? [])
      counts[place]?.set(site, (counts[place].get(site) ?? 0) + 1);
  }
  const bars = texts
    .map((text, place) => {
      const own = counts[place] ?? new Map<string, number>();
      return { text, value: values[place] ?? null, counts: own, nodes: [...own.values()].reduce((a, b) => a + b, 0) };
    })
    .filter(({ nodes }) => nodes > 0)
    .sort((a, b) => byValue(a.value, b.value));
  return { sites: byFrequency(bySite), bars, most: Math.max(1, ...bars.map(({ nodes }) => nodes)) };
}

const FIRMWARE = 'bios.version';

/** Shows node types with different firmware versions. Types with the most versions come first. */
function FirmwareDrift({ state }: ViewProps) {
  const { fleet, place, registry } = state;
  const fields = registry.fields
    .filter(({ class: about, distinct, values }) => about === 'firmware' && distinct > 1 && values)
    .map(({ name }) => name);
  const field = fieldIn(state, 'firmware') ?? (fields.includes(FIRMWARE) ? FIRMWARE : fields[0]);
  const types = useMemo(() => (field === undefined ? [] : versionsByType(fleet, field)), [fleet, field]);
  if (field === undefined) return null;
  const drifting = types.filter(({ versions }) => versions.length > 1);
  return (
    <section aria-labelledby="firmware">
      <h2 id="firmware">Firmware that differs within a node type</h2>
      <FieldChoice state={state} label="Firmware" name="firmware" fields={fields} chosen={field} />
      <p>
        {counted(drifting.length, 'type has', 'types have')} several versions, {types.length - drifting.length} have
        one.
      </p>
      {drifting.length === 0 ? null : (
        <Table kind="cards" label="Versions by node type" heads={['Type', 'Nodes', 'Share', 'Versions']} numbers={[1]}>
          {drifting.map(({ type, nodes, versions }) => (
            <tr key={type}>
              <th scope="row" data-title="Type">
                {visible(type)}
              </th>
              <td data-title="Nodes" class="number">
                {nodes}
              </td>
              <td data-title="Share">
                <ShareBar shares={versions} colorIndex={0} />
              </td>
              <td data-title="Versions">
                <ul class="inline">
                  {versions.map(({ text, nodes: count }) => (
                    <li key={text}>
                      <a href={linkWithin(place, 'nodes', { [TYPE]: type, [parameterOf(field)]: text })}>
                        {valueText(text, field)}
                      </a>{' '}
                      <span class="absent">{count}</span>
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function versionsByType(fleet: Fleet, field: string) {
  const { texts, rows, textIndexes } = facetColumn(fleet, field);
  const byType = Map.groupBy(fleet.table.uids.keys(), (row) => typeOf(fleet.table, row) ?? '');
  byType.delete('');
  return [...byType]
    .map(([type, members]) => {
      const counts = new Map<string, number>();
      for (const row of members)
        for (const place of textIndexes[rows[row] ?? -1] ?? [])
          counts.set(texts[place] ?? '', (counts.get(texts[place] ?? '') ?? 0) + 1);
      const versions = [...counts].map(([text, nodes]) => ({ text, nodes })).sort((a, b) => b.nodes - a.nodes);
      return { type, nodes: members.length, versions };
    })
    .filter(({ versions }) => versions.length > 0)
    .sort((a, b) => b.versions.length - a.versions.length || byCodeUnit(a.type, b.type));
}

const RACK = 'placement.rack';
/** The fields that can colour the squares. Fields with few distinct values come first. */
const COLOURED = ['label.gpu', TYPE, 'label.cpu', FIRMWARE];
/** A value of the URL parameter `colour` that is not a field. */
const LAST_CHANGE = 'last_change';

/** Shows each node as a square. Frequent values have colours, so that different nodes are easy to see. */
function Racks({ state, siteNames }: NamedProps) {
  const { fleet, place, registry } = state;
  const hasHistory = fleet.table.total <= MOST_NODES_WITH_HISTORY;
  const fields = COLOURED.filter((name) => findField(name, fleet.query).hasValues);
  const field = fieldIn(state, 'colour') ?? fields[0] ?? TYPE;
  const isByChange = field === LAST_CHANGE && hasHistory;
  const racks = useMemo(() => racksOf(fleet), [fleet]);
  const months = useLoaded(`months ${isByChange} ${registry.version}`, async () => {
    const history = isByChange ? await historyOf(state.reader, registry) : undefined;
    return history && lastChangedMonths(history, lineTo(revisionIndex(history, registry.version), history.revisions));
  });
  const monthByPath = months.kind === 'done' ? months.value : undefined;
  const { valuesOf } = findField(field, fleet.query);
  const textOf = (row: number) =>
    isByChange ? (monthByPath?.get(fleet.pathOf(row)) ?? '') : joinedValues(valuesOf(row), field);
  const common = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { rows } of racks) for (const row of rows) counts.set(textOf(row), (counts.get(textOf(row)) ?? 0) + 1);
    const texts = byFrequency(counts);
    // The latest months have colours.
    return isByChange ? texts.sort(byCodeUnit).reverse() : texts;
  }, [racks, field, monthByPath]);
  if (racks.length === 0) return null;
  const coloured = common.filter((text) => text !== '');
  const inRacks = new Set(racks.flatMap(({ rows }) => rows));
  const notPlaced = Map.groupBy(
    [...fleet.table.uids.keys()].filter((row) => !inRacks.has(row)),
    (row) => fleet.placeOf(row).site,
  );
  const bySite = Map.groupBy(racks, ({ site }) => site);
  const linkToNotPlaced = (site: string) => (
    <a href={linkWithin(place, 'nodes', { site, q: `${RACK} IS NULL OR ${RACK} = ''` })}>
      {counted(notPlaced.get(site)?.length ?? 0, 'node')} without a known rack
    </a>
  );
  return (
    <section aria-labelledby="racks">
      <h2 id="racks">Racks</h2>
      <FieldChoice
        state={state}
        label="Colour by"
        name="colour"
        fields={hasHistory ? [...fields, LAST_CHANGE] : fields}
        chosen={field}
      />
      {isByChange ? (
        <Read of={months}>
          {(known) => (known ? null : <p class="absent">The history of all nodes is not available.</p>)}
        </Read>
      ) : null}
      <ul class="legend">
        {coloured.slice(0, MOST_COLOURED).map((text, i) => (
          <li key={text}>
            <Swatch colorIndex={i} /> {text}
          </li>
        ))}
        {coloured.length > MOST_COLOURED ? (
          <li>
            <Swatch colorIndex={MOST_COLOURED} /> {counted(coloured.length - MOST_COLOURED, 'other')}
          </li>
        ) : null}
        {common.includes('') ? (
          <li>
            <span class="swatch" aria-hidden="true" /> no {titleOf(field)}
          </li>
        ) : null}
      </ul>
      {[...bySite].map(([site, some]) => (
        <section key={site} aria-label={`Racks at ${siteNames(site)}`}>
          <h3>{siteNames(site)}</h3>
          {notPlaced.has(site) ? <p>{linkToNotPlaced(site)}</p> : null}
          <ul class="racks">
            {some.map(({ rack, rows }) => (
              <li key={rack}>
                <a href={linkWithin(place, 'nodes', { site, [parameterOf(RACK)]: rack })}>Rack {visible(rack)}</a>{' '}
                <span class="absent">· {counted(rows.length, 'node')}</span>
                <span class="slots">
                  {rows.map((row) => {
                    const text = textOf(row);
                    const title = `${fleet.nameOf(row)}: ${text || 'no value'}`;
                    return (
                      <a
                        key={row}
                        href={linkWithin(place, fleet.pathOf(row))}
                        title={title}
                        style={text === '' ? {} : { background: colorAt(layerOf(coloured.indexOf(text))) }}
                      >
                        <span class="hidden">{title}</span>
                      </a>
                    );
                  })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {[...notPlaced.keys()].map((site) =>
        bySite.has(site) ? null : (
          <section key={site} aria-label={`Nodes at ${siteNames(site)}`}>
            <h3>{siteNames(site)}</h3>
            <p>{linkToNotPlaced(site)}</p>
          </section>
        ),
      )}
    </section>
  );
}

function racksOf(fleet: Fleet) {
  const { texts, rows, textIndexes } = facetColumn(fleet, RACK);
  const racks = new Map<string, { site: string; rack: string; rows: number[] }>();
  for (const row of fleet.table.uids.keys()) {
    const { site } = fleet.placeOf(row);
    for (const place of textIndexes[rows[row] ?? -1] ?? []) {
      const rack = texts[place] ?? '';
      if (rack === '') continue;
      const key = `${site} ${rack}`;
      const found = racks.get(key) ?? { site, rack, rows: [] };
      racks.set(key, found);
      found.rows.push(row);
    }
  }
  const order = fleet.orderOf();
  for (const { rows: members } of racks.values()) members.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  return [...racks.values()].sort((a, b) => byCodeUnit(a.site, b.site) || byNaturalOrder(a.rack, b.rack));
}
